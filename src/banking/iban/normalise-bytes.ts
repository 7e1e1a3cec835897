import { isDigit, isUpperLetter } from "../ascii.ts";
import { SHORTEST_IBAN } from "./normalise.ts";

const lowerToUpper = 32;

/**
 * Does over UTF-8 bytes what `normaliseIban` does over a string: drops white space, folds ASCII a–z to upper case.
 *
 * Writes to `target` from `targetStart` on, never more bytes than it reads, and gives their number. `target` may be
 * `source` itself. No allocation.
 */
export function normaliseIbanBytes(
  source: Uint8Array,
  start: number,
  length: number,
  target: Uint8Array,
  targetStart: number,
): number {
  const end = start + length;
  let write = targetStart;
  let read = start;
  while (read < end) {
    const byte = source[read]!;
    if (byte <= 32 || byte >= 0xc2) {
      const space = whiteSpaceLength(source, read, end);
      if (space > 0) {
        read += space;
        continue;
      }
    }
    target[write++] = byte >= 97 && byte <= 122 ? byte - lowerToUpper : byte;
    read++;
  }
  return write - targetStart;
}

/** Does over bytes what `isFormalIban` does over a string: 15 or more, two letters first, only A–Z and 0–9. */
export function isFormalIbanBytes(bytes: Uint8Array, start: number, length: number): boolean {
  if (length < SHORTEST_IBAN || !isUpperLetter(bytes[start]!) || !isUpperLetter(bytes[start + 1]!))
    return false;
  for (let index = start + 2; index < start + length; index++) {
    const byte = bytes[index]!;
    if (!isDigit(byte) && !isUpperLetter(byte)) return false;
  }
  return true;
}

/** How many bytes of white space, as `\s` understands it, stand at `at`; 0 where there is none. */
function whiteSpaceLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at]!;
  if (first <= 32) return first === 32 || (first >= 9 && first <= 13) ? 1 : 0;
  const second = at + 1 < end ? bytes[at + 1]! : 0;
  if (first === 0xc2) return second === 0xa0 ? 2 : 0;
  const third = at + 2 < end ? bytes[at + 2]! : 0;
  if (first === 0xe2) return isGeneralPunctuationSpace(second, third) ? 3 : 0;
  const isOther =
    (first === 0xe1 && second === 0x9a && third === 0x80) ||
    (first === 0xe3 && second === 0x80 && third === 0x80) ||
    (first === 0xef && second === 0xbb && third === 0xbf);
  return isOther ? 3 : 0;
}

/** Last two UTF-8 bytes of U+2000 to U+200A, U+2028, U+2029, U+202F and U+205F. */
function isGeneralPunctuationSpace(second: number, third: number): boolean {
  if (second === 0x81) return third === 0x9f;
  if (second !== 0x80) return false;
  return (third >= 0x80 && third <= 0x8a) || third === 0xa8 || third === 0xa9 || third === 0xaf;
}
