import { encoded } from "../../rows/encoding.ts";

/** What a gap of a template takes of a number: the characters from `start` to `end`. */
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

/** Below this length a loop writes a text faster than a call does. */
const minWrittenLength = 32;

/** Text with gaps for parts of a number, with one character for each byte. */
export class Template {
  readonly #first: string;
  /** Each gap with the text after it. */
  readonly #gaps: readonly (Gap & { readonly text: string })[];

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
  write(target: Buffer, at: number, source: Uint8Array, from: number, to: number): number {
    let next = put(target, at, this.#first);
    for (const { start, end, text } of this.#gaps) {
      const last = from + end < to ? from + end : to;
      for (let place = from + start; place < last; place++) target[next++] = source[place]!;
      next = put(target, next, text);
    }
    return next;
  }
}

function put(target: Buffer, at: number, text: string): number {
  const { length } = text;
  if (length >= minWrittenLength) target.write(text, at, "latin1");
  else for (let place = 0; place < length; place++) target[at + place] = text.charCodeAt(place);
  return at + length;
}
