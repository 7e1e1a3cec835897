import { firstStructureFault } from "../banking/iban/bban.ts";
import {
  experimentalPrefixes,
  type IbanCountry,
  ibanCountryByCode,
  parentPrefixOf,
} from "../banking/iban/registry.ts";
import { ibanCheckDigits } from "../banking/mod97.ts";
import { message } from "../contract/message.ts";
import type { IbanOutcome } from "../contract/status.ts";
import type { Finding } from "./answer.ts";

type IbanFinding = Finding<IbanOutcome>;

/** What people write before the number. */
const word = "IBAN";

const checkDigitPlace = { start: 2, length: 2 } as const;

/**
 * Checks an IBAN by itself: country, length, structure, ISO check digits.
 *
 * `iban` is in normal form and formal (`isFormalIban`). Checks that an earlier failure makes meaningless are `unknown`;
 * of an IBAN without a registered country nothing but the country is checked.
 * Source: ISO 13616-1; SWIFT IBAN Registry, release 102; ISO 7064 MOD 97-10.
 */
export function checkForm(iban: string): readonly IbanFinding[] {
  const country = ibanCountryByCode(iban.slice(0, 2));
  if (country === undefined) return [unregisteredCountry(iban)];
  const { code, name } = country;
  return [
    { check: "country", result: "passed", messages: [message("country_found", { name, country: code })] },
    lengthCheck(country, iban),
    ...structureAndCheckDigits(country, iban),
  ];
}

function unregisteredCountry(iban: string): IbanFinding {
  const prefix = iban.slice(0, 2);
  const parent = parentPrefixOf(prefix);
  if (parent !== undefined) {
    const digits = ibanCheckDigits(parent, iban.slice(4));
    return {
      check: "country",
      result: "failed",
      messages: [message("country_territory", { parent, digits })],
      position: { start: 0, length: 4 },
      expected: [parent + digits],
      outcome: "territory_prefix",
    };
  }
  if (iban.startsWith(word)) {
    const position = { start: 0, length: word.length };
    return {
      check: "country",
      result: "failed",
      messages: [message("iban_prefix")],
      position,
      outcome: "iban_prefix",
    };
  }
  const isExperimental = experimentalPrefixes.has(prefix);
  return {
    check: "country",
    result: "failed",
    messages: [message(isExperimental ? "iban_country_not_registered" : "iban_country_unknown")],
    position: { start: 0, length: 2 },
    outcome: isExperimental ? "experimental_country" : "unknown_country",
  };
}

function lengthCheck({ code, name, ibanLength }: IbanCountry, iban: string): IbanFinding {
  const { length } = iban;
  const check = "length";
  if (length === ibanLength) {
    return { check, result: "passed", messages: [message("length_right", { length, expected: ibanLength })] };
  }
  const messages = [message("length_wrong", { length, expected: ibanLength, name, country: code })];
  return { check, result: "failed", messages, outcome: "wrong_length" };
}

function structureAndCheckDigits(country: IbanCountry, iban: string): readonly IbanFinding[] {
  const check = "structure";
  const notChecked: IbanFinding = { check: "iso_check_digits", result: "unknown" };
  if (iban.length !== country.ibanLength) return [{ check, result: "unknown" }, notChecked];
  const fault = firstStructureFault(country, iban);
  if (fault < 0) return [{ check, result: "passed" }, checkDigitCheck(country, iban)];
  const isInCheckDigits = fault < checkDigitPlace.start + checkDigitPlace.length;
  const { code, name } = country;
  const misfit: IbanFinding = {
    check,
    result: "failed",
    messages: [message("structure_wrong", { position: fault + 1, name, country: code })],
    position: { start: fault, length: 1 },
    outcome: isInCheckDigits ? "check_digits_not_numeric" : "wrong_structure",
  };
  return [misfit, isInCheckDigits ? wrongCheckDigits(country, iban) : notChecked];
}

function checkDigitCheck(country: IbanCountry, iban: string): IbanFinding {
  const given = iban.slice(2, 4);
  if (given === ibanCheckDigits(country.code, iban.slice(4))) {
    return { check: "iso_check_digits", result: "passed", position: checkDigitPlace };
  }
  const isOutOfRange = Number(given) < 2 || Number(given) > 98;
  const outcome = isOutOfRange ? "check_digits_out_of_range" : "wrong_check_digits";
  return { ...wrongCheckDigits(country, iban), outcome };
}

function wrongCheckDigits({ code }: IbanCountry, iban: string): IbanFinding {
  return {
    check: "iso_check_digits",
    result: "failed",
    position: checkDigitPlace,
    expected: [ibanCheckDigits(code, iban.slice(4))],
  };
}
