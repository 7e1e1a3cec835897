/** Makes an IBAN of a country and a BBAN: its check digits by ISO 7064 MOD 97-10, worked out over one big integer. */
export function ibanOf(country: string, bban: string): string {
  const digits = [...`${bban}${country}00`].map((character) => Number.parseInt(character, 36)).join("");
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${bban}`;
}

/** The same IBAN with other characters from `start` on and its check digits made right again. */
export function withReplaced(iban: string, start: number, characters: string): string {
  const replaced = iban.slice(0, start) + characters + iban.slice(start + characters.length);
  return ibanOf(iban.slice(0, 2), replaced.slice(4));
}
