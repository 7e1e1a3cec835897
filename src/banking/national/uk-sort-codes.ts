import uk from "../../../data/uk-sort-code-ranges.json" with { type: "json" };

const ranges: Readonly<Partial<Record<string, readonly string[]>>> = uk.ranges;

/**
 * Returns the IBAN bank codes of the banks to which the range of a UK sort code was allocated, or none if it is not known
 * or these are not six digits.
 *
 * Other banks clear through parts of a range, so it proves no bank. Source: public mentions, see `data/SOURCES.md`.
 *
 * @example banksOfSortCode("601613") // → ["NWBK"]
 */
export function banksOfSortCode(code: string): readonly string[] {
  if (!/^\d{6}$/.test(code)) return [];
  for (let length = code.length; length > 0; length--) {
    const banks = ranges[code.slice(0, length)];
    if (banks !== undefined) return banks;
  }
  return [];
}
