import { KONTONUMMER_LENGTH } from "../account.ts";

/** Pads a number of a table to the width it has in a bank code or account number; throws for anything else. */
export function padNumber(digits: string, width: number): string {
  if (!/^\d+$/.test(digits) || digits.length > width)
    throw new Error(`"${digits}" has not 1 to ${width} digits`);
  return digits.padStart(width, "0");
}

/** How many digits a ten-digit account number has without its leading zeros. */
export function digitCount(kontonummer: string): number {
  let leading = 0;
  while (leading < KONTONUMMER_LENGTH && kontonummer[leading] === "0") leading++;
  return KONTONUMMER_LENGTH - leading;
}

/** The account number with digits appended and as many leading zeros dropped; undefined where they are too few. */
export function withAppended(kontonummer: string, digits: string): string | undefined {
  return digitCount(kontonummer) + digits.length > KONTONUMMER_LENGTH
    ? undefined
    : kontonummer.slice(digits.length) + digits;
}
