import registry from "../../../data/iban-registry.json" with { type: "json" };
import { bbanStart, classAt, expandStructure, firstStructureFault, isOfClass } from "../iban/structure.ts";
import { ibanCheckDigits } from "../mod97.ts";

/**
 * Returns where bank and branch code end in a BBAN; 0 without either.
 *
 * @example codesEnd({ start: 0, length: 5 }, { start: 5, length: 5 }) // → 10
 */
export function codesEnd(
  ...codes: readonly ({ readonly start: number; readonly length: number } | null)[]
): number {
  return Math.max(0, ...codes.map((code) => (code === null ? 0 : code.start + code.length)));
}

/** The form of each country's IBANs by country code, without the national checks, which browsers need not load. */
const forms = new Map(
  registry.countries.map(({ code, bbanStructure, bank, branch }) => {
    const classes = expandStructure(bbanStructure);
    const accountStart = bbanStart + codesEnd(bank, branch);
    return [code, { length: bbanStart + classes.length, classes, accountStart }] as const;
  }),
);

/** The countries that have IBANs, in the order of their codes. */
export const ibanCountryCodes: readonly string[] = [...forms.keys()];

/**
 * Finds the form of the IBANs of the country that a text begins with.
 *
 * @example ibanFormOf("DE89")?.length // → 22
 */
export function ibanFormOf(text: string) {
  return forms.get(text.slice(0, 2));
}

/**
 * Returns the account number in an IBAN: what follows bank and branch code, national check digits included; empty for an
 * unknown country.
 *
 * @example accountOf("CH9300762011623852957") // → "011623852957"
 */
export function accountOf(iban: string): string {
  return iban.slice(ibanFormOf(iban)?.accountStart ?? iban.length);
}

/**
 * Whether letters may follow the beginning of an IBAN: anywhere, but for its last four places and behind them, where they
 * would be a word if its country has figures there.
 *
 * @example mayFollow("DE893704004405320130", "EUR") // → false
 */
export function mayFollow(beginning: string, letters: string): boolean {
  const form = ibanFormOf(beginning);
  if (form === undefined || beginning.length < form.length - 4) return true;
  return isOfClass(letters.charCodeAt(0), classAt(form, beginning.length));
}

/**
 * Whether a text has length and structure of its country's IBANs, with any two digits as check digits.
 *
 * @example hasIbanForm("DE00370400440532013000") // → true
 */
export function hasIbanForm(text: string): boolean {
  return slipsIn(text) === 0;
}

/** Letters for digits, or digits for letters, in a text that is plainly meant as an IBAN. */
export const maxSlips = 2;

/**
 * Counts the letters for digits, and digits for letters, in a text with the length of its country's IBANs; infinitely many
 * in one of another length.
 *
 * @example slipsIn("DE8937O40044O532013000") // → 2
 */
export function slipsIn(text: string): number {
  const form = ibanFormOf(text);
  if (form?.length !== text.length) return Number.POSITIVE_INFINITY;
  let slips = 0;
  let at = firstStructureFault(form, text);
  for (; at >= 0; at = firstStructureFault(form, text, at + 1)) slips++;
  return slips;
}

/**
 * Whether a text is an IBAN by its form and its ISO check digits. Source: ISO 13616-1.
 *
 * @example isIban("DE89370400440532013000") // → true
 */
export function isIban(text: string): boolean {
  return hasIbanForm(text) && ibanCheckDigits(text.slice(0, 2), text.slice(4)) === text.slice(2, 4);
}

/**
 * Adds the country to the digits of an IBAN that lacks it; undefined unless they are one of just one country.
 *
 * @example withCountry("89370400440532013000") // → "DE89370400440532013000"
 */
export function withCountry(digits: string): string | undefined {
  const fitting = ibanCountryCodes.map((code) => code + digits).filter(isIban);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/**
 * Composes the IBAN of a British account, whose bank is named by the first four letters of its BIC.
 *
 * @example composedUkIban("NWBKGB2L", "601613", "31926819") // → "GB29NWBK60161331926819"
 */
export function composedUkIban(bic: string, sortCode: string, account: string): string {
  const bban = bic.slice(0, 4) + sortCode + account.padStart(8, "0");
  return `GB${ibanCheckDigits("GB", bban)}${bban}`;
}
