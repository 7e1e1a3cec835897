import { fullBic, isBic } from "../../src/banking/bic.ts";
import { unknownBank } from "../../src/banks/directory/record.ts";
import { checkRecords } from "../../src/banks/directory/record-check.ts";
import type { banksColumns } from "../../src/banks/files/banks-csv.ts";

/** A row of `banks.csv`. */
export type BankRow = Record<(typeof banksColumns)[number], string>;

/** One corrected value of a bank, and who says so. */
export interface Correction {
  readonly country: string;
  readonly bank_code: string;
  readonly field: string;
  readonly value: string;
  /** First day, `2023-01-01`; empty where it is not known. */
  readonly valid_from: string;
  readonly source: string;
}

/** The rows of `banks.csv` with the facts in them, sorted, and what was refused. */
export interface MergedFacts {
  readonly rows: readonly BankRow[];
  readonly refused: readonly string[];
}

const fields: Readonly<Record<string, keyof BankRow>> = {
  name: "name",
  bic: "bic",
  zip: "zip",
  town: "city",
};

/** How a source is called in the column `source`, and the edition of what it says unless it has a first day. */
const labels: readonly (readonly [source: RegExp, label: string, edition: string])[] = [
  [/^schwifty /, "schwifty-git", "2026-07-23"],
  [/^SCL /, "scl", "2026-05-25"],
  [/^letters repaired/, "", ""],
  [/./, "press", "2026-11-23"],
];

/**
 * Adds banks to the rows of `banks.csv`, then corrects single values of them. A corrected name empties the short name,
 * which would show the old one. Refuses what does not fit: codes that are not of their country's form, banks that are there already,
 * corrections of banks that are not, and values that cannot be.
 */
export function mergeFacts(
  rows: readonly BankRow[],
  additions: readonly BankRow[],
  corrections: readonly Correction[],
): MergedFacts {
  const keyOf = ({ country, bank_code }: Pick<BankRow, "country" | "bank_code">) => `${country} ${bank_code}`;
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  const refused: string[] = [];
  for (const row of additions) {
    const reason = refusalOf(row) ?? (byKey.has(keyOf(row)) ? "it is there already" : undefined);
    if (reason === undefined) byKey.set(keyOf(row), row);
    else refused.push(`${keyOf(row)}: ${reason}`);
  }
  for (const correction of corrections) {
    const key = keyOf(correction);
    const row = byKey.get(key);
    const column = fields[correction.field];
    const changed = row && column && corrected(row, column, correction);
    const reason =
      row === undefined
        ? "no bank has this code"
        : changed === undefined
          ? `there is no field ${correction.field}`
          : refusalOf(changed);
    if (reason === undefined) byKey.set(key, changed!);
    else refused.push(`${key} ${correction.field}: ${reason}`);
  }
  const sorted = [...byKey.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  return { rows: sorted, refused };
}

/** A row of `bank-bics.csv`; without `main`, which the merge adds, of a file of facts. */
export type BicRow = Record<"country" | "bank_code" | "bic" | "kind" | "until" | "source", string> & {
  readonly main?: string;
};

/**
 * Adds further and former BICs to the rows of `bank-bics.csv`, each with the BIC that it was found beside. Refused are
 * those of unknown codes, malformed ones, and those that the list of their code has.
 *
 * @param listed the BICs of each bank code in its list, by country and code, the main one first.
 */
export function mergeBics(
  rows: readonly BicRow[],
  facts: readonly BicRow[],
  listed: ReadonlyMap<string, readonly string[]>,
): { readonly rows: readonly BicRow[]; readonly refused: readonly string[] } {
  const keyOf = ({ country, bank_code, bic }: BicRow) => `${country} ${bank_code} ${bic}`;
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  const refused: string[] = [];
  for (const row of facts) {
    const bics = listed.get(`${row.country} ${row.bank_code}`);
    const reason =
      bics === undefined
        ? "no bank has this code"
        : !isBic(row.bic)
          ? "it is not a BIC"
          : bics.some((bic) => fullBic(bic) === fullBic(row.bic))
            ? "the list of its code has it"
            : undefined;
    if (reason !== undefined) refused.push(`${keyOf(row)} (${row.kind}): ${reason}`);
    else if (!byKey.has(keyOf(row))) byKey.set(keyOf(row), { ...row, main: bics![0] ?? "" });
  }
  const sorted = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  return { rows: sorted, refused };
}

function corrected(row: BankRow, column: keyof BankRow, { value, valid_from, source }: Correction): BankRow {
  const [, label, edition] = labels.find(([pattern]) => pattern.test(source))!;
  const stated = column === "name" || column === "bic" ? label : "";
  return {
    ...row,
    [column]: value,
    ...(column === "name" ? { short_name: "" } : {}),
    ...(stated === "" ? {} : withSource(row, `${column}:`, label, valid_from || edition)),
  };
}

/** Adds who states one field of a row, in place of who was said to. */
function withSource(row: BankRow, prefix: string, label: string, edition: string) {
  const editions = row.edition.split("+");
  const parts = row.source.split("+").map((source, at) => [source, editions[at]!] as const);
  const kept = parts.filter(([source]) => !source.startsWith(prefix));
  const stated = [...kept, [prefix + label, edition] as const];
  return {
    source: stated.map(([source]) => source).join("+"),
    edition: stated.map(([, one]) => one).join("+"),
  };
}

function refusalOf({ country, bank_code, branch_code, bic, name, zip, city }: BankRow): string | undefined {
  if (country === "DE") return "German banks have a file of their own";
  if (name === "") return "it has no name";
  const texts = { name, shortName: "", zip, location: city };
  const record = { ...unknownBank, country, bankCode: bank_code, branchCode: branch_code, ...texts };
  try {
    checkRecords([{ ...record, bic: bic || null }]);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
