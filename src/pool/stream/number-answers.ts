import { isBic, isOfInstitution } from "../../banking/bic.ts";
import { isBlz, isKontonummer } from "../../banking/germany/account.ts";
import { normaliseIban } from "../../banking/iban/normalise.ts";
import { RequestError } from "../../contract/errors.ts";
import { encoded } from "../../rows/encoding.ts";
import type { IbanVerdict, KnownAnswer, KnownAnswers } from "./known-answers.ts";
import { answerLine } from "./line-answer.ts";
import type { NumberQuestion, ReadNumber } from "./read-row.ts";

/** The answer to a number of a row that was read. */
export interface NumberAnswer {
  /** As its form has it, with one character for each byte. */
  readonly text: string;
  readonly valid: boolean;
  /** Why the number is not valid; empty if it is, undefined if it could not be checked. */
  readonly reason: string | undefined;
}

/** Answers a number of a row that was read, by a template or else by the reference; `verdict` is that of the kernel where it was judged. */
export function answerNumber(
  answers: KnownAnswers,
  { question, note }: ReadNumber,
  verdict: IbanVerdict | undefined,
): NumberAnswer {
  try {
    if (question.kind === "error") throw question.error;
    const known = answers.options.explain ? undefined : knownAnswer(answers, question, verdict);
    return known === undefined
      ? fromReference(answers, question, note)
      : fromTemplate(answers, question, known, note);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { text: encoded(answers.form.refusal(error, note)), valid: false, reason: undefined };
  }
}

function knownAnswer(
  answers: KnownAnswers,
  question: NumberQuestion,
  verdict: IbanVerdict | undefined,
): KnownAnswer | undefined {
  if (question.kind === "account") {
    const { kontonummer, bankleitzahl } = question;
    const isFormal = isKontonummer(kontonummer) && isBlz(bankleitzahl);
    return isFormal ? answers.ofAccount(kontonummer, Number(bankleitzahl)) : undefined;
  }
  if (verdict === undefined) return undefined;
  const number = normaliseIban(question.iban);
  const template = answers.ofIban(verdict, number.length, () => question.iban);
  return template === 0 ? undefined : { template, number };
}

function fromTemplate(
  answers: KnownAnswers,
  question: NumberQuestion,
  { template, number }: KnownAnswer,
  note: string,
): NumberAnswer {
  const { templates } = answers.worker;
  const { valid, reason } = templates.outcomeOf(template);
  const bic = valid ? otherBic(question, () => templates.institutionOf(template)) : undefined;
  if (bic !== undefined) return fromReference(answers, bic, note);
  return { text: templates.textOf(template, number, answers.form.noteText(note)), valid, reason };
}

function fromReference(answers: KnownAnswers, question: NumberQuestion, note: string): NumberAnswer {
  const { entry, valid, reason } = answerLine(answers.worker.directory, question, answers.options);
  const bic = valid ? otherBic(question, () => (entry.data["bic"] ?? null) as string | null) : undefined;
  if (bic !== undefined) return fromReference(answers, bic, note);
  return { text: encoded(answers.form.textOf(entry, note)), valid, reason };
}

/**
 * The question of a valid IBAN with its BIC; undefined if it has none, or one that names its bank's institution. Throws a
 * RequestError for a text that is not a BIC.
 */
function otherBic(question: NumberQuestion, bankBic: () => string | null): NumberQuestion | undefined {
  if (question.kind === "account" || question.bicIfValid === undefined) return undefined;
  const { iban, bicIfValid: bic } = question;
  if (isOfInstitution(bic, bankBic())) return undefined;
  if (!isBic(bic)) throw new RequestError("invalid_bic");
  return { kind: "iban", iban, bic };
}
