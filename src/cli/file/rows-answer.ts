import { endedEarly, incompleteAnswer, otherAnswer } from "../../client/answer-lines.ts";
import type { StreamedBody } from "../../client/sender.ts";
import type { SummaryLine } from "../../contract/api-types.ts";

const [lineFeed, hash] = [0x0a, 0x23];

/** Takes the rows of an answer; those that have come are not asked again where it is cut off. */
export class RowsAnswer implements StreamedBody {
  readonly mediaType = "text/csv";
  #bytes: Buffer = Buffer.alloc(0);
  /** Where what each row adds to its question begins and ends. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #asked: Buffer;
  readonly #ends: readonly number[];
  readonly #delimiter: number;
  #parts: Uint8Array[] = [];
  /** Where the first row begins that has not come. */
  #next = 0;
  /** How many rows had come before this attempt. */
  #before = 0;

  /** @param ends where each row ends in `asked`, with its line break. */
  constructor(asked: Buffer, ends: readonly number[], delimiter: number) {
    this.#asked = asked;
    this.#ends = ends;
    this.#delimiter = delimiter;
  }

  get answered(): number {
    this.#findRows();
    return this.#to.length;
  }

  begin(): Uint8Array {
    this.#before = this.answered;
    this.#bytes = this.#bytes.subarray(0, this.#next);
    return this.#asked.subarray(this.#ends[this.#before - 1] ?? 0);
  }

  take(bytes: Uint8Array): void {
    this.#parts.push(bytes);
  }

  get isComplete(): boolean {
    return this.answered === this.#ends.length;
  }

  /** Finds the rows that have come whole: each begins with its question. */
  #findRows(): void {
    if (this.#parts.length === 0) return;
    const bytes = Buffer.concat([this.#bytes, ...this.#parts]);
    this.#bytes = bytes;
    this.#parts = [];
    for (let row = this.#to.length; row < this.#ends.length; row++) {
      const from = this.#afterQuestion(row);
      const end = from === 0 ? -1 : bytes.indexOf(lineFeed, from);
      if (end < 0) return;
      this.#from.push(from);
      this.#to.push(end);
      this.#next = end + 1;
    }
  }

  /** Where the columns after the next row's question begin; 0 if it is another question, or has not come. */
  #afterQuestion(row: number): number {
    const [bytes, asked] = [this.#bytes, this.#asked];
    const end = this.#ends[row]! - 1;
    let at = this.#next;
    // Most are so short that a loop beats a call into Node.
    for (let place = this.#ends[row - 1] ?? 0; place < end; place++)
      if (bytes[at++] !== asked[place]) return 0;
    return bytes[at] === this.#delimiter ? at + 1 : 0;
  }

  /** Returns what each row adds to its question. Throws a BankcheckError if they are not exactly one for each, in order. */
  rows(): readonly string[] {
    this.#expectWhole();
    const text = this.#bytes.toString("latin1");
    return this.#from.map((from, row) => text.slice(from, this.#to[row]));
  }

  #expectWhole(): void {
    const rows = this.answered;
    const rest = this.#bytes.toString("latin1", this.#next);
    const summary = summaryIn(rest);
    if (summary === undefined || summary.next_line !== undefined) {
      // What is cut off after its last row lacks nothing, and an empty question would be refused.
      if (this.isComplete && /^(?:#|$)/.test(rest)) return;
      const isOther = rows === this.#before && /^[^#\d]/.test(rest);
      throw isOther ? otherAnswer() : endedEarly();
    }
    const { lines, valid, invalid, errors } = summary;
    const isWhole = this.isComplete && rows - this.#before === lines && rest.charCodeAt(0) === hash;
    if (!isWhole || valid + invalid + errors !== lines) throw incompleteAnswer();
  }
}

/** The summary is in the last line. */
function summaryIn(end: string): SummaryLine["summary"] | undefined {
  try {
    const last = end.trimEnd().split("\n").at(-1)!;
    return last.startsWith("# ") ? (JSON.parse(last.slice(2)) as Partial<SummaryLine>).summary : undefined;
  } catch {
    return undefined;
  }
}
