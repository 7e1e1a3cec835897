import { boundsOf, flagOf, type SettingName, type SettingRow, settingsTable } from "../settings.ts";

/** The text of `--help`: every flag with its environment variable, bounds and default, from the settings table. */
export function helpText(): string {
  const lines = Object.entries<SettingRow>(settingsTable).map(([name, row]) => {
    const fallback = row.defaultText ?? row.fallback;
    const told = fallback === "" ? "none" : String(fallback);
    return [
      `  --${flagOf(name as SettingName)}  (${row.env})`,
      `      ${row.sentence}`,
      `      Takes ${boundsOf(row)}. Default: ${told}.`,
    ].join("\n");
  });
  return [
    "bankcheck: checks IBANs, BICs and German account numbers over HTTP.",
    "",
    "Every setting is a flag or an environment variable; a flag wins.",
    "",
    ...lines,
    "",
  ].join("\n");
}
