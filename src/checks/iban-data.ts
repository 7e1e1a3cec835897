import { ibanCountries, ibanCountryByCode } from "../banking/iban/registry.ts";
import { assumedSepaMethods, noSepaMethods, type SepaMethods } from "../banking/sepa.ts";
import { sepaDigitFromEnd } from "../banks/directory/fragment.ts";
import { type AnswerBytes, piece } from "./answer-bytes.ts";
import { germanIban, type IbanChecker } from "./iban-checker.ts";

const germany = ibanCountryByCode("DE")!;
const zero = 48;

const noBank = (country: string, sepa: SepaMethods) =>
  `"bank":"","zip":"","location":"","country":"${country}","sepa_methods":${JSON.stringify(sepa)}}`;

/** The constant pieces of a `data` object: this module and the tables of the batch kernel are made of them. */
export const ibanDataPieces = {
  iban: piece('{"iban":"'),
  quote: piece('"'),
  /** Around the account number and the bank code of a bank that is not in the directory. */
  kontonummer: piece(',"bic":null,"kto":"'),
  blz: piece('","blz":"'),
  /** The whole `data` object of something that is no IBAN. */
  noIban: piece(`{"iban":null,"bic":null,"kto":"","blz":"",${noBank("", noSepaMethods)}`),
  /** What follows the IBAN where its country is not registered. */
  noCountry: piece(`,"bic":null,"kto":"","blz":"",${noBank("", noSepaMethods)}`),
  /** By country index: what follows the IBAN where nothing but the country is known. */
  countryOnly: ibanCountries.map((country) =>
    piece(`,"bic":null,"kto":"","blz":"",${noBank(country.code, noSepaMethods)}`),
  ),
  /** By country index: what follows the bank code of a bank that is not in the directory. */
  unknownBank: ibanCountries.map((country) =>
    piece(
      `",${noBank(country.code, country === germany ? noSepaMethods : assumedSepaMethods(country, null))}`,
    ),
  ),
  /** The same where the IBAN is not valid. */
  unknownBankOfInvalid: ibanCountries.map((country) => piece(`",${noBank(country.code, noSepaMethods)}`)),
} as const;

const pieces = ibanDataPieces;

/** Writes the `data` object of something that is no IBAN at all: nothing is known. */
export function writeNoIbanData(answer: AnswerBytes): void {
  answer.put(pieces.noIban);
}

/**
 * Writes the `data` object of the IBAN that was checked last: all nine fields in the specified order.
 *
 * A well-formed IBAN shows its bank even where the account is wrong; one whose ISO check digits fail shows only its
 * country, since any of its digits may be the wrong one. `schemes` false zeroes the SEPA flags of an invalid number.
 */
export function writeIbanData(
  answer: AnswerBytes,
  checker: IbanChecker,
  bytes: Uint8Array,
  start: number,
  length: number,
  schemes: boolean,
): void {
  answer.put(pieces.iban);
  answer.copy(bytes, start, length);
  answer.put(pieces.quote);
  const { country, bank } = checker;
  if (country === undefined) answer.put(pieces.noCountry);
  else if (!checker.wellFormed) answer.put(pieces.countryOnly[country.index]!);
  else if (bank >= 0) writeKnownBank(answer, checker, bytes, start, schemes);
  else writeUnknownBank(answer, country.index, bytes, start, schemes);
}

function writeKnownBank(
  answer: AnswerBytes,
  checker: IbanChecker,
  bytes: Uint8Array,
  start: number,
  schemes: boolean,
): void {
  const { directory, bank } = checker;
  const begin = answer.position;
  answer.copy(directory.bytes, directory.fragmentOffset(bank), directory.fragmentLength(bank));
  const target = answer.bytes;
  const kontonummer = directory.kontonummerOffset(bank);
  if (kontonummer >= 0) {
    for (let index = 0; index < germanIban.kontonummerLength; index++) {
      target[begin + kontonummer + index] = bytes[start + germanIban.kontonummerStart + index]!;
    }
  }
  if (schemes) return;
  const end = answer.position;
  target[end - sepaDigitFromEnd.sct] = zero;
  target[end - sepaDigitFromEnd.sdd] = zero;
  target[end - sepaDigitFromEnd.b2b] = zero;
  target[end - sepaDigitFromEnd.scc] = zero;
}

function writeUnknownBank(
  answer: AnswerBytes,
  countryIndex: number,
  bytes: Uint8Array,
  start: number,
  schemes: boolean,
): void {
  const country = ibanCountries[countryIndex]!;
  answer.put(pieces.kontonummer);
  if (country === germany) {
    answer.copy(bytes, start + germanIban.kontonummerStart, germanIban.kontonummerLength);
  }
  answer.put(pieces.blz);
  if (country.bank !== null) answer.copy(bytes, start + 4 + country.bank.start, country.bank.length);
  answer.put((schemes ? pieces.unknownBank : pieces.unknownBankOfInvalid)[countryIndex]!);
}
