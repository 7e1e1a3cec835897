import {
  bbanStart,
  currencyCountries,
  currencyOfIban,
  type IbanCountry,
  ibanCountryByCode,
} from "../banking/iban/registry.ts";
import { asciiBytes } from "../banking/mod97.ts";
import { ukIban } from "../banking/national/uk-modulus.ts";
import { ModulusEdition } from "../banks/lookup/modulus-edition.ts";
import { RequestError } from "../contract/errors.ts";
import { message } from "../contract/message.ts";
import type { IbanOutcome } from "../contract/status.ts";
import type { Finding, UkModulus } from "./answer.ts";

type IbanFinding = Finding<IbanOutcome>;

/** Returns the country that a request names; throws invalid_request for one that is not in the IBAN registry. */
export function countryOf(code: string): IbanCountry {
  const country = ibanCountryByCode(code.trim().toUpperCase());
  if (country === undefined) throw countryNotRegistered();
  return country;
}

/** The refusal of a country that is not in the IBAN registry, or has no bank codes. */
export function countryNotRegistered(): RequestError {
  return new RequestError("invalid_request", {
    message: message("country_not_in_registry"),
    field: "country",
  });
}

/** Checks the national check digits: one finding for each place that holds some, since some countries have several. */
export function nationalChecks(country: IbanCountry, iban: string): readonly IbanFinding[] {
  const check = "national_check_digits";
  const { nationalCheck } = country;
  if (nationalCheck === null) {
    return [{ check, result: "not_applicable", messages: [message("national_none")] }];
  }
  const { algorithm } = nationalCheck;
  const isEnforced = country.nationalCheckEnforced;
  const messages = [message(isEnforced ? "national_enforced" : "national_observed", { algorithm })];
  const bytes = asciiBytes(iban);
  const matches = nationalCheck.matches(bytes, bbanStart);
  const allExpected = matches ? null : nationalCheck.expected(bytes, bbanStart);
  let joined = 0;
  return nationalCheck.spans.map((span): IbanFinding => {
    const position = { start: bbanStart + span.start, length: span.length };
    const right = allExpected?.slice(joined, joined + span.length);
    joined += span.length;
    if (matches || right === iban.slice(position.start, position.start + span.length)) {
      return { check, result: "passed", messages, position };
    }
    return {
      check,
      result: "failed",
      messages,
      position,
      expected: right === undefined ? [] : [right],
      ...(isEnforced ? { outcome: "wrong_national_check_digits" } : { warning: "national_check_digits" }),
    };
  });
}

/** No weights: nothing is checked. */
export const noUkModulus: UkModulus = { weights: new ModulusEdition(), isEnforced: false };

const { sortCode, account } = ukIban;

/** Checks sort code and account of a well-formed IBAN with the country code GB. */
function checkUkModulus(iban: string, { weights, isEnforced }: UkModulus): IbanFinding {
  const check = "uk_modulus";
  const position = { start: sortCode.start, length: sortCode.length + account.length };
  const code = iban.slice(sortCode.start, account.start);
  const { result, isExempt } = weights.check(code, iban.slice(account.start));
  const edition = weights.edition ?? "";
  switch (result) {
    case "no_rule":
      return {
        check,
        result: "unknown",
        messages: [
          weights.edition === undefined
            ? message("uk_modulus_off")
            : message("uk_modulus_no_rule", { code, edition }),
        ],
        position,
      };
    case "passed":
      return {
        check,
        result: isExempt ? "not_applicable" : "passed",
        messages: [message(isExempt ? "uk_modulus_exempt" : "uk_modulus_passed", { edition })],
        position,
      };
    case "failed":
      return {
        check,
        result: "failed",
        messages: [message(isEnforced ? "uk_modulus_failed" : "uk_modulus_observed", { edition })],
        position,
        ...(isEnforced ? { outcome: "wrong_national_check_digits" } : { warning: "uk_modulus" }),
      };
  }
}

/** Observed only: the registry says that the letters are a currency, and not of which list. */
function checkCurrency(iban: string): IbanFinding {
  const { span, code, isKnown } = currencyOfIban(iban);
  const check = "currency";
  const position = { start: bbanStart + span.start, length: span.length };
  return isKnown
    ? { check, result: "passed", messages: [message("currency_known", { code })], position }
    : {
        check,
        result: "failed",
        messages: [message("currency_unknown", { code })],
        position,
        warning: check,
      };
}

type FurtherCheck = (iban: string, modulus: UkModulus) => IbanFinding;

/** Checks that only some countries have, besides the bank and the national check digits. */
const furtherChecks: Readonly<Record<string, FurtherCheck>> = {
  [ukIban.country]: checkUkModulus,
  ...Object.fromEntries(currencyCountries.map((code) => [code, checkCurrency])),
};

/** Returns the further check of a country's numbers; undefined if there is none. */
export function furtherCheckOf({ code }: IbanCountry): FurtherCheck | undefined {
  return furtherChecks[code];
}

/** Whether a valid number of a country may have a warning that its bank has no part in. */
export function mayWarn({ code, nationalCheck, nationalCheckEnforced }: IbanCountry): boolean {
  return code in furtherChecks || (nationalCheck !== null && !nationalCheckEnforced);
}

/** Whether a well-formed number of a country may be wrong by a check that its bank has no part in. */
export function mayReject(
  { code, nationalCheck, nationalCheckEnforced }: IbanCountry,
  enforcesUkModulus: boolean,
): boolean {
  return (nationalCheck !== null && nationalCheckEnforced) || (code === ukIban.country && enforcesUkModulus);
}
