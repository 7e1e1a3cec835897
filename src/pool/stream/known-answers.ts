import { BLZ_LENGTH, createGermanAccount, readBlz, readKontonummer } from "../../banking/germany/account.ts";
import { checkMethod } from "../../banking/germany/methods.ts";
import type { BankDirectory } from "../../banks/directory/directory.ts";
import { type IbanOutcome, ibanOutcomes } from "../../contract/status.ts";
import {
  VERDICT_BLANK,
  VERDICT_NOT_UNDERSTOOD,
  VERDICT_OUTCOMES,
  VERDICT_UNKNOWN_BANK,
} from "../../kernel/table-layout.ts";
import type { Verdict } from "../../rows/verdict.ts";
import { answerLine, type LineEntry, type LineOptions, type ReadQuestion, reasonOf } from "./line-answer.ts";
import { Template } from "./template.ts";
import { VerdictTable } from "./verdict-table.ts";

/** What numbers have in common that differ in nothing but themselves: those of one bank with one outcome. */
export interface KnownAnswer {
  readonly valid: boolean;
  /** Why it is not valid; empty where it is. */
  readonly reason: string;
  readonly entry: LineEntry;
  /** With the bank code of the number it was made from. */
  readonly verdict: Verdict;
  readonly hasOwnBankCode: boolean;
  readonly isAccount: boolean;
  /** What an answer has of it, with gaps for the number. */
  readonly template: Template;
}

/** How known answers are written. */
export interface AnswerForm {
  /** The same for forms that write the same. */
  readonly key: string;
  /** Returns what is written of an answer, with marks for the gaps. */
  markedText(answer: Omit<KnownAnswer, "template">): string;
}

/** Which numbers all have their answer from the reference, one by one. */
export function isForReference({ explain, lenient }: LineOptions): boolean {
  return explain || lenient;
}

/** How many answers are kept at some 2 KB each; there are about as many banks with different outcomes. */
const maxKnown = 8_192;
const outcomes = Object.keys(ibanOutcomes) as IbanOutcome[];

interface KnownBank {
  readonly bankleitzahl: string;
  /** Index of its check-digit method, −1 where that is unknown. */
  readonly method: number;
  /** By verdict of the method, or `unknownMethod`. */
  readonly answers: KnownAnswer[];
}

const unknownMethod = 3;
const account = createGermanAccount();

function verdictOf(method: number, kontonummer: string, bankleitzahl: string): number {
  if (method < 0) return unknownMethod;
  readKontonummer(account, kontonummer);
  readBlz(account, bankleitzahl);
  return checkMethod(method, account);
}

/** By options and form; a directory never changes. */
const caches = new WeakMap<BankDirectory, Map<string, KnownAnswers>>();

/** Returns the answers that are known for a directory, options and form, which the streams of a thread share. */
export function knownAnswers(directory: BankDirectory, options: LineOptions, form: AnswerForm): KnownAnswers {
  let known = caches.get(directory);
  if (known === undefined) {
    known = new Map();
    caches.set(directory, known);
  }
  const { language, reason, sepa, reach, suggest } = options;
  const key = [language, reason, sepa, reach?.today, suggest !== undefined, form.key].join();
  let answers = known.get(key);
  if (answers === undefined) {
    let size = 0;
    for (const { size: others } of known.values()) size += others;
    if (size >= maxKnown) known.clear();
    answers = new KnownAnswers(directory, options, form);
    known.set(key, answers);
  }
  return answers;
}

/** Answers by what the kernel found of an IBAN, or by bank code and method of an account. */
export class KnownAnswers {
  readonly #directory: BankDirectory;
  readonly #options: LineOptions;
  readonly #form: AnswerForm;
  #verdicts = new VerdictTable();
  readonly #ibans: KnownAnswer[] = [];
  readonly #banks = new Map<number, KnownBank>();
  /** Answers that are written alike share their template, which then is in the cache. */
  readonly #templates = new Map<string, Template>();
  size = 0;

  constructor(directory: BankDirectory, options: LineOptions, form: AnswerForm) {
    this.#directory = directory;
    this.#options = options;
    this.#form = form;
  }

  /** The answer to the IBAN of a verdict of the kernel; undefined where the verdict does not decide it. */
  ofIban(finding: number, bank: number, ibanOf: () => string): KnownAnswer | undefined {
    const known = this.#verdicts.find(finding, bank);
    if (known >= 0) return this.#ibans[known];
    const found = finding & VERDICT_OUTCOMES;
    if (found === VERDICT_NOT_UNDERSTOOD) return undefined;
    const outcome = found === VERDICT_BLANK ? ibanOutcomes.not_an_iban : ibanOutcomes[outcomes[found]!];
    if (outcome === undefined || (this.#options.suggest !== undefined && outcome.status !== 1))
      return undefined;
    const question = { kind: "iban", iban: ibanOf(), bic: "" } as const;
    const answer = this.#answer(question, (finding & VERDICT_UNKNOWN_BANK) !== 0);
    this.#verdicts.add(finding, bank, this.#ibans.push(answer) - 1);
    return answer;
  }

  /** The answer to an account whose numbers are digits by their form; undefined where bank code and method do not decide it. */
  ofAccount(kontonummer: string, blz: number): KnownAnswer | undefined {
    if (this.#options.sepa || this.#options.suggest !== undefined) return undefined;
    let bank = this.#banks.get(blz);
    if (bank === undefined) {
      const index = this.#directory.findByBlz(blz);
      if (index < 0) return undefined;
      const bankleitzahl = String(blz).padStart(BLZ_LENGTH, "0");
      bank = { bankleitzahl, method: this.#directory.methodIndex(index), answers: [] };
      this.#banks.set(blz, bank);
    }
    const { bankleitzahl, method, answers } = bank;
    const verdict = verdictOf(method, kontonummer, bankleitzahl);
    const known = answers[verdict];
    if (known !== undefined) return known;
    const answer = this.#answer({ kind: "account", kontonummer, bankleitzahl }, false);
    answers[verdict] = answer;
    return answer;
  }

  #answer(question: ReadQuestion, hasOwnBankCode: boolean): KnownAnswer {
    if (++this.size > maxKnown) {
      this.#verdicts = new VerdictTable();
      this.#ibans.length = 0;
      this.#banks.clear();
      this.#templates.clear();
      this.size = 1;
    }
    const { entry, verdict } = answerLine(this.#directory, question, this.#options);
    const reason = entry.valid ? "" : reasonOf(this.#directory, question, this.#options);
    const isAccount = question.kind === "account";
    const answer = { valid: entry.valid, reason, entry, verdict, hasOwnBankCode, isAccount };
    return { ...answer, template: this.#templateOf(this.#form.markedText(answer)) };
  }

  #templateOf(marked: string): Template {
    let template = this.#templates.get(marked);
    if (template === undefined) {
      template = new Template(marked);
      this.#templates.set(marked, template);
    }
    return template;
  }
}
