import { bicMatches, isOfInstitution, matchBic } from "../banking/bic.ts";
import { bicOfRule } from "../banking/germany/iban-rules/generate.ts";
import type { FormerBic } from "../banks/directory/record.ts";
import { type Message, message } from "../contract/message.ts";
import { finding } from "./answer.ts";
import type { Subject } from "./bank-findings.ts";
import type { IbanFinding } from "./country-checks.ts";

/** Compares the BIC of a request with those of the bank; not applicable without one. */
export function bicCheck({ directory, country: { code }, bank, bic }: Subject): IbanFinding {
  const check = "bic";
  if (bic === undefined) return finding(check, "not_applicable", message("bic_not_given"));
  const ofRule = bank?.country === "DE" ? bicOfRule(bank.bankCode, bank) : undefined;
  const listed = bank === undefined ? [] : directory.bics(bank);
  const match = matchBic(bic, code, ofRule === undefined ? listed : [...listed, ofRule]);
  const isOfBank = bicMatches(match) && match !== "country_only";
  const formerBics = isOfBank || bank === undefined ? [] : directory.otherBics(bank).former;
  const former = formerBics.find((candidate) => isOfInstitution(bic, candidate.bic));
  if (former !== undefined)
    return finding(check, "failed", formerMessage(bank!.bic, former), { outcome: "bic_former" });
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
