import { endedEarly, incompleteAnswer, otherAnswer } from "../../client/answer-lines.ts";
import type { StreamedBody } from "../../client/sender.ts";
import type { SummaryLine } from "../../contract/api-types.ts";

/** Takes the rows of an answer; those that have come are not asked again where it is cut off. */
export class RowsAnswer implements StreamedBody {
  readonly mediaType = "text/csv";
  readonly #asked: string;
  readonly #ends: readonly number[];
  readonly #delimiter: string;
  /** What each row that has come adds to its question. */
  readonly #rows: string[] = [];
  /** What has come after them. */
  #rest = "";
  /** How many rows had come before this attempt. */
  #before = 0;

  /** @param ends where each row ends in `asked`, with its line break; both have one character for each byte. */
  constructor(asked: string, ends: readonly number[], delimiter: string) {
    this.#asked = asked;
    this.#ends = ends;
    this.#delimiter = delimiter;
  }

  get answered(): number {
    return this.#rows.length;
  }

  begin(): Uint8Array {
    this.#before = this.answered;
    this.#rest = "";
    return Buffer.from(this.#asked.slice(this.#ends[this.answered - 1] ?? 0), "latin1");
  }

  /** Finds the rows that have come whole: each begins with its question. */
  take({ buffer, byteOffset, length }: Uint8Array): void {
    const text = this.#rest + Buffer.from(buffer, byteOffset, length).toString("latin1");
    let at = 0;
    for (let row = this.answered; row < this.#ends.length; row++) {
      const question = this.#asked.slice(this.#ends[row - 1] ?? 0, this.#ends[row]! - 1) + this.#delimiter;
      const end = text.startsWith(question, at) ? text.indexOf("\n", at) : -1;
      if (end < 0) break;
      this.#rows.push(text.slice(at + question.length, end));
      at = end + 1;
    }
    this.#rest = text.slice(at);
  }

  get isComplete(): boolean {
    return this.answered === this.#ends.length;
  }

  /** Returns what each row adds to its question. Throws a BankcheckError if they are not exactly one for each, in order. */
  rows(): readonly string[] {
    const rest = this.#rest;
    const summary = summaryIn(rest);
    if (summary === undefined || summary.next_line !== undefined) {
      // What is cut off after its last row lacks nothing, and an empty question would be refused.
      if (this.isComplete && /^(?:#|$)/.test(rest)) return this.#rows;
      const isOther = this.answered === this.#before && /^[^#\d]/.test(rest);
      throw isOther ? otherAnswer() : endedEarly();
    }
    const { lines, valid, invalid, errors } = summary;
    const isWhole = this.isComplete && this.answered - this.#before === lines && rest.startsWith("#");
    if (isWhole && valid + invalid + errors === lines) return this.#rows;
    throw incompleteAnswer();
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
