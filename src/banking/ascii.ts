/** ASCII code of the digit 0; digit value = byte − DIGIT_0. */
export const DIGIT_0 = 48;
/** ASCII code of the digit 9. */
export const DIGIT_9 = 57;
/** ASCII code of the letter A. */
export const LETTER_A = 65;
/** ASCII code of the letter Z. */
export const LETTER_Z = 90;

/** Whether an ASCII byte is a decimal digit. */
export function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

/** Whether an ASCII byte is an upper-case letter. */
export function isUpperLetter(byte: number): boolean {
  return byte >= LETTER_A && byte <= LETTER_Z;
}

/** Returns the characters of an ASCII text as bytes; of any other character only the lowest eight bits. */
export function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
