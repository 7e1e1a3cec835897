import { isFormalIban, normaliseIban } from "../banking/iban/normalise.ts";
import { noSepaMethods } from "../banking/sepa.ts";
import { ibanData } from "../banks/directory/check-data.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { errorBody } from "../contract/errors.ts";
import { message, textOf } from "../contract/message.ts";
import { type IbanOutcome, ibanOutcomes } from "../contract/status.ts";
import { dataOf } from "./iban-answer.ts";
import { checkIban } from "./iban-check.ts";

/** Returns the answer to a batch, whose entries may be anything; those that are not strings are not IBANs. */
export function batchAnswer(directory: BankDirectory, ibans: readonly unknown[]): object {
  return batchOf(ibans.map((text) => entryOf(directory, typeof text === "string" ? text : "")));
}

/** Puts the entries of a batch into an answer. */
export function batchOf(results: readonly object[]): object {
  return {
    status: 1,
    message: textOf(message("batch_processed"), "en"),
    batch: { total: results.length, results },
  };
}

/** Returns one entry of a batch answer; an entry that is not an IBAN by its form has the error invalid_iban. */
export function batchEntry(iban: string, outcome: IbanOutcome, data: object): object {
  const { status } = ibanOutcomes[outcome];
  return {
    iban,
    valid: status === 1,
    status,
    data,
    ...(outcome === "not_an_iban" ? errorBody("invalid_iban") : {}),
  };
}

/** What is known of something that is not an IBAN: nothing. */
export const noIbanData = ibanData(
  { iban: null, kto: "", blz: "", country: "", bank: undefined },
  noSepaMethods,
);

function entryOf(directory: BankDirectory, text: string): object {
  const iban = wellFormedUnicode(normaliseIban(text));
  if (!isFormalIban(iban)) return batchEntry(iban, "not_an_iban", noIbanData);
  const check = checkIban(directory, iban);
  return batchEntry(iban, check.outcome, dataOf(check));
}

/** Half of a surrogate pair, which UTF-8 cannot have, becomes the replacement character. */
function wellFormedUnicode(text: string): string {
  return Buffer.from(text).toString();
}
