import { exitCodes } from "../src/cli/exit-codes.ts";
import { type ErrorEntry, errorCatalogue } from "../src/contract/errors.ts";
import { textOf } from "../src/contract/message.ts";
import { reasons } from "../src/contract/reasons.ts";
import { routes } from "../src/contract/routes.ts";
import { statusTable } from "../src/contract/status.ts";
import { type MetricRow, metricsTable } from "../src/metrics/metrics-table.ts";
import { boundsOf, flagOf, type SettingName, type SettingRow, settingsTable } from "../src/settings.ts";
import { coverageRows } from "./banks/coverage-rows.ts";

type Tables = Readonly<Record<string, () => string>>;

/** The parts of the README that are made from the product's own tables, by the name in their markers. */
export const readmeTables: Tables = {
  endpoints: () =>
    table(
      ["Method", "Path", "What it does"],
      routes.map(({ method, path, summary }) => [method, `\`${path}\``, summary]),
    ),
  settings: () =>
    table(
      ["Environment", "Flag", "Takes", "Default", "What it is"],
      Object.entries<SettingRow>(settingsTable).map(([name, row]) => [
        `\`${row.env}\``,
        `\`--${flagOf(name as SettingName)}\``,
        boundsOf(row),
        row.fallbackTold ?? (row.fallback === "" ? "none" : `\`${String(row.fallback)}\``),
        row.sentence,
      ]),
    ),
  status: () =>
    table(
      ["Status", "Account check", "IBAN check"],
      statusTable.map(({ status, account, iban }) => [
        String(status),
        textOf({ id: account }, "en"),
        iban === null ? "not used" : textOf({ id: iban }, "en"),
      ]),
    ),
  reasons: () =>
    table(
      ["Reason", "Meaning"],
      Object.entries(reasons).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
    ),
  "exit-codes": () =>
    table(
      ["Exit code", "What it says"],
      Object.values(exitCodes).map(({ code, sentence }) => [String(code), sentence]),
    ),
  metrics: () =>
    table(
      ["Metric", "Type", "Labels", "What it is"],
      Object.values<MetricRow>(metricsTable).map(({ name, type, labels, help }) => [
        `\`${name}\``,
        type,
        labels.map((label) => `\`${label}\``).join(", "),
        help,
      ]),
    ),
  errors: () =>
    table(
      ["Code", "HTTP", "Field", "Retry helps", "Message"],
      Object.entries<ErrorEntry>(errorCatalogue).map(([code, entry]) => [
        `\`${code}\``,
        String(entry.http_status),
        entry.field === undefined ? "" : `\`${entry.field}\``,
        entry.retry ? "yes" : "",
        textOf(entry.message, "en"),
      ]),
    ),
};

/** The pages that hold such parts. */
export const pagesWithTables: readonly { readonly file: URL; readonly tables: Tables }[] = [
  { file: new URL("../README.md", import.meta.url), tables: readmeTables },
  {
    file: new URL("../src/contract/README.md", import.meta.url),
    tables: {
      status: readmeTables["status"]!,
      reasons: reasonsTable,
      errors: readmeTables["errors"]!,
    },
  },
  { file: new URL("../data/SOURCES.md", import.meta.url), tables: { coverage: coverageTable } },
];

/** Replaces every part between `<!-- name -->` and `<!-- /name -->` by the table of that name. */
export function withTables(page: string, tables: Tables): string {
  return Object.entries(tables).reduce((text, [name, make]) => {
    const part = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
    if (!part.test(text)) throw new Error(`the page has no part named ${name}`);
    return text.replace(part, (_, begin: string, end: string) => `${begin}\n${make()}\n${end}`);
  }, page);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `${lines.join("\n")}\n`;
}

function reasonsTable(): string {
  return table(
    ["Reason", "Meaning"],
    Object.entries(reasons).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
  );
}

function coverageTable(): string {
  return table(
    ["Country", "", "Rows", "With BIC", "Edition", "Source", "Completeness"],
    coverageRows().map((row) => [
      row.country,
      row.name,
      String(row.rows),
      String(row.withBic),
      row.edition ?? "undated",
      row.source,
      row.completeness,
    ]),
  );
}
