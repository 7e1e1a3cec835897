import { bicMatches, isOfInstitution, matchBic } from "../banking/bic.ts";
import { bicOfRule } from "../banking/germany/iban-rules/generate.ts";
import type { IbanCountry } from "../banking/iban/registry.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import type { BankRecord, FormerBic } from "../banks/directory/record.ts";
import { type Message, message } from "../contract/message.ts";
import { finding } from "./answer.ts";
import type { IbanFinding } from "./country-checks.ts";

interface BankBics {
  readonly main: string | null;
  /** The main one first. */
  readonly known: readonly string[];
  readonly former: readonly FormerBic[];
}

export const noBics: BankBics = { main: null, known: [], former: [] };

/** The BICs in the bank lists, and the one that a German IBAN rule states. */
export function bicsOf(directory: BankDirectory, index: number, bank: BankRecord): BankBics {
  const ofRule = bank.country === "DE" ? bicOfRule(bank.bankCode, bank) : undefined;
  const known = [...directory.bics(index, bank), ...(ofRule === undefined ? [] : [ofRule])];
  return { main: bank.bic, known, former: directory.formerBics(bank) };
}

/** Compares the BIC of a request with those of the bank; not applicable without one. */
export function bicCheck(country: IbanCountry, bics: BankBics, bic: string | undefined): IbanFinding {
  const check = "bic";
  if (bic === undefined) return finding(check, "not_applicable", message("bic_not_given"));
  const match = matchBic(bic, country.code, bics.known);
  const isOfBank = bicMatches(match) && match !== "country_only";
  const former = isOfBank ? undefined : bics.former.find((candidate) => isOfInstitution(bic, candidate.bic));
  if (former !== undefined)
    return finding(check, "failed", formerMessage(bics.main, former), { outcome: "bic_former" });
  const said = message(`bic_${match}`);
  return bicMatches(match)
    ? finding(check, "passed", said)
    : finding(check, "failed", said, { outcome: "bic_mismatch" });
}

/** Returns the sentence about a former BIC of the bank whose present one is `main`. */
export function formerMessage(main: string | null, { until }: FormerBic): Message {
  if (main === null) return message("bic_former_only");
  return until === null
    ? message("bic_former", { bic: main })
    : message("bic_former_until", { bic: main, until });
}
