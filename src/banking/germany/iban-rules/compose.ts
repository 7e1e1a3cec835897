import { KONTONUMMER_LENGTH } from "../account.ts";

/**
 * Composes a German IBAN: `DE`, ISO check digits, bank code, ten-digit account number.
 *
 * Takes an eight-digit bank code and an account number of 1 to 10 digits; neither is checked further. The
 * check digits are 98 − (BLZ ‖ account ‖ 131400 mod 97), always 02 to 98 (ISO 13616-1, ISO/IEC 7064 MOD 97-10).
 */
export function composeGermanIban(blz: string, kontonummer: string): string {
  const bban = blz + kontonummer.padStart(KONTONUMMER_LENGTH, "0");
  let remainder = 0;
  for (let index = 0; index < bban.length; index++) {
    remainder = (remainder * 10 + (bban.charCodeAt(index) - 48)) % 97;
  }
  // 131400 is DE00 moved behind the BBAN, with D = 13 and E = 14.
  remainder = (remainder * 1_000_000 + 131_400) % 97;
  return `DE${String(98 - remainder).padStart(2, "0")}${bban}`;
}
