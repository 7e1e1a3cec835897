import table from "../../data/de-iban-rules.json" with { type: "json" };
import { generateIban } from "../../src/banking/germany/iban-rules/generate.ts";
import { rowsOf } from "../banks/shipped.ts";
import { randomOf } from "../support/random.ts";
import { accountOf } from "./account-numbers.ts";
import type { BankFacts, Vectors } from "./read.ts";

const asOf = "2026-09";
/** Maximum count of numbers of one rule with the same result. */
const wantedOfEach = 3;

const banks = new Map<string, BankFacts & { readonly rule: string }>();
for (const row of rowsOf("blz.csv")) {
  if (row.Merkmal !== "1") continue;
  const successor = row["Nachfolge-Bankleitzahl"];
  banks.set(row.Bankleitzahl, {
    rule: row["IBAN-Regel"],
    method: row["Prüfzifferberechnungsmethode"],
    bic: row.BIC,
    ...(/[1-9]/.test(successor) && { successor }),
    ...(row["Bankleitzahllöschung"] === "1" && { deleteMark: true as const }),
  });
}

/** All texts of digits in a rule: bank codes, account numbers that it replaces, and beginnings of either. */
function digitsIn(value: unknown): string[] {
  if (typeof value === "string") return /^\d{3,10}$/.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...digitsIn(key), ...digitsIn(inner)]);
}

/**
 * For every IBAN rule, accounts at its bank codes that reach each of its results: generated, replaced and refused in
 * each way. The results are this project's own, made when all 1,027 numbers that the Bundesbank and other
 * implementations vouch for came out equal; they keep what was right from changing.
 */
export function ruleNumbers(): Vectors["de-iban-rules.ndjson"][] {
  return Object.entries(table.rules).flatMap(([number, rule]) => {
    const random = randomOf(Number(number) + 1);
    const named = digitsIn(rule);
    const present = [...banks].filter(([, bank]) => bank.rule.startsWith(number)).map(([blz]) => blz);
    const codes = present.length > 0 ? present : addFormerBank(number, rule.version, named);
    const inRule = codes.filter((blz) => named.includes(blz));
    const found: Vectors["de-iban-rules.ndjson"][] = [];
    const seen = new Map<string, number>();
    for (let tries = 0; tries < 4_000; tries++) {
      const pool = inRule.length > 0 && tries % 2 === 0 ? inRule : codes;
      const blz = pool[random(pool.length)]!;
      const special = named.length > 0 && tries % 3 === 0 ? named[random(named.length)]! : undefined;
      const account = special ?? accountOf(4 + random(7), random);
      const vector = vectorOf(blz, account);
      if (vector === undefined) continue;
      const { error, iban, bic } = vector;
      const kind =
        error ?? `${iban!.slice(4, 12) === blz} ${iban!.endsWith(account)} ${bic === banks.get(blz)!.bic}`;
      const count = seen.get(kind) ?? 0;
      if (count === wantedOfEach || found.some((one) => one.blz === blz && one.account === account)) continue;
      seen.set(kind, count + 1);
      found.push(vector);
    }
    return found;
  });
}

/** For a rule that no bank code has any more: one that it names, else a made-up one, with facts that are made up. */
function addFormerBank(number: string, version: string, named: readonly string[]): string[] {
  const blz = named.find((text) => text.length === 8 && !banks.has(text)) ?? "99999999";
  banks.set(blz, { rule: number + version, method: "00", bic: "ABCDDEFFXXX" });
  return [blz];
}

function vectorOf(blz: string, account: string): Vectors["de-iban-rules.ndjson"] | undefined {
  const asked = new Set<string>();
  const generated = generateIban(blz, account, (wanted) => {
    if (wanted !== blz) asked.add(wanted);
    return banks.get(wanted);
  });
  // A vector names one other bank code at most, so that anyone can run it without a bank code file.
  if (asked.size > 1) return undefined;
  const { rule, ...bank } = banks.get(blz)!;
  const [other] = asked;
  const facts = other === undefined ? undefined : banks.get(other);
  if (other !== undefined && facts === undefined) return undefined;
  const { rule: _, ...target } = facts ?? { rule: "", method: "", bic: "" };
  return {
    rule,
    blz,
    account,
    ...("error" in generated
      ? { error: generated.error }
      : { iban: generated.iban, ...(generated.bic !== null && { bic: generated.bic }) }),
    bank,
    ...(other !== undefined && { target: { blz: other, ...target } }),
    asOf,
  };
}
