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
