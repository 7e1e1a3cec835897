import { readFileSync } from "node:fs";
import sepaDefaults from "../../data/sepa-defaults.json" with { type: "json" };
import { statedDay } from "../../src/banks/editions/days.ts";
import { dataFolder, germanEdition, rowsOf } from "./shipped.ts";

const sepa: { readonly countries: Readonly<Record<string, readonly number[]>> } = sepaDefaults;

/** Returns the rows of SOURCES.md about each country's list, of German bank codes the main records. */
export function coverageRows() {
  const { countries } = JSON.parse(readFileSync(`${dataFolder}completeness.json`, "utf8")) as {
    countries: Record<string, string>;
  };
  const german = rowsOf("blz.csv")
    .filter(({ Merkmal }) => Merkmal === "1")
    .map(({ BIC }) => ({ country: "DE", bic: BIC, source: "Bundesbank", edition: germanEdition }));
  const byCountry = new Map<string, typeof german>();
  for (const row of [...german, ...rowsOf("banks.csv")]) {
    const rows = byCountry.get(row.country) ?? [];
    rows.push(row);
    byCountry.set(row.country, rows);
  }
  return [...byCountry].sort().map(([country, rows]) => ({
    country,
    rows: rows.length,
    withBic: rows.filter(({ bic }) => bic !== "").length,
    /** Edition of most rows; undefined if their source names none. */
    edition: statedDay(commonest(rows.map(({ edition }) => edition.split("+")[0]!))) ?? undefined,
    source: [...new Set(rows.flatMap(({ source }) => sourcesIn(source)))].sort().join(", "),
    completeness: countries[country]!,
    /** BICs whose assumed SEPA schemes are right, and all that were counted: `112/159`; empty for a country without any. */
    sepa: country in sepa.countries ? sepa.countries[country]!.slice(4).reverse().join("/") : "",
  }));
}

const sourcesIn = (source: string) => source.split("+").map((part) => part.replace(/^\w+:/, ""));

function commonest(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}
