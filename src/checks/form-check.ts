import { experimentalPrefixes, ibanCountryByCode, parentPrefixOf } from "../banking/iban/registry.ts";
import { firstStructureFault } from "../banking/iban/structure.ts";
import { ibanCheckDigits } from "../banking/mod97.ts";
import { message } from "../contract/message.ts";
import { type IbanOutcome, ibanOutcomes } from "../contract/status.ts";
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
  const { code, name, ibanLength: expected } = country;
  const { length } = iban;
  const found = finding("country", "passed", message("country_found", { name, country: code }));
  const notChecked = finding("iso_check_digits", "unknown");
  if (length !== expected) {
    const said = message("length_wrong", { length, expected, name, country: code });
    const wrong = finding<IbanOutcome>("length", "failed", said, { outcome: "wrong_length" });
    return [found, wrong, finding("structure", "unknown"), notChecked];
  }
  const right = finding("length", "passed", message("length_right", { length, expected }));
  const fault = firstStructureFault(country, iban);
  if (fault < 0) return [found, right, finding("structure", "passed"), checkDigitCheck(code, iban)];
  const isInCheckDigits = fault < checkDigitPlace.start + checkDigitPlace.length;
  const said = message("structure_wrong", { position: fault + 1, name, country: code });
  const misfit = finding<IbanOutcome>("structure", "failed", said, {
    position: { start: fault, length: 1 },
    outcome: isInCheckDigits ? "check_digits_not_numeric" : "wrong_structure",
  });
  return [found, right, misfit, isInCheckDigits ? checkDigitCheck(code, iban) : notChecked];
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

function checkDigitCheck(country: string, iban: string): IbanFinding {
  const check = "iso_check_digits";
  const position = checkDigitPlace;
  const given = iban.slice(position.start, position.start + position.length);
  const expected = ibanCheckDigits(country, iban.slice(4));
  if (given === expected) return finding(check, "passed", undefined, { position });
  const isOutOfRange = Number(given) < 2 || Number(given) > 98;
  const outcome = isOutOfRange ? "check_digits_out_of_range" : "wrong_check_digits";
  return finding(check, "failed", undefined, { position, expected: [expected], outcome });
}
