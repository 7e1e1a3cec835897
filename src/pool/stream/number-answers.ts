import { isBic, isOfInstitution } from "../../banking/bic.ts";
import { isBlz, isKontonummer } from "../../banking/germany/account.ts";
import { normaliseIban } from "../../banking/iban/normalise.ts";
import { RequestError } from "../../contract/errors.ts";
import type { AnswerForm } from "./answer-forms.ts";
import type { BlockWorker, IbanVerdict, KnownAnswer, KnownAnswers } from "./known-answers.ts";
import { answerLine, type LineOptions } from "./line-answer.ts";
import type { NumberQuestion, ReadNumber } from "./read-row.ts";

/** The answer to a number of a row that was read. */
export interface NumberAnswer {
  /** As its form has it, with one character for each byte. */
  readonly text: string;
  readonly valid: boolean;
  /** Why the number is not valid; empty if it is, undefined if it could not be checked. */
  readonly reason: string | undefined;
}

/** Answers the numbers of rows that were read: by the templates, or else by the reference. */
export class NumberAnswers {
  readonly #worker: BlockWorker;
  readonly #options: LineOptions;
  readonly #known: KnownAnswers;
  readonly #form: AnswerForm;

  constructor(worker: BlockWorker, options: LineOptions, known: KnownAnswers, form: AnswerForm) {
    this.#worker = worker;
    this.#options = options;
    this.#known = known;
    this.#form = form;
  }

  /** Answers a number; `verdict` is that of the kernel where it was judged. */
  answer({ question, note }: ReadNumber, verdict: IbanVerdict | undefined): NumberAnswer {
    try {
      if (question.kind === "error") throw question.error;
      const known = this.#options.explain ? undefined : this.#knownTo(question, verdict);
      return known === undefined
        ? this.#fromReference(question, note)
        : this.#fromTemplate(question, known, note);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return { text: this.#form.refusal(error, note), valid: false, reason: undefined };
    }
  }

  #knownTo(question: NumberQuestion, verdict: IbanVerdict | undefined): KnownAnswer | undefined {
    if (question.kind === "account") {
      const { kontonummer, bankleitzahl } = question;
      const isFormal = isKontonummer(kontonummer) && isBlz(bankleitzahl);
      return isFormal ? this.#known.ofAccount(kontonummer, Number(bankleitzahl)) : undefined;
    }
    if (verdict === undefined) return undefined;
    const number = normaliseIban(question.iban);
    const template = this.#known.ofIban(verdict, number.length, () => question.iban);
    return template === 0 ? undefined : { template, number };
  }

  #fromTemplate(question: NumberQuestion, { template, number }: KnownAnswer, note: string): NumberAnswer {
    const { templates } = this.#worker;
    const { valid, reason } = templates.outcomeOf(template);
    const bic = valid ? otherBic(question, () => templates.institutionOf(template)) : undefined;
    if (bic !== undefined) return this.#fromReference(bic, note);
    return {
      text: templates.textOf(template, number, this.#form.noteText(note)),
      valid,
      reason,
    };
  }

  #fromReference(question: NumberQuestion, note: string): NumberAnswer {
    const answer = answerLine(this.#worker.directory, question, this.#options);
    const { valid, reason, entry } = answer;
    const bic = valid ? otherBic(question, () => (entry.data["bic"] ?? null) as string | null) : undefined;
    if (bic !== undefined) return this.#fromReference(bic, note);
    return { text: this.#form.textOf(answer, note), valid, reason };
  }
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
