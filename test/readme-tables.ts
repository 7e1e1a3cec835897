import { readFileSync } from "node:fs";
import { ibanCountries } from "../src/banking/iban/registry.ts";
import { exitCodes, meaningOf } from "../src/cli/exit-codes.ts";
import { type ErrorEntry, errorCatalogue } from "../src/contract/errors.ts";
import { describedRoutes } from "../src/contract/routes.ts";
import { accountOutcomes, ibanOutcomes, reasons, statusMeanings } from "../src/contract/status.ts";
import { variableOf } from "../src/settings.ts";
import { type SettingRow, settingsTable } from "../src/settings-table.ts";
import { coverageRows } from "./banks/coverage-rows.ts";
import { dataFolder } from "./banks/shipped.ts";
import { answerExamples, publishedDocument } from "./contract/openapi/published.ts";

type Tables = Readonly<Record<string, () => string>>;

/** The pages that hold such parts. */
export const pagesWithTables: Readonly<Record<string, Tables>> = {
  "README.md": { "first-answer": firstAnswer, checks: checksTable, comparison: comparisonTable },
  "src/contract/README.md": {
    endpoints: endpointsTable,
    status: statusesTable,
    reasons: () => list(Object.entries(reasons)),
    errors: errorsTable,
  },
  "src/cli/README.md": { "exit-codes": exitCodesTable },
  ".deploy/README.md": { settings: settingsRows },
  "data/SOURCES.md": { coverage: coverageTable },
};

/** Replaces every part between `<!-- name -->` and `<!-- /name -->` by the table of that name. */
export function withTables(page: string, tables: Tables): string {
  return Object.entries(tables).reduce((text, [name, make]) => {
    const part = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
    if (!part.test(text)) throw new Error(`the page has no part named ${name}`);
    return text.replace(part, (_, begin: string, end: string) => `${begin}\n${make()}\n${end}`);
  }, page);
}

/** The answer that the README shows, from the examples of the OpenAPI document as they are now. */
function firstAnswer(): string {
  const { germanIban } = answerExamples(publishedDocument());
  const text = JSON.stringify(germanIban, null, 2);
  const short = text.replace(
    /\{\n\s+("sct"[^}]*?)\s+\}/,
    (_, inside: string) => `{ ${inside.replace(/\s*\n\s*/g, " ")} }`,
  );
  return `\`\`\`json\n${short}\n\`\`\`\n`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `${lines.join("\n")}\n`;
}

function list(items: readonly (readonly [name: string, meaning: string])[]): string {
  return items.map(([name, meaning]) => `- \`${name}\`: ${meaning}\n`).join("");
}

function endpointsTable(): string {
  return list(describedRoutes.map(({ method, path, summary }) => [`${method} ${path}`, summary!]));
}

function settingsRows(): string {
  const defaultOf = ({ defaultText, fallback, kind }: SettingRow) => {
    const isTime = "unit" in kind && kind.unit === "ms";
    return defaultText ?? (fallback === "" ? "none" : `\`${fallback}\`${isTime ? " ms" : ""}`);
  };
  const rows = Object.entries<SettingRow>(settingsTable).map(([name, row]) => {
    const { kind } = row;
    // "A folder" says no more than the sentence does.
    const form = "form" in kind && !kind.form.startsWith("a ") ? ` Takes ${kind.form}.` : "";
    return `- \`${variableOf(name)}\` (${defaultOf(row)}): ${row.sentence}${form}\n`;
  });
  return rows.join("");
}

function statusesTable(): string {
  const ofIban = statusMeanings(ibanOutcomes);
  const rows = [...statusMeanings(accountOutcomes)].map(([status, meaning]) => {
    return [status, meaning, ofIban.get(status) ?? "not used"];
  });
  return table(["Status", "Account check", "IBAN check"], rows);
}

function exitCodesTable(): string {
  const rows = Object.values(exitCodes).map((exit) => [exit.code, meaningOf(exit)]);
  return table(["Exit code", "Meaning"], rows);
}

function errorsTable(): string {
  const byStatus = new Map<number, string[]>();
  for (const [code, { http_status, retry }] of Object.entries<ErrorEntry>(errorCatalogue)) {
    const codes = byStatus.get(http_status) ?? [];
    byStatus.set(http_status, [...codes, `\`${code}\`${retry ? " (retry)" : ""}`]);
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return table(
    ["HTTP", "Codes"],
    sorted.map(([status, codes]) => [status, codes.join(", ")]),
  );
}

/** What is checked, counted in its data. */
function counted() {
  const dataOf = (file: string) => JSON.parse(readFileSync(`${dataFolder}${file}`, "utf8"));
  const methods = Object.values((dataOf("de-check-methods.json") as { methods: object }).methods);
  const rules = Object.keys((dataOf("de-iban-rules.json") as { rules: object }).rules);
  const national = ibanCountries.filter(({ nationalCheck }) => nationalCheck !== null);
  const lists = coverageRows();
  return {
    countries: ibanCountries.length,
    national: national.length,
    enforced: national.filter(({ nationalCheckEnforced }) => nationalCheckEnforced).length,
    methods: methods.filter((method) => method !== "unassigned").length,
    rules: { count: rules.length, range: `${rules.at(0)} to ${rules.at(-1)}` },
    lists: lists.length,
    german: lists.find(({ country }) => country === "DE")!.rows,
    others: lists.reduce((sum, { country, rows }) => (country === "DE" ? sum : sum + rows), 0),
    ranges: readFileSync(`${dataFolder}uk-modulus-weights.csv`, "utf8").trimEnd().split("\n").length - 1,
  };
}

function checksTable(): string {
  const { countries, national, enforced, methods, rules, lists, german, others, ranges } = counted();
  return table(
    ["What", "How much"],
    [
      ["IBAN structure and check digits", `${countries} countries, the whole IBAN registry`],
      [
        "National check digits",
        `${national} countries: ${enforced} enforced, ${national - enforced} reported`,
      ],
      ["German check-digit methods", `${methods}, all that the Bundesbank has assigned`],
      ["German IBAN rules", `${rules.count}: ${rules.range}`],
      ["UK modulus check", `${grouped(ranges)} rows of weights`],
      [
        "Banks",
        `${grouped(german)} German bank codes, ${grouped(others)} banks of ${lists - 1} other countries`,
      ],
      [
        "SEPA schemes",
        "SCT, SDD, B2B, SCC: from a clearing directory if you import one, otherwise [assumed by country](src/contract/README.md#what-valid-means)",
      ],
    ],
  );
}

/** Returns the comparison with others: their numbers as their pages have them, those of this service counted. */
function comparisonTable(): string {
  const { countries, national, methods, rules, lists } = counted();
  return `
|  | bankcheck | [schwifty] 2026.11.3 | [ibantools] 4.5.4 | [konto_check] 6.15 | [openiban] | [iban.com] |
| --- | --- | --- | --- | --- | --- | --- |
| Form | HTTP service, CLI, console | Python library | JavaScript library | C library with bindings | service, [source archived][goiban-service] in 2024 | hosted service |
| IBAN check digits and structure | ${countries} countries | 127 countries, unregistered ones too | 97 countries | yes | check digits and length | yes |
| National check digits | ${national} countries | 24 countries | 17 countries | German, Austrian | – | yes |
| German check-digit methods | ${methods} | some of 00 to 99 ([source][schwifty-germany]) | – ([ibantools-germany] has them) | all, 00 to E4 | – | – |
| German IBAN rules | ${rules.range} | – | – | 0 to 57 | – | – |
| Bank lists | ${lists} countries | 47 countries | – | Germany | [7 countries][openiban-countries] | worldwide |
| Returns the bank's BIC | yes | yes | – | yes | yes | yes |
| Licence or price | MIT | MIT | MIT or MPL-2.0 | LGPL | MIT | paid |
| Last release | not yet | November 2026 | April 2026 | October 2026 ([kontocheck] 6.15.5) | – | – |
`.trimStart();
}

function grouped(count: number): string {
  return count.toLocaleString("en");
}

function coverageTable(): string {
  const rows = coverageRows().map(({ country, rows, withBic, edition, source, completeness, sepa }) => {
    return [country, rows, withBic, edition ?? "undated", source, completeness, sepa];
  });
  return table(["Country", "Rows", "With BIC", "Edition", "Source", "Completeness", "SEPA"], rows);
}
