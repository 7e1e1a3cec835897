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
   * `placesApart`) with them, otherwise without them; a number that has them is taken too.
   */
  readonly account: string;
}

interface BbanFault {
  readonly part: keyof BbanParts;
  /** How many characters it may have; undefined if its check digits are wrong. */
  readonly length?: number;
}

/** Hungary: a short account of eight digits precedes eight zeros. */
const hungarianAlgorithm = "hu-9731-mod10";

/**
 * Algorithms whose check digits are digits of the account number or of the bank code as people know them, but for those at
 * these places of the BBAN.
 */
const placesApart: Readonly<Partial<Record<string, readonly number[]>>> = {
  "cz-sk-mod11": [],
  "ee-731-mod10": [],
  [hungarianAlgorithm]: [7],
  "is-kennitala-mod11": [],
  "iso7064-mod11-10": [],
  luhn: [],
  "pl-mod10": [],
};

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
  let bban: readonly string[] = Array.from(classes, () => "");
  for (const [part, span] of [
    ["bankCode", bank],
    ["branchCode", branch],
  ] as const) {
    const text = parts[part];
    if (span === null && text === "") continue;
    const known = span === null || text === "" ? undefined : filledIn(classes, bban, placesOf(span), text);
    if (known === undefined) return { part, length: span?.length ?? 0 };
    bban = known;
  }
  const isShort = nationalCheck?.algorithm === hungarianAlgorithm && parts.account.length <= 8;
  const account = isShort ? parts.account.padStart(8, "0").padEnd(16, "0") : parts.account;
  const allCheckPlaces = nationalCheck === null ? [] : nationalCheck.spans.flatMap(placesOf);
  const checkPlaces = placesApart[nationalCheck?.algorithm ?? ""] ?? allCheckPlaces;
  const open = [...bban.keys()].filter((place) => bban[place] === "");
  const others = open.filter((place) => !checkPlaces.includes(place));
  // Only a number longer than one without check digits can have them.
  const whole = account.length > others.length ? filledIn(classes, bban, open, account) : undefined;
  const filled = whole ?? filledIn(classes, bban, others, account);
  if (filled === undefined) return { part: "account", length: others.length };
  if (whole === undefined && checkPlaces.length > 0) {
    for (const place of checkPlaces) filled[place] = classes[place] === CharClass.a ? "A" : "0";
    const digits = nationalCheck!.expected(asciiBytes(filled.join("")), 0);
    if (digits === null) return { part: "account" };
    for (const place of checkPlaces) filled[place] = digits[allCheckPlaces.indexOf(place)]!;
  }
  const composed = filled.join("");
  const isWrong = country.nationalCheckEnforced && nationalCheck?.matches(asciiBytes(composed), 0) === false;
  return isWrong ? { part: "account" } : composed;
}

/** Puts a text into places, right-aligned after zeros where zeros may be; undefined if it does not fit. */
function filledIn(
  classes: Uint8Array,
  bban: readonly string[],
  places: readonly number[],
  text: string,
): string[] | undefined {
  if (text.length > places.length) return undefined;
  const characters = text.padStart(places.length, "0");
  const filled = [...bban];
  for (const [at, place] of places.entries()) {
    if (!isOfClass(characters.charCodeAt(at), classes[place]!)) return undefined;
    filled[place] = characters[at]!;
  }
  return filled;
}

/**
 * Lists the places of a part of a BBAN.
 *
 * @example placesOf({ start: 4, length: 2 }) // → [4, 5]
 */
export function placesOf({ start, length }: BbanSpan): readonly number[] {
  return Array.from({ length }, (_, at) => start + at);
}
