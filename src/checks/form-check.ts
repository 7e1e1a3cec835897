import {
  experimentalPrefixes,
  type IbanCountry,
  ibanCountryByCode,
  parentPrefixOf,
} from "../banking/iban/registry.ts";
import { firstStructureFault } from "../banking/iban/structure.ts";
import { ibanCheckDigits } from "../banking/mod97.ts";
import { message } from "../contract/message.ts";
import { ibanOutcomes } from "../contract/status.ts";
import { finding } from "./answer.ts";
import type { IbanFinding } from "./country-checks.ts";

const word = "IBAN";

const checkDigitPlace = { start: 2, length: 2 } as const;

/**
 * Checks an IBAN alone: country, length, structure, ISO check digits.
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
    finding("country", "passed", message("country_found", { name, country: code })),
    lengthCheck(country, iban),
    ...structureAndCheckDigits(country, iban),
  ];
}

function unregisteredCountry(iban: string): IbanFinding {
  const check = "country";
  const prefix = iban.slice(0, 2);
  const parent = parentPrefixOf(prefix);
  if (parent !== undefined) {
    const digits = ibanCheckDigits(parent, iban.slice(4));
    return finding(check, "failed", message("country_territory", { parent, digits }), {
      position: { start: 0, length: 4 },
      expected: [parent + digits],
      outcome: "territory_prefix",
    });
  }
  const isWord = iban.startsWith(word);
  const isExperimental = experimentalPrefixes.has(prefix);
  const outcome = isWord ? "iban_prefix" : isExperimental ? "experimental_country" : "unknown_country";
  const position = { start: 0, length: isWord ? word.length : 2 };
  return finding(check, "failed", message(ibanOutcomes[outcome].message), { position, outcome });
}

function lengthCheck({ code, name, ibanLength: expected }: IbanCountry, { length }: string): IbanFinding {
  const check = "length";
  if (length === expected) return finding(check, "passed", message("length_right", { length, expected }));
  const said = message("length_wrong", { length, expected, name, country: code });
  return finding(check, "failed", said, { outcome: "wrong_length" });
}

function structureAndCheckDigits(country: IbanCountry, iban: string): readonly IbanFinding[] {
  const check = "structure";
  const notChecked = finding("iso_check_digits", "unknown");
  if (iban.length !== country.ibanLength) return [finding(check, "unknown"), notChecked];
  const fault = firstStructureFault(country, iban);
  if (fault < 0) return [finding(check, "passed"), checkDigitCheck(country, iban)];
  const isInCheckDigits = fault < checkDigitPlace.start + checkDigitPlace.length;
  const { code, name } = country;
  const said = message("structure_wrong", { position: fault + 1, name, country: code });
  const misfit: IbanFinding = finding(check, "failed", said, {
    position: { start: fault, length: 1 },
    outcome: isInCheckDigits ? "check_digits_not_numeric" : "wrong_structure",
  });
  return [misfit, isInCheckDigits ? wrongCheckDigits(country, iban) : notChecked];
}

function checkDigitCheck(country: IbanCountry, iban: string): IbanFinding {
  const given = iban.slice(2, 4);
  if (given === ibanCheckDigits(country.code, iban.slice(4))) {
    return finding("iso_check_digits", "passed", undefined, { position: checkDigitPlace });
  }
  const isOutOfRange = Number(given) < 2 || Number(given) > 98;
  const outcome = isOutOfRange ? "check_digits_out_of_range" : "wrong_check_digits";
  return { ...wrongCheckDigits(country, iban), outcome };
}

function wrongCheckDigits({ code }: IbanCountry, iban: string): IbanFinding {
  const expected = [ibanCheckDigits(code, iban.slice(4))];
  return finding("iso_check_digits", "failed", undefined, { position: checkDigitPlace, expected });
}
