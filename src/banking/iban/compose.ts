import { asciiBytes, ibanCheckDigits } from "../mod97.ts";
import type { BbanSpan } from "../national/weighted.ts";
import { type IbanCountry, ibanCountryByCode } from "./registry.ts";
import { CharClass, firstStructureFault, isOfClass } from "./structure.ts";

/**
 * Joins a country code, the computed check digits and a BBAN into an IBAN.
 *
 * `countryCode` is a registered code, `bban` fits that country's structure and is in upper case without
 * spaces; otherwise a RangeError says which does not. National check digits are taken as given.
 * Source: ISO 13616-1; SWIFT IBAN Registry, release 102.
 *
 * @example composeIban("DE", "370400440532013000") // → "DE89370400440532013000"
 */
export function composeIban(countryCode: string, bban: string): string {
  const country = ibanCountryByCode(countryCode);
  if (country === undefined) throw new RangeError(`"${countryCode}" is not in the IBAN registry`);
  const iban = countryCode + ibanCheckDigits(countryCode, bban) + bban;
  if (iban.length !== country.ibanLength || firstStructureFault(country, iban) >= 0) {
    throw new RangeError(`"${bban}" does not fit the BBAN structure of ${countryCode}`);
  }
  return iban;
}

/** The parts of a BBAN as people know them; leading zeros may be left out where digits belong. */
interface BbanParts {
  readonly bankCode: string;
  /** `""` where the country has none, or where it may be zeros. */
  readonly branchCode: string;
  /**
   * The account number. Where the national check digits are digits of the account number or the bank code (see
   * `accountHoldsCheckDigits`) with them, otherwise without them; a number that has them is taken too.
   */
  readonly account: string;
}

interface BbanFault {
  readonly part: keyof BbanParts;
  /** How many characters it may have; undefined if its check digits are wrong. */
  readonly length?: number;
}

/** Algorithms whose check digits are digits of the account number or of the bank code as people know them. */
const accountHoldsCheckDigits: ReadonlySet<string> = new Set([
  "cz-sk-mod11",
  "ee-731-mod10",
  "is-kennitala-mod11",
  "iso7064-mod11-10",
  "luhn",
  "pl-mod10",
]);

/**
 * Hungary: the account holds its own check digit, and a short one of eight digits precedes eight zeros; only the
 * check digit of bank and branch is apart.
 */
const hungarianAlgorithm = "hu-9731-mod10";
const hungarianBankDigit = 7;

/**
 * Builds the BBAN of a country from bank code, branch code and account number, with the right national check digits.
 *
 * The parts hold digits and capital letters only. Returns the fault where a part does not fit, or where the check digits
 * that the account number or the bank code itself holds are wrong and the country enforces them.
 *
 * Source: SWIFT IBAN Registry, release 102: structure and positions; national check digits as in `national`.
 *
 * @example
 * const spain = ibanCountryByCode("ES")!;
 * composeBban(spain, { bankCode: "2100", branchCode: "0418", account: "0200051332" }) // → "21000418450200051332"
 */
export function composeBban(country: IbanCountry, parts: BbanParts): string | BbanFault {
  const { classes, bank, branch, nationalCheck } = country;
  const bban: string[] = Array.from({ length: classes.length }, () => "");
  for (const [part, span] of [
    ["bankCode", bank],
    ["branchCode", branch],
  ] as const) {
    if (span === null) {
      if (parts[part] !== "") return { part, length: 0 };
      continue;
    }
    const filled = parts[part] === "" ? undefined : fill(classes, placesOf(span), parts[part]);
    if (filled === undefined) return { part, length: span.length };
    for (const [at, place] of placesOf(span).entries()) bban[place] = filled[at]!;
  }
  const open = bban.flatMap((character, place) => (character === "" ? [place] : []));
  const isHungarian = nationalCheck?.algorithm === hungarianAlgorithm;
  const allCheckPlaces = nationalCheck === null ? [] : nationalCheck.spans.flatMap(placesOf);
  const checkPlaces = isHungarian ? [hungarianBankDigit] : allCheckPlaces;
  const account = isHungarian ? hungarianAccount(parts.account) : parts.account;
  const isHeld = nationalCheck === null || accountHoldsCheckDigits.has(nationalCheck.algorithm);
  const accepted = (composed: string) =>
    country.nationalCheckEnforced && nationalCheck?.matches(asciiBytes(composed), 0) === false
      ? ({ part: "account" } as const)
      : composed;
  const withDigits = filledBban(country, bban, open, account);
  if (isHeld)
    return withDigits === undefined ? { part: "account", length: open.length } : accepted(withDigits);
  const rest = open.filter((place) => !checkPlaces.includes(place));
  // Only a number longer than one without check digits can have them.
  if (withDigits !== undefined && account.length > rest.length) return accepted(withDigits);
  for (const place of checkPlaces) bban[place] = country.classes[place] === CharClass.a ? "A" : "0";
  const withoutDigits = filledBban(country, bban, rest, account);
  if (withoutDigits === undefined) return { part: "account", length: rest.length };
  const digits = nationalCheck.expected(asciiBytes(withoutDigits), 0);
  if (digits === null) return { part: "account" };
  const characters = [...withoutDigits];
  for (const [at, place] of allCheckPlaces.entries()) {
    if (checkPlaces.includes(place)) characters[place] = digits[at]!;
  }
  return accepted(characters.join(""));
}

function hungarianAccount(account: string): string {
  return account.length <= 8 ? account.padStart(8, "0").padEnd(16, "0") : account;
}

function filledBban(
  { classes }: IbanCountry,
  bban: readonly string[],
  places: readonly number[],
  account: string,
): string | undefined {
  const filled = fill(classes, places, account);
  if (filled === undefined) return undefined;
  const characters = [...bban];
  for (const [at, place] of places.entries()) characters[place] = filled[at]!;
  return characters.join("");
}

/** Puts a text into places, right-aligned after zeros where zeros may be; undefined if it does not fit. */
function fill(classes: Uint8Array, places: readonly number[], text: string): string | undefined {
  if (text.length > places.length) return undefined;
  const filled = text.padStart(places.length, "0");
  return places.every((place, at) => isOfClass(filled.charCodeAt(at), classes[place]!)) ? filled : undefined;
}

/**
 * Lists the places of a part of a BBAN.
 *
 * @example placesOf({ start: 4, length: 2 }) // → [4, 5]
 */
export function placesOf({ start, length }: BbanSpan): readonly number[] {
  return Array.from({ length }, (_, at) => start + at);
}
