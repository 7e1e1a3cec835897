import { isBic, isOfInstitution } from "../../banking/bic.ts";
import { isBlz, isKontonummer } from "../../banking/germany/account.ts";
import { normaliseIban } from "../../banking/iban/normalise.ts";
import { RequestError } from "../../contract/errors.ts";
import { maxStreamLineBytes } from "../../contract/limits.ts";
import {
  VERDICT_BANK,
  VERDICT_BLANK,
  VERDICT_BYTES,
  VERDICT_FINDING,
  VERDICT_OUTCOMES,
} from "../../kernel/table-layout.ts";
import type { Slot } from "../slots.ts";
import type { BlockWorker, KnownAnswer, KnownAnswers } from "./known-answers.ts";
import { answerLine, type LineAnswer, type LineOptions, type ReadQuestion } from "./line-answer.ts";
import type { LineQuestion } from "./stream-line.ts";

/** A number with the template that it fills. */
interface KnownNumber extends KnownAnswer, Pick<LineAnswer, "valid" | "reason"> {
  readonly kind: "known";
}

/** Answer to one number of a row. */
export type NumberAnswer =
  | KnownNumber
  | LineAnswer
  | { readonly kind: "error"; readonly error: RequestError };

/** Numbers that are judged together, and the room for their verdicts with the space that the kernel needs besides. */
const maxJudged = 1_024;
const verdictRoom = (maxJudged + 64) * VERDICT_BYTES + 4_096;
/**
 * Where the kernel works in the room for the answer, after the longest answer and its state: the verdicts on scanned
 * numbers, and those on numbers that were read meanwhile, with their texts.
 */
const scannedVerdicts = 1_536 * 1_024;
const readVerdicts = scannedVerdicts + verdictRoom;
const readTexts = readVerdicts + verdictRoom;
const maxReadBytes = maxStreamLineBytes;
const fieldBytes = Uint32Array.BYTES_PER_ELEMENT;
/** The fields of a verdict. */
const VerdictField = {
  fields: VERDICT_BYTES / fieldBytes,
  finding: VERDICT_FINDING / fieldBytes,
  bank: VERDICT_BANK / fieldBytes,
} as const;

/** Printable ASCII that needs no escape in JSON and no look at its end. */
const plainText = /^[!#-[\]-~]([ !#-[\]-~]*[!#-[\]-~])?$/;

/** Answers the numbers of a block: by the kernel and the known answers to its verdicts, or else by the reference. */
export class NumberAnswers {
  readonly #slot: Slot;
  readonly #worker: BlockWorker;
  readonly #options: LineOptions;
  readonly #known: KnownAnswers;

  constructor(slot: Slot, worker: BlockWorker, options: LineOptions, known: KnownAnswers) {
    this.#slot = slot;
    this.#worker = worker;
    this.#options = options;
    this.#known = known;
  }

  /** Judges the lines at a place in the slot's input; returns the offset of their verdicts in the memory. */
  judge(offset: number, length: number): number {
    return this.#judge(this.#slot.inputOffset + offset, length, scannedVerdicts).byteOffset;
  }

  #judge(input: number, inputLength: number, offset: number): Uint32Array {
    const { outputOffset, output: bytes } = this.#slot;
    const output = outputOffset + offset;
    const place = { input, inputLength, output, outputRoom: verdictRoom };
    const count = inputLength <= 0 ? 0 : this.#worker.kernel.judge(place, this.#options);
    return new Uint32Array(bytes.buffer, output, count * VerdictField.fields);
  }

  /** By question: the known answer, for IBANs that the kernel understands. */
  knownOf(questions: readonly LineQuestion[]): (NumberAnswer | undefined)[] {
    const answers: (NumberAnswer | undefined)[] = [];
    if (this.#options.explain) return answers;
    for (let first = 0; first < questions.length; ) {
      const texts: string[] = [];
      let bytes = 0;
      while (first + texts.length < questions.length && texts.length < maxJudged) {
        const question = questions[first + texts.length]!;
        const isPlain = question.kind === "iban" && question.bic === "" && plainText.test(question.iban);
        const text = isPlain ? question.iban : "";
        if (bytes + text.length >= maxReadBytes) break;
        texts.push(text);
        bytes += text.length + 1;
      }
      const { output, outputOffset } = this.#slot;
      output.write(texts.join("\n"), readTexts, "latin1");
      const verdicts = this.#judge(outputOffset + readTexts, bytes - 1, readVerdicts);
      for (const [place, text] of texts.entries()) {
        const at = place * VerdictField.fields;
        const finding = verdicts[at + VerdictField.finding]!;
        if (text === "" || (finding & VERDICT_OUTCOMES) >= VERDICT_BLANK) continue;
        const number = normaliseIban(text);
        const bank = verdicts[at + VerdictField.bank]!;
        const template = this.#known.ofIban(finding, bank, number.length, () => text);
        if (template !== 0) answers[first + place] = this.#knownNumber({ template, number });
      }
      first += texts.length;
    }
    return answers;
  }

  /** Answers a question, for which `knownOf` may have found the answer. */
  answer(question: LineQuestion, known: NumberAnswer | undefined): NumberAnswer {
    if (question.kind === "error") return question;
    try {
      return this.#withBic(question, known ?? this.#knownAccount(question) ?? this.#fromReference(question));
    } catch (error) {
      if (error instanceof RequestError) return { kind: "error", error };
      throw error;
    }
  }

  #knownAccount(question: ReadQuestion): NumberAnswer | undefined {
    if (question.kind !== "account" || this.#options.explain) return undefined;
    const { kontonummer, bankleitzahl } = question;
    if (!isKontonummer(kontonummer) || !isBlz(bankleitzahl)) return undefined;
    const known = this.#known.ofAccount(kontonummer, Number(bankleitzahl));
    return known === undefined ? undefined : this.#knownNumber(known);
  }

  #knownNumber(known: KnownAnswer): KnownNumber {
    const reason = this.#worker.templates.reasonOf(known.template);
    return { kind: "known", ...known, valid: reason === undefined, reason: reason ?? "" };
  }

  #fromReference(question: ReadQuestion): NumberAnswer {
    return answerLine(this.#worker.directory, question, this.#options);
  }

  /** Checks a valid IBAN with its BIC too, unless that names the institution that the bank data names. */
  #withBic(question: ReadQuestion, answer: NumberAnswer): NumberAnswer {
    if (question.kind === "account" || question.bicIfValid === undefined || answer.kind === "error")
      return answer;
    const bic =
      answer.kind === "known"
        ? this.#worker.templates.institutionOf(answer.template)
        : ((answer.entry.data["bic"] ?? null) as string | null);
    if (!answer.valid || isOfInstitution(question.bicIfValid, bic)) return answer;
    if (!isBic(question.bicIfValid)) throw new RequestError("invalid_bic");
    return this.#fromReference({ kind: "iban", iban: question.iban, bic: question.bicIfValid });
  }
}
