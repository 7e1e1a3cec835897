import { encoded } from "../../rows/encoding.ts";

/** Part of the number that fills a placeholder of a template: the characters from `start` to `end`. */
export interface Placeholder {
  readonly start: number;
  readonly end: number;
}

/** The placeholder for a number from a character on; no number is longer. */
export function placeholderFrom(start: number): Placeholder {
  return { start, end: 9_999 };
}

/** The placeholder for all of a number. */
export const wholeNumber = placeholderFrom(0);

/** Marks a placeholder in a text: neither JSON nor CSV escapes it, and no text of an answer contains it. */
const mark = "\ue000";
const markedPlaceholder = new RegExp(`${encoded(mark)}(\\d+)x(\\d+)${encoded(mark)}`);

/** Returns the mark of a placeholder. */
export function placeholderMark({ start, end }: Placeholder): string {
  return `${mark}${start}x${end}${mark}`;
}

/** Images share buffers of this size: a buffer for each would take 0.9 KB more of memory, measured with its placeholders. */
const poolBytes = 65_536;
let pool = Buffer.alloc(0);

function pooled(text: string): Uint8Array {
  if (text.length > pool.length) pool = Buffer.allocUnsafeSlow(Math.max(poolBytes, text.length));
  const bytes = pool.subarray(0, pool.write(text, "latin1"));
  pool = pool.subarray(bytes.length);
  return bytes;
}

/** Below this length a loop copies bytes faster than a call does. */
const minCopiedLength = 48;

/** The text of numbers of one length, with zeros in the placeholders. */
interface Image {
  readonly bytes: Uint8Array;
  /** Three numbers for each placeholder: where it is in the text, where what fills it begins in a number, and its length. */
  readonly placeholders: readonly number[];
}

/** Text with placeholders for parts of a number, with one character for each byte. */
export class Template {
  readonly #first: string;
  /** Each placeholder with the text after it. */
  readonly #placeholders: readonly (Placeholder & { readonly text: string })[];
  /** By length of the number. */
  readonly #images: Image[] = [];

  /** @param marked text with marks for the placeholders, with one character for each byte. */
  constructor(marked: string) {
    const [first = "", ...parts] = marked.split(markedPlaceholder);
    this.#first = first;
    this.#placeholders = Array.from({ length: parts.length / 3 }, (_, placeholder) => {
      const [start, end, text = ""] = parts.slice(3 * placeholder, 3 * placeholder + 3);
      return { start: Number(start), end: Number(end), text };
    });
  }

  /** Returns the text of a number. */
  textFor(number: string): string {
    let filled = this.#first;
    for (const { start, end, text } of this.#placeholders) filled += number.slice(start, end) + text;
    return filled;
  }

  /** Writes the text of the number whose bytes are at `from` to `to` of `source`; returns where it ends. */
  write(target: Uint8Array, at: number, source: Uint8Array, from: number, to: number): number {
    const { bytes, placeholders } = this.#images[to - from] ?? this.#imageOf(to - from);
    const { length } = bytes;
    if (length >= minCopiedLength) target.set(bytes, at);
    else for (let place = 0; place < length; place++) target[at + place] = bytes[place]!;
    for (let placeholder = 0; placeholder < placeholders.length; placeholder += 3) {
      const place = at + placeholders[placeholder]!;
      const first = from + placeholders[placeholder + 1]!;
      const count = placeholders[placeholder + 2]!;
      for (let next = 0; next < count; next++) target[place + next] = source[first + next]!;
    }
    return at + length;
  }

  #imageOf(length: number): Image {
    const number = "\0".repeat(length);
    const placeholders: number[] = [];
    let at = this.#first.length;
    for (const { start, end, text } of this.#placeholders) {
      const count = Math.max(0, Math.min(end, length) - start);
      placeholders.push(at, start, count);
      at += count + text.length;
    }
    const image = { bytes: pooled(this.textFor(number)), placeholders };
    this.#images[length] = image;
    return image;
  }
}
