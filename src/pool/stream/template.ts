import { encoded } from "../../rows/encoding.ts";

/** Part of the number that fills a gap of a template: the characters from `start` to `end`. */
export interface Gap {
  readonly start: number;
  readonly end: number;
}

/** The gap for a number from a character on; no number is longer. */
export function gapFrom(start: number): Gap {
  return { start, end: 9_999 };
}

/** The gap for all of a number. */
export const wholeNumber = gapFrom(0);

/** Marks a gap in a text: neither JSON nor CSV escapes it, and no text of an answer contains it. */
const mark = "\ue000";
const markedGap = new RegExp(`${encoded(mark)}(\\d+)x(\\d+)${encoded(mark)}`);

/** Returns the mark of a gap. */
export function gapMark({ start, end }: Gap): string {
  return `${mark}${start}x${end}${mark}`;
}

/** Below this length a loop copies bytes faster than a call does. */
const minCopiedLength = 48;

/** The text of numbers of one length, with zeros in the gaps. */
interface Image {
  readonly bytes: Uint8Array;
  /** Three numbers for each gap: where it is in the text, where what fills it begins in a number, and its length. */
  readonly gaps: Int32Array;
}

/** Text with gaps for parts of a number, with one character for each byte. */
export class Template {
  readonly #first: string;
  /** Each gap with the text after it. */
  readonly #gaps: readonly (Gap & { readonly text: string })[];
  /** By length of the number. */
  readonly #images: Image[] = [];

  /** @param marked text with marks for the gaps, with one character for each byte. */
  constructor(marked: string) {
    const [first = "", ...parts] = marked.split(markedGap);
    this.#first = first;
    this.#gaps = Array.from({ length: parts.length / 3 }, (_, gap) => {
      const [start, end, text = ""] = parts.slice(3 * gap, 3 * gap + 3);
      return { start: Number(start), end: Number(end), text };
    });
  }

  /** Returns the text of a number. */
  textFor(number: string): string {
    let filled = this.#first;
    for (const { start, end, text } of this.#gaps) filled += number.slice(start, end) + text;
    return filled;
  }

  /** Writes the text of the number whose bytes are at `from` to `to` of `source`; returns where it ends. */
  write(target: Uint8Array, at: number, source: Uint8Array, from: number, to: number): number {
    const { bytes, gaps } = this.#images[to - from] ?? this.#imageOf(to - from);
    const { length } = bytes;
    if (length >= minCopiedLength) target.set(bytes, at);
    else for (let place = 0; place < length; place++) target[at + place] = bytes[place]!;
    for (let gap = 0; gap < gaps.length; gap += 3) {
      const place = at + gaps[gap]!;
      const first = from + gaps[gap + 1]!;
      const count = gaps[gap + 2]!;
      for (let next = 0; next < count; next++) target[place + next] = source[first + next]!;
    }
    return at + length;
  }

  #imageOf(length: number): Image {
    const number = "\0".repeat(length);
    const gaps: number[] = [];
    let at = this.#first.length;
    for (const { start, end, text } of this.#gaps) {
      const count = Math.max(0, Math.min(end, length) - start);
      gaps.push(at, start, count);
      at += count + text.length;
    }
    const bytes = new Uint8Array(Buffer.from(this.textFor(number), "latin1"));
    const image = { bytes, gaps: Int32Array.from(gaps) };
    this.#images[length] = image;
    return image;
  }
}
