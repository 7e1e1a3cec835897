import { DIGIT_0, DIGIT_9, isDigit, isUpperLetter, LETTER_A, LETTER_Z } from "../ascii.ts";

/** The shortest registered IBAN (Norway). Source: SWIFT IBAN Registry, release 102. */
export const SHORTEST_IBAN = 15;

function isCompact(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!(code >= DIGIT_0 && code <= DIGIT_9) && !(code >= LETTER_A && code <= LETTER_Z)) return false;
  }
  return true;
}

/**
 * Removes white space and turns ASCII lower case into upper case; everything else stays as it is.
 *
 * White space is all that JavaScript's `\s` matches. Only a to z are folded, never by locale or Unicode rules, so the
 * result is never longer than the input and no foreign letter becomes an ASCII one. Any string may be given.
 */
export function compactUpperCase(text: string): string {
  if (isCompact(text)) return text;
  return text.replace(/\s+/g, "").replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Brings an IBAN as people write it into the form the checks take: no white space, ASCII letters in upper case. */
export function normaliseIban(text: string): string {
  return compactUpperCase(text);
}

/**
 * Whether a normalised text has the form of an IBAN: 15 characters or more, two letters first, only A-Z and 0-9.
 *
 * False is the interface's error `invalid_iban`; an IBAN longer than its country's is formal and of wrong length.
 */
export function isFormalIban(normalised: string): boolean {
  if (normalised.length < SHORTEST_IBAN) return false;
  if (!isUpperLetter(normalised.charCodeAt(0)) || !isUpperLetter(normalised.charCodeAt(1))) return false;
  for (let at = 2; at < normalised.length; at++) {
    const code = normalised.charCodeAt(at);
    if (!isDigit(code) && !isUpperLetter(code)) return false;
  }
  return true;
}
