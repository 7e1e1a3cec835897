import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { type SettingName, type SettingRow, type Settings, settingsTable } from "./settings-table.ts";

const { version } = createRequire(import.meta.url)("#package.json") as { readonly version: string };
export const productVersion = version;

/** A setting that cannot be used; its message is one sentence for the person who set it. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** Returns the environment variable of a setting: `POOL_SIZE` of `poolSize`. */
export function variableOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, "_$&").toUpperCase();
}

/** Returns the command-line flag of a setting, without its dashes: `pool-size` of `poolSize`. */
export function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, "-$&").toLowerCase();
}

/** Returns the accepted values of a setting, as in `--help`, README and errors. */
export function boundsOf({ kind }: SettingRow): string {
  if ("form" in kind) return kind.form;
  const { min, max, unit = "" } = kind;
  return `an integer from ${min} to ${max} ${unit}`.trimEnd();
}

export const helpColumns = 80;

/** Breaks a text into lines that fit a help text below an indent. */
export function wrapped(text: string, indent: string): readonly string[] {
  const fits = new RegExp(`(\\S.{0,${helpColumns - indent.length - 1}})(?:\\s+|$)`, "g");
  return [...text.matchAll(fits)].map(([, line = ""]) => indent + line);
}

/** Returns the text of `--help`: every flag with its environment variable, bounds and default, from the settings table. */
export function helpText(): string {
  const lines = Object.entries<SettingRow>(settingsTable).flatMap(([name, row]) => {
    const fallback = row.defaultText ?? (row.fallback || "none");
    return [
      `  --${flagOf(name)}  (${variableOf(name)})`,
      ...wrapped(`${row.sentence} Takes ${boundsOf(row)}. Default: ${fallback}.`, "      "),
    ];
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

/**
 * Throws a SettingError that names the setting, its bounds and the value given, or the unknown flag.
 *
 * @param wanted the settings that are used; the others have their defaults regardless of the environment.
 */
export function readSettings(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string | undefined>> = {},
  wanted?: readonly SettingName[],
): Settings {
  const flags = readFlags(args);
  const values: Record<string, string | number> = {};
  for (const [name, row] of Object.entries<SettingRow>(settingsTable)) {
    const isWanted = wanted?.includes(name as SettingName) ?? true;
    const given = [flags[flagOf(name)], environment[variableOf(name)]].find(
      (text) => isWanted && text !== undefined && (text !== "" || row.mayBeEmpty === true),
    );
    const { fallback } = row;
    const text =
      given ?? (typeof fallback === "string" ? fallback : fallback(values as Record<string, number>));
    values[name] = parseSetting(variableOf(name), row, String(text));
  }
  const settings = values as Settings;
  const { checkTimeout, checkHardLimit } = settings;
  if (checkHardLimit <= checkTimeout) {
    throw new SettingError(
      `CHECK_HARD_LIMIT must exceed CHECK_TIMEOUT (${checkTimeout} ms), but is ${checkHardLimit} ms.`,
    );
  }
  return settings;
}

function readFlags(args: readonly string[]): Readonly<Record<string, string | undefined>> {
  const options = Object.fromEntries(
    Object.keys(settingsTable).map((name) => [flagOf(name), { type: "string" as const }]),
  );
  try {
    // Strict, and without positional arguments, by default.
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new SettingError(`${(error as Error).message.split("\n")[0]} (see --help).`);
  }
}

function parseSetting(variable: string, row: SettingRow, text: string): string | number {
  const { kind } = row;
  if ("form" in kind) {
    if (kind.pattern?.test(text) !== false) return text;
  } else {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= kind.min && value <= kind.max) return value;
  }
  const given = row.secret === true ? "not of that form" : JSON.stringify(text);
  throw new SettingError(`${variable} must be ${boundsOf(row)}, but is ${given}.`);
}

/** The service cannot start for a reason outside the program; the message is one sentence for the operator. */
export class StartError extends Error {
  override readonly name: string = "StartError";
}
