import type { IbanBatchAnswer, IbanBatchEntry } from "../../client/api-types.ts";
import { type Verdict, verdictOfEntry } from "../../rows/verdict.ts";

/** How many entries are remembered at some 900 bytes each; there are about as many banks with different verdicts. */
const maxKnown = 16_384;

/** Fields in which the entries of one bank differ, and which no verdict contains. */
const numbers = /("(?:iban|kto)":)"[^"\\]*"/g;

/**
 * Reads the verdicts from answers to batches, at the cost of parsing their JSON and in far less memory.
 *
 * Entries that differ in their numbers alone share one verdict, and only the first of them is parsed. An answer that is
 * not written as the service writes it is parsed as any JSON, with the same outcome.
 */
export class BatchVerdicts {
  /** By the text of an entry without its numbers. */
  readonly #known = new Map<string, Verdict>();

  /** The verdicts of an answer, in order. Throws where the text is not an answer to a batch. */
  read(text: string): Verdict[] {
    const begin = text.indexOf('[{"iban":"') + 1;
    const end = text.lastIndexOf("}]") + 1;
    try {
      expectAnswerAround(text, begin, end);
      const entries = text.slice(begin + 1, end - 1).split("},{");
      return entries.map((entry) => this.#verdict(entry));
    } catch {
      return (JSON.parse(text) as IbanBatchAnswer).batch.results.map(verdictOfEntry);
    }
  }

  /** Throws a SyntaxError unless the text is that of an entry without its braces. */
  #verdict(entry: string): Verdict {
    const kind = entry.replace(numbers, '$1""');
    const known = this.#known.get(kind);
    if (known !== undefined) return known;
    const verdict = verdictOfEntry(JSON.parse(`{${entry}}`) as IbanBatchEntry);
    if (this.#known.size === maxKnown) this.#known.clear();
    this.#known.set(kind, verdict);
    return verdict;
  }
}

/** Throws a SyntaxError unless the text would be an answer to a batch if its entries were left out. */
function expectAnswerAround(text: string, begin: number, end: number): void {
  const { batch } = JSON.parse(text.slice(0, begin) + text.slice(end)) as Partial<IbanBatchAnswer>;
  if (begin === 0 || batch?.results?.length !== 0) throw new SyntaxError("an answer written in another way");
}
