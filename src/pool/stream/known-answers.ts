import { isBlz, isKontonummer } from "../../banking/germany/account.ts";
import { checkByMethod, type MethodVerdict } from "../../banking/germany/methods.ts";
import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import type { BankDirectory } from "../../banks/directory/directory.ts";
import { type IbanOutcome, ibanOutcomes } from "../../contract/status.ts";
import { VERDICT_OUTCOMES, VERDICT_UNKNOWN_BANK } from "../../kernel/layout.ts";
import { encoded } from "../../rows/text.ts";
import type { Verdict } from "../../rows/verdict.ts";
import { answerLine, type LineEntry, type LineOptions, type ReadQuestion, reasonOf } from "./line-answer.ts";

/** What numbers have in common that differ in nothing but themselves: those of one bank with one outcome. */
export interface KnownAnswer {
  readonly valid: boolean;
  /** Why it is not valid; empty where it is. */
  readonly reason: string;
  readonly json: JsonTemplate;
  /** With the bank code of the number it was made from. */
  readonly verdict: Verdict;
  readonly hasOwnBankCode: boolean;
  readonly isAccount: boolean;
}

/** Which numbers all have their answer from the reference, one by one. */
export function isForReference({ explain, lenient }: LineOptions): boolean {
  return explain || lenient;
}

/** How many answers are kept at some 2 KB each; there are about as many banks with different outcomes. */
const maxKnown = 8_192;
const outcomes = Object.keys(ibanOutcomes) as IbanOutcome[];

interface KnownBank {
  readonly method: string | null;
  readonly answers: Map<MethodVerdict, KnownAnswer>;
}

/** By options; a directory never changes. */
const caches = new WeakMap<BankDirectory, Map<string, KnownAnswers>>();

/** Returns the answers that are known for a directory, options and fields, which the streams of a thread share. */
export function knownAnswers(
  directory: BankDirectory,
  options: LineOptions,
  fields: readonly string[] | undefined,
): KnownAnswers {
  let known = caches.get(directory);
  if (known === undefined) {
    known = new Map();
    caches.set(directory, known);
  }
  const { language, reason, sepa, reach, suggest } = options;
  const key = [language, reason, sepa, reach?.today, suggest !== undefined, fields].join();
  let answers = known.get(key);
  if (answers === undefined) {
    let size = 0;
    for (const { size: others } of known.values()) size += others;
    if (size >= maxKnown) known.clear();
    answers = new KnownAnswers(directory, options, fields);
    known.set(key, answers);
  }
  return answers;
}

/** Answers by what the kernel found of an IBAN, or by bank code and method of an account. */
export class KnownAnswers {
  readonly #directory: BankDirectory;
  readonly #options: LineOptions;
  readonly #fields: readonly string[] | undefined;
  readonly #ibans = new Map<number, KnownAnswer>();
  readonly #banks = new Map<string, KnownBank>();
  size = 0;

  constructor(directory: BankDirectory, options: LineOptions, fields: readonly string[] | undefined) {
    this.#directory = directory;
    this.#options = options;
    this.#fields = fields;
  }

  /** The answer to the IBAN of a verdict of the kernel; undefined where that does not decide it. */
  ofIban(finding: number, bank: number, textOf: () => string): KnownAnswer | undefined {
    const key = bank * 65_536 + finding;
    const known = this.#ibans.get(key);
    if (known !== undefined) return known;
    const outcome = ibanOutcomes[outcomes[finding & VERDICT_OUTCOMES]!];
    if (outcome === undefined || (this.#options.suggest !== undefined && outcome.status !== 1))
      return undefined;
    const question = { kind: "iban", iban: textOf(), bic: "" } as const;
    const answer = this.#answer(question, (finding & VERDICT_UNKNOWN_BANK) !== 0);
    this.#ibans.set(key, answer);
    return answer;
  }

  /** The answer to an account; undefined where bank code and method do not decide it. */
  ofAccount(question: ReadQuestion & { readonly kind: "account" }): KnownAnswer | undefined {
    const { kontonummer, bankleitzahl } = question;
    if (this.#options.sepa || this.#options.suggest !== undefined) return undefined;
    if (!isKontonummer(kontonummer)) return undefined;
    let bank = this.#banks.get(bankleitzahl);
    if (bank === undefined) {
      const index = isBlz(bankleitzahl) ? this.#directory.findByBlz(Number(bankleitzahl)) : -1;
      if (index < 0) return undefined;
      bank = { method: this.#directory.record(index).method, answers: new Map() };
      this.#banks.set(bankleitzahl, bank);
    }
    const verdict =
      bank.method === null ? "unknown_method" : checkByMethod(bank.method, kontonummer, bankleitzahl);
    let answer = bank.answers.get(verdict);
    if (answer === undefined) {
      answer = this.#answer(question, false);
      bank.answers.set(verdict, answer);
    }
    return answer;
  }

  #answer(question: ReadQuestion, hasOwnBankCode: boolean): KnownAnswer {
    if (++this.size > maxKnown) {
      this.#ibans.clear();
      this.#banks.clear();
      this.size = 1;
    }
    const { entry, verdict } = answerLine(this.#directory, question, this.#options);
    return {
      valid: entry.valid,
      reason: entry.valid ? "" : reasonOf(this.#directory, question, this.#options),
      json: new JsonTemplate(entry, this.#fields, this.#directory.edition.german, hasOwnBankCode),
      verdict,
      hasOwnBankCode,
      isAccount: question.kind === "account",
    };
  }
}

/** What stands for a number in a template; JSON escapes the first character. */
const marks = { iban: "\u0001i", kto: "\u0001k", blz: "\u0001b" } as const;
const mark = /\\u0001([ikb])/;

/** The fields of an answered line behind its head, as JSON with gaps for the number itself. */
export class JsonTemplate {
  readonly #parts: readonly string[];
  /** By gap: what goes there. */
  readonly #gaps: readonly string[];
  readonly #isAccount: boolean;

  constructor(
    entry: LineEntry,
    fields: readonly string[] | undefined,
    edition: string | null,
    hasOwnBankCode: boolean,
  ) {
    const { iban, data } = entry;
    this.#isAccount = iban === undefined;
    const isOwn = this.#isAccount || (iban!.startsWith("DE") && data["kto"] === iban!.slice(12));
    const own: Record<string, unknown> = {
      ...data,
      ...(data["iban"] === iban && iban !== undefined ? { iban: marks.iban } : {}),
      ...(isOwn && data["kto"] !== "" ? { kto: marks.kto } : {}),
      ...(hasOwnBankCode ? { blz: marks.blz } : {}),
    };
    const marked = { ...entry, ...(iban === undefined ? {} : { iban: marks.iban }), data: own };
    const pieces = encoded(fieldsText(marked, fields, edition)).split(mark);
    this.#parts = pieces.filter((_, index) => index % 2 === 0);
    this.#gaps = pieces.filter((_, index) => index % 2 === 1);
  }

  /** Whether it has no gap, so that the number need not be known. */
  get isWhole(): boolean {
    return this.#gaps.length === 0;
  }

  /** The text of a number: an IBAN in normal form, or a kontonummer. */
  textFor(number: string): string {
    const [first = ""] = this.#parts;
    let text = first;
    for (let gap = 0; gap < this.#gaps.length; gap++) text += this.#fill(gap, number) + this.#parts[gap + 1]!;
    return text;
  }

  #fill(gap: number, number: string): string {
    const name = this.#gaps[gap];
    if (name === "i" || this.#isAccount) return number;
    return name === "k" ? number.slice(12) : bankCodeOf(number);
  }
}

/** The bank code in an IBAN whose bank is looked for. */
export function bankCodeOf(iban: string): string {
  const bank = ibanCountryByCode(iban.slice(0, 2))?.bank;
  return bank === null || bank === undefined ? "" : iban.slice(4 + bank.start, 4 + bank.start + bank.length);
}

/** The fields of an answered line as JSON, each behind a comma. */
export function fieldsText(
  entry: LineEntry,
  fields: readonly string[] | undefined,
  edition: string | null,
): string {
  if (fields === undefined) return `,${JSON.stringify(entry).slice(1, -1)}`;
  const all: Readonly<Record<string, unknown>> = { ...entry.data, ...entry, edition };
  return fields
    .map((name) => (all[name] === undefined ? "" : `,${JSON.stringify(name)}:${JSON.stringify(all[name])}`))
    .join("");
}
