/** An IBAN that a slip of the pen would have made the given one of. */
export interface Correction {
  readonly iban: string;
  /** Where its characters differ from the given one's. */
  readonly changed: readonly number[];
}

const checkDigits = { start: 2, end: 4 } as const;
const digits = "0123456789";

/**
 * The IBANs with right check digits that differ from one with wrong ones by a digit, by two neighbours that changed places,
 * or by the check digits; two or three of them as a rule.
 *
 * The service, which counts each IBAN that it checks, is to be asked about these only. Some 300 are tried, in about a
 * millisecond.
 *
 * @param iban upper-case letters and digits.
 */
export function corrections(iban: string): readonly Correction[] {
  const found = new Map<string, Correction>();
  const consider = (candidate: string) => {
    if (candidate === iban || found.has(candidate) || remainder(candidate) !== 1) return;
    const changed = [...candidate].flatMap((character, index) => (character === iban[index] ? [] : [index]));
    found.set(candidate, { iban: candidate, changed });
  };
  const country = iban.slice(0, checkDigits.start);
  const bban = iban.slice(checkDigits.end);
  const right = 98 - remainder(`${country}00${bban}`);
  for (let index = checkDigits.start; index < iban.length; index++) {
    const [before, after] = [iban.slice(0, index), iban.slice(index + 1)];
    if (digits.includes(iban[index]!)) for (const digit of digits) consider(before + digit + after);
    if (index + 1 < iban.length) consider(before + iban[index + 1] + iban[index] + after.slice(1));
  }
  consider(country + String(right).padStart(2, "0") + bban);
  return [...found.values()];
}

/** What ISO 7064 MOD 97-10 leaves of an IBAN: 1 where its check digits are right. */
function remainder(iban: string): number {
  let rest = 0;
  for (const character of iban.slice(checkDigits.end) + iban.slice(0, checkDigits.end)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97;
  }
  return rest;
}
