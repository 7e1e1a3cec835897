import type { IbanBatchAnswer, IbanBatchEntry } from "../../client/api-types.ts";
import { copied, type Verdict, verdictOfEntry } from "../../rows/verdict.ts";

/** An entry that was parsed: all of its text but iban, the iban of its data and kontonummer, and its verdict. */
interface KnownEntry {
  readonly beforeData: string;
  readonly beforeNumber: string;
  readonly end: string;
  readonly verdict: Verdict;
}

/** How many entries are remembered at some 900 bytes each; there are about as many banks with different verdicts. */
const maxKnown = 16_384;

const firstEntry = '[{"iban":"';
const betweenEntries = '},{"iban":"';
const ibanOfData = '{"iban":';
const kontonummer = 'kto":"';
const betweenNumbers = '","blz":"';
/** More than it is of a shorter bank code does no harm: the key only has to distinguish most entries. */
const bankCodeLength = 8;
const quote = '"';

/**
 * Reads the verdicts from answers to batches, several times as fast as their JSON is parsed.
 *
 * Entries of one bank differ only in iban and kontonummer, which no verdict contains. So each kind of entry is
 * parsed once and remembered; an entry whose other text is the same shares the verdict. Anything not written as the
 * service writes it is parsed as any JSON, with the same outcome.
 */
export class BatchVerdicts {
  /** By a digest of country and bank code, which distinguishes most of them. */
  readonly #known = new Map<number, KnownEntry[]>();
  #size = 0;

  /** The verdicts of an answer, in order. Throws where the text is not an answer to a batch. */
  read(text: string): Verdict[] {
    try {
      return this.#readEntries(text);
    } catch {
      return (JSON.parse(text) as IbanBatchAnswer).batch.results.map(verdictOfEntry);
    }
  }

  /** Throws a SyntaxError where the text is not written as the service writes it. */
  #readEntries(text: string): Verdict[] {
    const begin = text.indexOf(firstEntry) + 1;
    const end = text.lastIndexOf("]");
    expectAnswerAround(text, begin, end);
    const verdicts: Verdict[] = [];
    let backslash = placeOf("\\", text, begin);
    for (let from = begin; from < end; ) {
      const next = text.indexOf(betweenEntries, from);
      const to = next < 0 ? end : next + 1;
      if (backslash < from) backslash = placeOf("\\", text, from);
      verdicts.push(backslash < to ? parsed(text, from, to) : this.#verdict(text, from, to));
      from = to + 1;
    }
    return verdicts;
  }

  /** For an entry without escapes. */
  #verdict(text: string, begin: number, end: number): Verdict {
    const iban = begin + firstEntry.length - 1;
    const ibanEnd = placeOf(quote, text, iban);
    const data = placeOf(ibanOfData, text, ibanEnd) + ibanOfData.length;
    const dataEnd = text[data] === quote ? placeOf(quote, text, data + 1) : data;
    const number = placeOf(kontonummer, text, dataEnd) + kontonummer.length;
    const numberEnd = placeOf(quote, text, number);
    if (numberEnd >= end) return parsed(text, begin, end);
    const blz = numberEnd + betweenNumbers.length;
    const key = digest(text, blz, blz + bankCodeLength, digest(text, iban, iban + 2, 0));
    const known = this.#known.get(key);
    if (known !== undefined) {
      for (const entry of known) {
        const isSame =
          isAt(entry.end, text, numberEnd, end) &&
          isAt(entry.beforeNumber, text, dataEnd, number) &&
          isAt(entry.beforeData, text, ibanEnd, data);
        if (isSame) return entry.verdict;
      }
    }
    const entry = copied(text.slice(begin, end));
    const verdict = parsed(entry, 0, entry.length);
    this.#remember(key, {
      beforeData: entry.slice(ibanEnd - begin, data - begin),
      beforeNumber: entry.slice(dataEnd - begin, number - begin),
      end: entry.slice(numberEnd - begin),
      verdict,
    });
    return verdict;
  }

  #remember(key: number, entry: KnownEntry): void {
    if (this.#size === maxKnown) {
      this.#known.clear();
      this.#size = 0;
    }
    this.#size++;
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, [entry]);
    else known.push(entry);
  }
}

/** Throws a SyntaxError unless the text would be an answer to a batch if its entries were left out. */
function expectAnswerAround(text: string, begin: number, end: number): void {
  const { batch } = JSON.parse(text.slice(0, begin) + text.slice(end)) as Partial<IbanBatchAnswer>;
  if (begin === 0 || batch?.results?.length !== 0) throw new SyntaxError("an answer written in another way");
}

function parsed(text: string, begin: number, end: number): Verdict {
  return verdictOfEntry(JSON.parse(text.slice(begin, end)) as IbanBatchEntry);
}

/** Whether a text is what another has from one place to the next. */
function isAt(wanted: string, text: string, begin: number, end: number): boolean {
  return wanted.length === end - begin && text.startsWith(wanted, begin);
}

/** A number of 30 bits for a part of a text. */
function digest(text: string, begin: number, end: number, before: number): number {
  let number = before;
  for (let at = begin; at < end; at++) number = (Math.imul(number, 31) + text.charCodeAt(at)) & 0x3fffffff;
  return number;
}

/** Where a text has what is looked for; beyond everything where it has not. */
function placeOf(wanted: string, text: string, from: number): number {
  const place = text.indexOf(wanted, from);
  return place < 0 ? Number.POSITIVE_INFINITY : place;
}
