import {
  BLZ_LENGTH,
  createGermanAccount,
  germanIban,
  readBlz,
  readKontonummer,
} from "../../banking/germany/account.ts";
import { generateIban } from "../../banking/germany/iban-rules/generate.ts";
import { checkMethod } from "../../banking/germany/methods.ts";
import type { BankDirectory } from "../../banks/directory/directory.ts";
import { germanRuleBank } from "../../banks/directory/find-bank.ts";
import { type IbanOutcome, ibanOutcomes } from "../../contract/status.ts";
import {
  LEFT_TO_REFERENCE,
  VERDICT_BLANK,
  VERDICT_OUTCOMES,
  VERDICT_UNKNOWN_BANK,
} from "../../kernel/table-layout.ts";
import type { Verdict } from "../../rows/verdict.ts";
import { answerLine, type LineEntry, type LineOptions, type ReadQuestion } from "./line-answer.ts";
import { type Placeholder, placeholderFrom, Template, wholeNumber } from "./template.ts";

const fieldsPerEntry = 3;
const initialEntries = 512;

/** Numbers of answers by the first two fields of a verdict: a hash table in one array, of which a look-up touches one place. */
class VerdictTable {
  /** Bank, finding + 1, number of the answer; a finding of 0 is a free entry. */
  #entries = new Int32Array(initialEntries * fieldsPerEntry);
  #mask = initialEntries - 1;
  #size = 0;

  /** Returns the number of the answer, −1 if there is none. */
  find(finding: number, bank: number): number {
    const entries = this.#entries;
    let entry = this.#hash(finding, bank);
    for (;;) {
      const at = entry * fieldsPerEntry;
      const found = entries[at + 1]!;
      if (found === 0) return -1;
      if (found === finding + 1 && entries[at] === bank) return entries[at + 2]!;
      entry = (entry + 1) & this.#mask;
    }
  }

  /** Adds a verdict that is not in the table. */
  add(finding: number, bank: number, answer: number): void {
    if (2 * ++this.#size > this.#mask) this.#grow();
    this.#put(finding, bank, answer);
  }

  #put(finding: number, bank: number, answer: number): void {
    const entries = this.#entries;
    let entry = this.#hash(finding, bank);
    while (entries[entry * fieldsPerEntry + 1] !== 0) entry = (entry + 1) & this.#mask;
    entries.set([bank, finding + 1, answer], entry * fieldsPerEntry);
  }

  #grow(): void {
    const old = this.#entries;
    this.#entries = new Int32Array(2 * old.length);
    this.#mask = 2 * this.#mask + 1;
    for (let at = 0; at < old.length; at += fieldsPerEntry) {
      if (old[at + 1] !== 0) this.#put(old[at + 1]! - 1, old[at]!, old[at + 2]!);
    }
  }

  #hash(finding: number, bank: number): number {
    const mixed = Math.imul(bank ^ Math.imul(finding, 0x85ebca6b), 0x9e3779b1);
    return (mixed ^ (mixed >>> 15)) & this.#mask;
  }
}

/** Answer shared by all numbers of one bank with the same outcome. */
export interface KnownAnswer {
  readonly valid: boolean;
  /** Why it is not valid; empty if it is. */
  readonly reason: string;
  /** With the bank code of the number it was made from. */
  readonly verdict: Verdict;
  readonly hasOwnBankCode: boolean;
  /** Where the number holds the kontonummer of an account; undefined for an IBAN. */
  readonly kontonummer: Placeholder | undefined;
  /** Where it holds the IBAN that was checked or generated; undefined if there is none. */
  readonly iban: Placeholder | undefined;
  /** Text of the answer, with placeholders for the number. */
  readonly template: Template;
}

/** A known answer and the number that fills its placeholders: an IBAN, a kontonummer, or both where one was generated. */
export interface FoundAnswer {
  readonly kind: "known";
  readonly answer: KnownAnswer;
  readonly number: string;
}

/** Output format of known answers. */
export interface AnswerForm {
  /** The same for forms that write the same. */
  readonly key: string;
  /** Returns what is written of an answer, with marks for the placeholders. */
  markedText(answer: Omit<KnownAnswer, "template">, entry: LineEntry): string;
}

function placeholdersOf(
  kind: ReadQuestion["kind"],
  { data }: LineEntry,
  { error }: Verdict,
): Pick<KnownAnswer, "kontonummer" | "iban"> {
  if (kind === "iban") return { kontonummer: undefined, iban: error === "" ? wholeNumber : undefined };
  return typeof data["iban"] === "string"
    ? { kontonummer: afterGeneratedIban, iban: generatedIban }
    : { kontonummer: wholeNumber, iban: undefined };
}

/** Everything of a generated IBAN, or of why there is none, that an answer says but its numbers. */
function keyOf(generated: ReturnType<typeof generateIban>): string {
  if (!("iban" in generated)) return generated.error;
  const { blz, bic, checkDigit, changes } = generated;
  return `${blz} ${bic} ${checkDigit} ${changes.join()}`;
}

/**
 * How many answers a thread keeps in all forms, at some 2.3 KB each (57 MB). A million sample numbers of 90 countries
 * have 21,891 verdicts; a row whose answer was forgotten takes three times as long.
 */
export const maxKnown = 24_576;
const outcomes = Object.keys(ibanOutcomes) as IbanOutcome[];

interface KnownBank {
  readonly bankleitzahl: string;
  /** Index of its check-digit method, −1 if that is unknown. */
  readonly method: number;
  /** By verdict of the method, or `unknownMethod`; where an IBAN is generated also by all but its number. */
  readonly answers: Map<number | string, KnownAnswer>;
}

const { start: kontonummerStart, length: kontonummerLength } = germanIban.kontonummer;
const generatedIban: Placeholder = { start: 0, end: kontonummerStart + kontonummerLength };
const afterGeneratedIban = placeholderFrom(generatedIban.end);

const unknownMethod = 3;
const account = createGermanAccount();

function verdictOf(method: number, kontonummer: string, bankleitzahl: string): number {
  if (method < 0) return unknownMethod;
  readKontonummer(account, kontonummer);
  readBlz(account, bankleitzahl);
  return checkMethod(method, account);
}

/** By directory, options and form. */
let forms = new WeakMap<BankDirectory, Map<string, KnownAnswers>>();
/** How many forms and answers there are. */
let size = 0;

/**
 * Returns the answers that are known for a directory, options and form, which the streams of a thread share.
 *
 * All forms of a thread together hold at most `maxKnown` answers; then all are forgotten. So ask anew for each block.
 */
export function knownAnswers(directory: BankDirectory, options: LineOptions, form: AnswerForm): KnownAnswers {
  const { suggest, reach, policy: _, ...plain } = options;
  const key = JSON.stringify([plain, reach?.today, suggest !== undefined, form.key]);
  const known = forms.get(directory)?.get(key);
  if (known !== undefined) return known;
  makeRoom();
  const ofDirectory = forms.get(directory) ?? new Map<string, KnownAnswers>();
  forms.set(directory, ofDirectory);
  const added = new KnownAnswers(directory, options, form);
  ofDirectory.set(key, added);
  return added;
}

/** Counts an answer or a form; forgets all others if there are too many. */
function makeRoom(): void {
  if (++size <= maxKnown) return;
  forms = new WeakMap();
  size = 1;
}

/** Answers by what the kernel found of an IBAN, or by bank code and method of an account. */
export class KnownAnswers {
  readonly #directory: BankDirectory;
  readonly #options: LineOptions;
  readonly #form: AnswerForm;
  readonly #observes: boolean;
  readonly #verdicts = new VerdictTable();
  readonly #ibans: KnownAnswer[] = [];
  readonly #banks = new Map<number, KnownBank>();
  /** Answers that are written alike share their template, which then is in the cache. */
  readonly #templates = new Map<string, Template>();
  size = 0;

  constructor(directory: BankDirectory, options: LineOptions, form: AnswerForm) {
    this.#directory = directory;
    this.#options = options;
    this.#form = form;
    this.#observes = options.policy?.observed.includes("DE") === true;
  }

  /** The answer to the IBAN of a verdict of the kernel; undefined if the verdict does not decide it. */
  ofIban(finding: number, bank: number, ibanOf: () => string): KnownAnswer | undefined {
    const known = this.#verdicts.find(finding, bank);
    if (known >= 0) return this.#ibans[known];
    const found = finding & VERDICT_OUTCOMES;
    if (found === LEFT_TO_REFERENCE) return undefined;
    const outcome = found === VERDICT_BLANK ? ibanOutcomes.not_an_iban : ibanOutcomes[outcomes[found]!];
    // What is not valid may be by a lenient reading, and may have suggestions of its own.
    const { lenient, suggest } = this.#options;
    if (outcome === undefined || ((lenient || suggest !== undefined) && outcome.status !== 1))
      return undefined;
    const question = { kind: "iban", iban: ibanOf(), bic: "" } as const;
    const answer = this.#answer(question, (finding & VERDICT_UNKNOWN_BANK) !== 0);
    this.#verdicts.add(finding, bank, this.#ibans.push(answer) - 1);
    return answer;
  }

  /** The answer to an account whose numbers are digits by their form; undefined if bank code, method and rule do not decide it. */
  ofAccount(kontonummer: string, blz: number): FoundAnswer | undefined {
    if (this.#options.suggest !== undefined) return undefined;
    let bank = this.#banks.get(blz);
    if (bank === undefined) {
      const index = this.#directory.findByBlz(blz);
      if (index < 0) return undefined;
      const bankleitzahl = String(blz).padStart(BLZ_LENGTH, "0");
      bank = { bankleitzahl, method: this.#directory.methodIndex(index), answers: new Map() };
      this.#banks.set(blz, bank);
    }
    const { bankleitzahl, method, answers } = bank;
    const verdict = verdictOf(method, kontonummer, bankleitzahl);
    const generated = this.#options.sepa
      ? generateIban(
          bankleitzahl,
          kontonummer,
          (code) => germanRuleBank(this.#directory, code),
          this.#observes,
        )
      : undefined;
    const iban = generated !== undefined && "iban" in generated ? generated.iban : "";
    const key = generated === undefined ? verdict : `${verdict} ${keyOf(generated)}`;
    let known = answers.get(key);
    if (known === undefined) {
      known = this.#answer({ kind: "account", kontonummer, bankleitzahl }, false);
      answers.set(key, known);
    }
    return { kind: "known", answer: known, number: iban + kontonummer };
  }

  #answer(question: ReadQuestion, hasOwnBankCode: boolean): KnownAnswer {
    makeRoom();
    this.size++;
    const { entry, valid, reason, verdict } = answerLine(this.#directory, question, this.#options);
    const placeholders = placeholdersOf(question.kind, entry, verdict);
    const answer = { valid, reason, verdict, hasOwnBankCode, ...placeholders };
    return { ...answer, template: this.#templateOf(this.#form.markedText(answer, entry)) };
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
