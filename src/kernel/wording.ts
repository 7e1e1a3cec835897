import { germanIban } from "../banking/germany/account.ts";
import { ibanCountryByCode } from "../banking/iban/registry.ts";
import { bbanStart } from "../banking/iban/structure.ts";
import { bankFragment, type CheckDataParts, kontonummerZeros } from "../banks/directory/check-data.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import type { BankRecord } from "../banks/directory/record.ts";
import type { AccountPolicy } from "../banks/lookup/account-policy.ts";
import { type AnswerOptions, plain } from "../checks/answer.ts";
import { batchEntry, batchOf, ibanAnswer } from "../checks/iban-answer.ts";
import { type Language, languages } from "../contract/language.ts";
import { type IbanOutcome, ibanOutcomes, type Reason } from "../contract/status.ts";
import { FINDING_BATCH_HEAD, FINDING_BATCH_TAIL, VERDICT_UNKNOWN_BANK } from "./table-layout.ts";
import { cutMark, placeholder } from "./templates.ts";

/** Names of the outcomes; the kernel knows them by their indexes. */
export const outcomeNames = Object.keys(ibanOutcomes) as readonly IbanOutcome[];

/** Warnings about valid numbers that their bank does not decide; the kernel knows them by their indexes. */
export const warnings = [
  "bank_code_unknown",
  "national_check_digits",
  "uk_modulus",
  "currency",
  "account_check_digit",
  "qr_iban",
] as const satisfies readonly Reason[];

export type KernelOptions = Pick<AnswerOptions, "language" | "reason" | "today">;

/** A form of the answers of batches or single checks. */
export interface Wording {
  readonly key: string;
  readonly isBatch: boolean;
  readonly options: AnswerOptions;
}

/** Returns all forms, by `wordingNumber`; those with reasons as they are on a day, since a list becomes old on one. */
export function allWordings(policy: AccountPolicy, today?: string): readonly Wording[] {
  return [false, true].flatMap((isBatch) =>
    [false, true].flatMap((reason) =>
      languages.map((language) => ({
        key: `${isBatch ? "batch" : "single"} ${language} ${reason ? `reason ${today}` : ""}`,
        isBatch,
        options: { ...plain, language, reason, policy, today },
      })),
    ),
  );
}

export function wordingNumber(isBatch: boolean, { language, reason }: KernelOptions): number {
  return ((isBatch ? 2 : 0) + (reason ? 1 : 0)) * languages.length + languages.indexOf(language);
}

/** What of an answer is marked. */
interface Answer {
  readonly iban?: string;
  readonly data: Pick<CheckDataParts, "iban" | "kto">;
}

export function answerText(directory: BankDirectory, text: string, wording: Wording): string {
  return textOf(answerTo(directory, text, wording), wording);
}

/**
 * Returns the text of the answers to all numbers with one verdict, worded by the reference for one of them: with marks for
 * the parts of the number, and for the fragment of a known bank.
 *
 * Undefined if the answer does not have the fragment.
 */
export function markedText(
  directory: BankDirectory,
  finding: number,
  text: string,
  bank: BankRecord | undefined,
  wording: Wording,
): string | undefined {
  if (finding === FINDING_BATCH_HEAD) return batchFrame(wording.options.language).head;
  if (finding === FINDING_BATCH_TAIL) return batchFrame(wording.options.language).tail;
  const hasOwnBankCode = (finding & VERDICT_UNKNOWN_BANK) !== 0;
  const answer = markIban(answerTo(directory, text, wording), text, hasOwnBankCode);
  if (bank === undefined) return textOf(answer, wording);
  const { kto } = answer.data;
  const data = { ...answer.data, kto: kto === "" ? kto : kontonummerZeros };
  const marked = textOf({ ...answer, data }, wording);
  const parts = marked.split(bankFragment(bank));
  return parts.length === 2 ? parts.join(cutMark) : undefined;
}

/** Returns an answer to an IBAN with marks for the IBAN and its parts. */
export function markIban<A extends Answer>(answer: A, iban: string, hasOwnBankCode: boolean): A {
  const { data } = answer;
  const whole = placeholder();
  const hasKontonummer = data.kto !== "" && data.kto === iban.slice(germanIban.kontonummer.start);
  return {
    ...answer,
    ...(answer.iban === undefined ? {} : { iban: whole }),
    data: {
      ...data,
      ...(data.iban === iban ? { iban: whole } : {}),
      ...(hasKontonummer ? { kto: placeholder(germanIban.kontonummer.start) } : {}),
      ...(hasOwnBankCode ? { blz: bankCodePlaceholder(iban.slice(0, 2)) } : {}),
    },
  };
}

function answerTo(directory: BankDirectory, text: string, { isBatch, options }: Wording): Answer {
  return (
    isBatch ? batchEntry(directory, text, options) : ibanAnswer(directory, text, undefined, options)
  ) as Answer;
}

function textOf(answer: object, { isBatch }: Wording): string {
  return JSON.stringify(answer) + (isBatch ? "," : "");
}

/** What opens a batch, with a mark for the number of its entries, and what closes it. */
function batchFrame(language: Language): { readonly head: string; readonly tail: string } {
  const [head, tail] = JSON.stringify(batchOf([{}], language)).split("{}");
  return { head: head!.replace('"total":1', `"total":${placeholder()}`), tail: tail! };
}

function bankCodePlaceholder(country: string): string {
  const { start, length } = ibanCountryByCode(country)!.bank;
  return placeholder(bbanStart + start, bbanStart + start + length);
}
