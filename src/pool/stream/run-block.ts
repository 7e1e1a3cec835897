import { isFormalIban, normaliseIban, readLeniently } from "../../banking/iban/normalise.ts";
import type { BankDirectory } from "../../banks/directory/directory.ts";
import { checkAccount } from "../../checks/account-check.ts";
import type { AnswerOptions } from "../../checks/answer.ts";
import { checkIban } from "../../checks/iban-check.ts";
import { errorBody, RequestError } from "../../contract/errors.ts";
import { maxStreamLineBytes } from "../../contract/limits.ts";
import { message } from "../../contract/message.ts";
import { accountOutcomes, ibanOutcomes } from "../../contract/status.ts";
import { type Kernel, notUnderstood } from "../../kernel/kernel.ts";
import { SlotField } from "../slot-layout.ts";
import type { Slot } from "../slot-memory.ts";
import { type LineEntry, lineEntry } from "./line-answer.ts";
import { type LineQuestion, readLine, type StreamLine } from "./stream-line.ts";
import {
  BlockEnd,
  decodeStreamBlock,
  encodeStreamAnswer,
  kernelInput,
  type StreamState,
} from "./stream-task.ts";

/** What blocks are answered with. */
export interface BlockWorker {
  readonly directory: BankDirectory;
  readonly kernel: Kernel;
}

/** How lines are answered. */
export interface LineOptions extends AnswerOptions {
  /** Generate the IBAN of each account. */
  readonly sepa: boolean;
}

/** A block ends after so many lines or bytes of answer, so that single checks do not wait long behind it. */
const maxBlockLines = 1_024;
const maxAnswerBytes = 192 * 1_024;
/** Lines that go through the kernel together, and how many bytes of IBANs at most. */
const groupLines = 256;
const maxGroupBytes = kernelInput.length - 4_096;
/** Where in the room for the answer the kernel writes: behind the longest answer, its last line included. */
const kernelOutputOffset = 512 * 1_024;

/** Printable ASCII that needs no escape in JSON. */
const plainText = /^[ !#-[\]-~]*$/;
const blank = /^[\t\r ]*$/;

interface ReadLine extends StreamLine {
  readonly number: number;
  /** Where the next line begins. */
  readonly next: number;
}

/**
 * Answers the whole lines of a block, as many as one turn allows, and returns the answer's length. The slot says how
 * far it came, and how many lines are answered.
 *
 * A line that is longer than a block ends the stream with an error.
 */
export function runBlock(slot: Slot, worker: BlockWorker, options: LineOptions): number {
  const { text, state, end } = decodeStreamBlock(slot);
  const block = new BlockAnswer(state, worker.directory, options);
  const isBody = end === BlockEnd.more || end === BlockEnd.body;
  let at = 0;
  while (isBody && block.hasRoom) {
    const group = readGroup(text, at, state, end === BlockEnd.body);
    if (group.next === at) break;
    const answers = kernelAnswers(slot, worker.kernel, group.lines, options);
    at = block.add(group.lines, answers) ?? group.next;
    state.line = at === group.next ? group.nextLine : state.line;
  }
  const isWhole = at === text.length;
  const isTooLong = at === 0 && !isWhole && text.length === maxStreamLineBytes && block.hasRoom;
  if (isTooLong) {
    const detail = { message: message("stream_line_length", { max: maxStreamLineBytes }) };
    block.refuse(state.line++, "", new RequestError("payload_too_large", detail));
  }
  if (end === BlockEnd.idle) {
    const detail = { message: message("stream_idle") };
    block.refuse(undefined, "", new RequestError("internal_error", detail));
  }
  const isFinished = isTooLong || !isBody || (end === BlockEnd.body && isWhole);
  if (isFinished) block.finish(end === BlockEnd.body && isWhole);
  slot.set(SlotField.count, block.answered);
  return encodeStreamAnswer(slot, block.text, state, { consumed: at, isFinished });
}

/** Reads up to `groupLines` lines from a place on. */
function readGroup(text: string, begin: number, state: StreamState, isLast: boolean) {
  const lines: ReadLine[] = [];
  let next = begin;
  let number = state.line;
  while (lines.length < groupLines && next < text.length) {
    const found = text.indexOf("\n", next);
    if (found < 0 && !isLast) break;
    const end = found < 0 ? text.length : found;
    const line = text.slice(number === 1 && text.startsWith(byteOrderMark) ? 3 : next, end);
    next = found < 0 ? end : end + 1;
    if (!blank.test(line)) lines.push({ ...readLine(withoutReturn(line), state.input), number, next });
    number++;
  }
  return { lines, next, nextLine: number };
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** UTF-8's byte order mark, as characters that stand for bytes. */
const byteOrderMark = "\u00ef\u00bb\u00bf";

function isPlain(question: LineQuestion): question is LineQuestion & { kind: "iban" } {
  return question.kind === "iban" && question.bic === "" && plainText.test(question.iban);
}

/** The kernel's entries for those lines that it understands, by place; undefined where the reference has to answer. */
function kernelAnswers(
  slot: Slot,
  kernel: Kernel,
  lines: readonly ReadLine[],
  options: LineOptions,
): (string | undefined)[] {
  if (options.explain || options.lenient || options.suggest !== undefined) return [];
  const places: number[] = [];
  const texts: string[] = [];
  let bytes = 0;
  for (const [place, { question }] of lines.entries()) {
    if (!isPlain(question)) continue;
    bytes += question.iban.length + 3;
    if (bytes > maxGroupBytes) break;
    places.push(place);
    texts.push(question.iban);
  }
  if (texts.length === 0) return [];
  const length = slot.input.write(`{"ibans":["${texts.join('","')}"]}`, kernelInput.offset, "latin1");
  const output = kernelOutputOffset;
  const place = {
    input: slot.inputOffset + kernelInput.offset,
    inputLength: length,
    output: slot.outputOffset + output,
    outputRoom: slot.output.length - output,
  };
  const written = kernel.writeBatch(place, options);
  if (written === notUnderstood) return [];
  const entries = entriesOf(slot.output.toString("latin1", output, output + written));
  const answers: (string | undefined)[] = [];
  for (const [index, place] of places.entries()) answers[place] = entries[index];
  return answers;
}

const beforeEntries = '"results":[';
const betweenEntries = '},{"iban":"';

/** Cuts the entries out of the kernel's answer; within strings quotes are escaped, so none looks like a boundary. */
function entriesOf(answer: string): string[] {
  const entries: string[] = [];
  const end = answer.length - "]}}".length;
  let from = answer.indexOf(beforeEntries) + beforeEntries.length;
  while (from < end) {
    const found = answer.indexOf(betweenEntries, from);
    const to = found < 0 ? end : found + 1;
    entries.push(answer.slice(from, to));
    from = to + 1;
  }
  return entries;
}

const beforeStatus = '"status":';
const validEntry = '"valid":true';
/** What an answer without `data` takes from the kernel's entry without parsing it. */
const cheapFields: ReadonlySet<string> = new Set(["valid", "status"]);

/** The answer to a block as it grows, with one character for each byte. */
class BlockAnswer {
  text = "";
  /** Lines answered. */
  answered = 0;
  readonly #state: StreamState;
  readonly #directory: BankDirectory;
  readonly #options: LineOptions;
  readonly #isCheap: boolean;

  constructor(state: StreamState, directory: BankDirectory, options: LineOptions) {
    this.#state = state;
    this.#directory = directory;
    this.#options = options;
    this.#isCheap = state.fields?.every((field) => cheapFields.has(field)) === true;
  }

  get hasRoom(): boolean {
    return this.answered < maxBlockLines && this.text.length < maxAnswerBytes;
  }

  /** Answers lines; returns where the first begins for which there is no room, undefined where there is for all. */
  add(lines: readonly ReadLine[], answers: readonly (string | undefined)[]): number | undefined {
    for (const [place, line] of lines.entries()) {
      if (this.text.length >= maxAnswerBytes) {
        const before = lines[place - 1];
        if (before !== undefined) {
          this.#state.line = before.number + 1;
          return before.next;
        }
      }
      this.#addLine(line, answers[place]);
    }
    return undefined;
  }

  /** Answers with an error: a line, or where none is to blame the stream. */
  refuse(line: number | undefined, id: string, { code, detail }: RequestError): void {
    const { language } = this.#options;
    const { error } = errorBody(code, detail, { language, explain: false });
    const begin = line === undefined ? "{" : `${headOf(line, id)},`;
    this.text += `${begin}"error":${bytesOf(JSON.stringify(error))}}\n`;
    if (line === undefined) return;
    this.answered++;
    this.#state.summary.lines++;
    this.#state.summary.errors++;
  }

  /** Ends the stream; one that has not come to the end of its body says from which line to go on. */
  finish(isComplete: boolean): void {
    const { summary, line } = this.#state;
    const told = isComplete ? summary : { ...summary, next_line: line };
    this.text += `${JSON.stringify({ summary: told })}\n`;
  }

  #addLine({ question, number, id }: ReadLine, known: string | undefined): void {
    if (question.kind === "error") {
      this.refuse(number, id, question.error);
      return;
    }
    if (known !== undefined) {
      this.#addKnown(known, question, number, id);
      return;
    }
    try {
      const entry = lineEntry(this.#directory, question, this.#options, this.#options.sepa);
      this.#count(entry.valid, question);
      this.#addEntry(entry, bytesOf(JSON.stringify(entry)), number, id);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.refuse(number, id, error);
    }
  }

  #addKnown(entry: string, question: LineQuestion, number: number, id: string): void {
    const status = entry.indexOf(beforeStatus) + beforeStatus.length;
    const valid = entry.startsWith(validEntry, status - beforeStatus.length - validEntry.length - 1);
    this.#count(valid, question);
    if (!this.#isCheap) {
      if (this.#state.fields === undefined) this.text += `${headOf(number, id)},${entry.slice(1)}\n`;
      else
        this.#addEntry(JSON.parse(Buffer.from(entry, "latin1").toString()) as LineEntry, entry, number, id);
      return;
    }
    this.text += headOf(number, id);
    for (const field of this.#state.fields!) {
      this.text += field === "valid" ? `,"valid":${valid}` : `,"status":${entry[status]}`;
    }
    this.text += "}\n";
  }

  #addEntry(entry: LineEntry, whole: string, number: number, id: string): void {
    const { fields } = this.#state;
    if (fields === undefined) {
      this.text += `${headOf(number, id)},${whole.slice(1)}\n`;
      return;
    }
    const { german: edition } = this.#directory.edition;
    const all: Readonly<Record<string, unknown>> = { ...entry.data, ...entry, edition };
    const chosen = fields.flatMap((name) => {
      const value = all[name];
      return value === undefined ? [] : [`,${JSON.stringify(name)}:${bytesOf(JSON.stringify(value))}`];
    });
    this.text += `${headOf(number, id)}${chosen.join("")}}\n`;
  }

  #count(isValid: boolean, question: LineQuestion): void {
    const { summary } = this.#state;
    this.answered++;
    summary.lines++;
    if (isValid) {
      summary.valid++;
      return;
    }
    summary.invalid++;
    const reason = this.#reasonOf(question);
    summary.reasons[reason] = (summary.reasons[reason] ?? 0) + 1;
  }

  /** Why a number is not valid. The entries do not tell, so the check is made once more; most numbers are valid. */
  #reasonOf(question: LineQuestion): string {
    const directory = this.#directory;
    if (question.kind === "account") {
      const { kontonummer, bankleitzahl } = question;
      const { outcome } = checkAccount(directory, kontonummer, bankleitzahl, this.#options.sepa);
      return accountOutcomes[outcome].reason ?? outcome;
    }
    if (question.kind === "error") return question.error.code;
    const iban = this.#options.lenient ? readLeniently(question.iban).iban : normaliseIban(question.iban);
    if (!isFormalIban(iban)) return ibanOutcomes.not_an_iban.reason;
    const bic = question.bic === "" ? undefined : question.bic;
    const { outcome } = checkIban(directory, iban, bic, this.#options.modulus);
    return ibanOutcomes[outcome].reason ?? outcome;
  }
}

/** The beginning of an answer: an object that is not closed yet. */
function headOf(line: number, id: string): string {
  return id === "" ? `{"line":${line}` : `{"line":${line},"id":${bytesOf(id)}`;
}

/** UTF-8 of text, with one character for each byte. */
function bytesOf(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the range of ASCII
  return /^[\u0000-\u007f]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}
