import { isBic, isOfInstitution } from "../../banking/bic.ts";
import {
  BLZ_LENGTH,
  germanAccount,
  germanIban,
  isBlz,
  isKontonummer,
} from "../../banking/germany/account.ts";
import { generateIban } from "../../banking/germany/iban-rules/generate.ts";
import { checkMethod, methodVerdicts } from "../../banking/germany/methods.ts";
import { normaliseIban } from "../../banking/iban/normalise.ts";
import type { BankDirectory } from "../../banks/directory/directory.ts";
import { RequestError } from "../../contract/errors.ts";
import { ibanOutcomes } from "../../contract/status.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { VERDICT_OUTCOMES, VERDICT_UNKNOWN_BANK } from "../../kernel/table-layout.ts";
import { notePlaceholder, placeholder, type Templates } from "../../kernel/templates.ts";
import { markIban, outcomeNames } from "../../kernel/wording.ts";
import { encoded } from "../../rows/encoding.ts";
import type { AnswerForm } from "./answer-forms.ts";
import { answerLine, type LineEntry, type LineOptions } from "./line-answer.ts";
import type { NumberQuestion, ReadNumber } from "./read-row.ts";

/** Data and tools for answering blocks. */
export interface BlockWorker {
  readonly directory: BankDirectory;
  readonly kernel: Kernel;
  readonly templates: Templates;
}

/** What the kernel found of an IBAN, and its bank; as `table-layout.ts` has both. */
export interface IbanVerdict {
  readonly finding: number;
  readonly bank: number;
}

/** The answer to a number of a row that was read. */
export interface NumberAnswer {
  /** As its form has it, with one character for each byte. */
  readonly text: string;
  readonly valid: boolean;
  /** Why the number is not valid; empty if it is, undefined if it could not be checked. */
  readonly reason: string | undefined;
}

/** A template and the number that fills it: an IBAN, a kontonummer, or both where one was generated. */
interface KnownAnswer {
  readonly template: number;
  readonly number: string;
}

/** In place of what was found of an IBAN: the bank is that of an account, or the number of all that its answer says. */
const accountFinding = 1 << 11;
const generatedFinding = accountFinding + 1;

const { start: kontonummerStart, length: kontonummerLength } = germanIban.kontonummer;
const generatedEnd = kontonummerStart + kontonummerLength;
const generatedIban = placeholder(0, generatedEnd);
const afterGeneratedIban = placeholder(generatedEnd);

/** Numbers of all that answers to accounts say but their numbers; as many as there are banks and rules. */
const generatedAnswers = new Map<string, number>();

/** Everything of a generated IBAN, or of why there is none, that an answer says but its numbers. */
function generatedAnswer(blz: number, verdict: number, generated: ReturnType<typeof generateIban>): number {
  const found =
    "iban" in generated
      ? `${generated.blz} ${generated.bic} ${generated.checkDigit} ${generated.changes.join()}`
      : generated.error;
  const key = `${blz} ${verdict} ${found}`;
  const number = generatedAnswers.get(key) ?? generatedAnswers.size;
  generatedAnswers.set(key, number);
  return number;
}

/** Returns an answer with marks for its number and the parts of it. */
function marked(entry: LineEntry, hasOwnBankCode: boolean): LineEntry {
  if (entry.iban !== undefined) return markIban(entry, entry.iban, hasOwnBankCode);
  const { data } = entry;
  const hasIban = typeof data.iban === "string";
  const own = hasIban ? { iban: generatedIban, kto: afterGeneratedIban } : { kto: placeholder() };
  return { ...entry, data: { ...data, ...own } };
}

export type NumberAnswers = ReturnType<typeof numberAnswers>;

/**
 * Returns what answers the numbers of one block in one form: from the templates, by what the kernel found of an IBAN, or by
 * bank code and method of an account; otherwise from the reference. For the next block all templates may be forgotten.
 */
export function numberAnswers(worker: BlockWorker, options: LineOptions, form: AnswerForm) {
  const { directory, kernel, templates } = worker;
  const { suggest, reach, policy, ...plain } = options;
  const key = JSON.stringify([plain, reach?.today, suggest !== undefined, form.key]);
  const formNumber = templates.formOf(directory, key);
  const observes = policy?.observed.includes("DE") === true;

  /** The template for an IBAN of a length and its verdict of the kernel; 0 if the verdict does not decide the answer. */
  function templateOf({ finding, bank }: IbanVerdict, length: number, ibanOf: () => string): number {
    return templates.of(kernel, formNumber, finding, bank, length, () => {
      const { status } = ibanOutcomes[outcomeNames[finding & VERDICT_OUTCOMES]!];
      // What is not valid may be by a lenient reading, and may have suggestions of its own.
      if ((options.lenient || suggest !== undefined) && status !== 1) return undefined;
      return worded({ iban: ibanOf(), bic: "" }, (finding & VERDICT_UNKNOWN_BANK) !== 0);
    });
  }

  /** The answer to an account whose numbers are digits by their form; undefined if bank code, method and rule do not decide it. */
  function ofAccount(kontonummer: string, blz: number): KnownAnswer | undefined {
    const bankleitzahl = String(blz).padStart(BLZ_LENGTH, "0");
    const index = directory.findByCode("DE", bankleitzahl);
    if (index < 0 || suggest !== undefined) return undefined;
    const method = directory.methodIndex(index);
    const account = germanAccount(kontonummer, bankleitzahl);
    const verdict = methodVerdicts.indexOf(method < 0 ? "unknown_method" : checkMethod(method, account));
    let finding = accountFinding;
    let bank = blz * methodVerdicts.length + verdict;
    let number = kontonummer;
    if (options.sepa) {
      const generated = generateIban(bankleitzahl, kontonummer, directory.ruleBank, observes);
      finding = generatedFinding;
      bank = generatedAnswer(blz, verdict, generated);
      if ("iban" in generated) number = generated.iban + kontonummer;
    }
    const template = templates.of(kernel, formNumber, finding, bank, number.length, () =>
      worded({ kontonummer, bankleitzahl }, false),
    );
    return template === 0 ? undefined : { template, number };
  }

  /** What a template is made of. */
  function worded(question: NumberQuestion, hasOwnBankCode: boolean) {
    const { entry, reason } = answerLine(directory, question, options);
    const text = form.textOf(marked(entry, hasOwnBankCode), notePlaceholder);
    return { marked: text, valid: entry.valid, reason, bic: bicOf(entry) };
  }

  function known(question: NumberQuestion, verdict: IbanVerdict | undefined): KnownAnswer | undefined {
    if ("kontonummer" in question) {
      const { kontonummer, bankleitzahl } = question;
      const isFormal = isKontonummer(kontonummer) && isBlz(bankleitzahl);
      return isFormal ? ofAccount(kontonummer, Number(bankleitzahl)) : undefined;
    }
    if (verdict === undefined) return undefined;
    const number = normaliseIban(question.iban);
    const template = templateOf(verdict, number.length, () => question.iban);
    return template === 0 ? undefined : { template, number };
  }

  function fromTemplate(question: NumberQuestion, { template, number }: KnownAnswer, note: string) {
    const { valid, reason } = templates.outcomeOf(template);
    const other = valid ? withOtherBic(question, () => templates.institutionOf(template)) : undefined;
    if (other !== undefined) return fromReference(other, note);
    return { text: templates.textOf(template, number, form.noteText(note)), valid, reason };
  }

  function fromReference(question: NumberQuestion, note: string): NumberAnswer {
    const { entry, reason } = answerLine(directory, question, options);
    const { valid } = entry;
    const other = valid ? withOtherBic(question, () => bicOf(entry)) : undefined;
    if (other !== undefined) return fromReference(other, note);
    return { text: encoded(form.textOf(entry, note)), valid, reason };
  }

  return {
    /** Number of the form among those of the templates. */
    formNumber,
    templateOf,
    ofAccount,
    /** Answers a number of a row that was read; `verdict` is that of the kernel where it was judged. */
    answer: ({ question, note }: ReadNumber, verdict: IbanVerdict | undefined): NumberAnswer => {
      try {
        if (question instanceof RequestError) throw question;
        const found = options.explain ? undefined : known(question, verdict);
        return found === undefined ? fromReference(question, note) : fromTemplate(question, found, note);
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        return { text: encoded(form.refusal(error, note)), valid: false, reason: undefined };
      }
    },
  };
}

function bicOf({ data }: LineEntry): string | null {
  return (data["bic"] ?? null) as string | null;
}

/**
 * The question of a valid IBAN with its BIC; undefined if it has none, or one that names its bank's institution. Throws a
 * RequestError for a text that is not a BIC.
 */
function withOtherBic(question: NumberQuestion, bankBic: () => string | null): NumberQuestion | undefined {
  if ("kontonummer" in question || question.bicIfValid === undefined) return undefined;
  const { iban, bicIfValid: bic } = question;
  if (isOfInstitution(bic, bankBic())) return undefined;
  if (!isBic(bic)) throw new RequestError("invalid_bic");
  return { iban, bic };
}
