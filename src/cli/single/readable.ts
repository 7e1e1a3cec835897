import type {
  AccountCheckAnswer,
  BankSearchAnswer,
  CheckEntry,
  IbanCheckAnswer,
  SepaMethods,
} from "../../client/api-types.ts";
import { columns } from "../table.ts";

const marks: Readonly<Record<CheckEntry["result"], string>> = {
  passed: "✓",
  failed: "✗",
  not_applicable: "·",
  unknown: "?",
};

/** Writes the answer to a check for people: what it came to, the bank, and every check that was made. */
export function readableCheck({ message, data }: IbanCheckAnswer | AccountCheckAnswer): string {
  const { iban, bic, kto, blz, bank, zip, location, country, sepa_methods: sepa, checks = [] } = data;
  const place = [`${zip} ${location}`.trim(), country].filter((text) => text !== "").join(", ");
  const facts = [
    ["IBAN", iban === null ? "" : (iban.match(/.{1,4}/g) ?? []).join(" ")],
    ["kontonummer", kto],
    ["BLZ", blz],
    ["BIC", bic ?? ""],
    [bank === "" ? "country" : "bank", [bank, place].filter((text) => text !== "").join(", ")],
    ["SEPA", sepa === undefined ? "" : schemes(sepa)],
  ].flatMap(([name = "", value = ""]) => (value === "" ? [] : [`  ${name.padEnd(12)}${value}`]));
  const made = checks.map((check) => `  ${marks[check.result]} ${told(check)}`);
  return `${[message, "", ...facts, "", ...made].join("\n").trimEnd()}\n`;
}

function schemes(sepa: SepaMethods): string {
  const taken = Object.entries(sepa).filter(([, value]) => value === 1);
  return taken.length === 0 ? "none" : taken.map(([name]) => name.toUpperCase()).join(", ");
}

function told({ check, detail, position, expected = [] }: CheckEntry): string {
  const found = [check.replaceAll("_", " "), detail?.replace(/\.$/, "")].filter((text) => text !== undefined);
  const right = expected.length === 0 ? "" : `; right would be ${expected.join(" or ")}${placeOf(position)}`;
  return `${found.join(": ")}${right}`;
}

function placeOf(position: CheckEntry["position"]): string {
  if (position === undefined) return "";
  const { start, length } = position;
  return length === 1 ? ` at place ${start + 1}` : ` at places ${start + 1} to ${start + length}`;
}

/** Writes the banks that were found for people. */
export function readableBanks({ message, results }: BankSearchAnswer): string {
  const { count, total, items } = results;
  if (count === 0) return `${message}\n`;
  const rows = items.map(({ blz, bic, bank, zip, location }) => [
    blz,
    bic ?? "",
    bank,
    `${zip} ${location}`.trim(),
  ]);
  const more = total > count ? `\n${total - count} more; --max shows up to 50.\n` : "";
  return `${columns(["BLZ", "BIC", "bank", "place"], rows)}${more}`;
}
