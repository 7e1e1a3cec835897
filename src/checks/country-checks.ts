import {
  currencyCountries,
  currencyOfIban,
  type IbanCountry,
  ibanCountryByCode,
  partOfBban,
} from "../banking/iban/registry.ts";
import { bbanStart } from "../banking/iban/structure.ts";
import { asciiBytes } from "../banking/mod97.ts";
import { checkModulus, ukIban } from "../banking/national/uk-modulus.ts";
import { type AccountPolicy, observableCountries } from "../banks/lookup/account-policy.ts";
import { RequestError } from "../contract/errors.ts";
import { message } from "../contract/message.ts";
import type { IbanOutcome } from "../contract/status.ts";
import { type Finding, finding, positionOf } from "./answer.ts";

export type IbanFinding = Finding<IbanOutcome>;

/** Returns the country that a request names; throws invalid_request for one that is not in the IBAN registry. */
export function countryOf(code: string): IbanCountry {
  const country = ibanCountryByCode(code.trim().toUpperCase());
  if (country === undefined) throw countryNotRegistered();
  return country;
}

export function countryNotRegistered(): RequestError {
  return new RequestError("invalid_request", {
    message: message("country_not_in_registry"),
    field: "country",
  });
}

/** Checks the national check digits: one finding for each place that holds some, since some countries have several. */
export function nationalChecks(country: IbanCountry, iban: string): readonly IbanFinding[] {
  const check = "national_check_digits";
  const { nationalCheck, nationalCheckEnforced: isEnforced } = country;
  if (nationalCheck === null) return [finding(check, "not_applicable", message("national_none"))];
  const { algorithm, spans } = nationalCheck;
  const said = message(isEnforced ? "national_enforced" : "national_observed", { algorithm });
  const bytes = asciiBytes(iban);
  const matches = nationalCheck.matches(bytes, bbanStart);
  const allExpected = matches ? null : nationalCheck.expected(bytes, bbanStart);
  let joined = 0;
  return spans.map((span): IbanFinding => {
    const position = positionOf(span);
    const right = allExpected?.slice(joined, joined + span.length);
    joined += span.length;
    if (matches || right === partOfBban(iban, span)) return finding(check, "passed", said, { position });
    return finding(check, "failed", said, {
      position,
      expected: right === undefined ? [] : [right],
      ...(isEnforced ? { outcome: "wrong_national_check_digits" } : { warning: check }),
    });
  });
}

function checkUkModulus(iban: string, { weights, observed }: AccountPolicy): IbanFinding {
  const check = "uk_modulus";
  const place = { position: ukIban.account };
  const dated = weights();
  if (dated === undefined) return finding(check, "unknown", message("uk_modulus_off"), place);
  const account = iban.slice(ukIban.account.start);
  const code = account.slice(0, ukIban.sortCodeLength);
  const { edition, table } = dated;
  const result = checkModulus(table, account);
  if (result === "no_rule")
    return finding(check, "unknown", message("uk_modulus_no_rule", { code, edition }), place);
  if (result !== "failed") {
    const said = message(`uk_modulus_${result}`, { edition });
    return finding(check, result === "exempt" ? "not_applicable" : result, said, place);
  }
  if (observed.includes(ukIban.country))
    return finding(check, result, message("uk_modulus_observed", { edition }), { ...place, warning: check });
  const said = message("uk_modulus_failed", { edition });
  return finding(check, result, said, { ...place, outcome: "wrong_national_check_digits" });
}

/** Observed only: the registry says that the letters are a currency, and not of which list. */
function checkCurrency(iban: string): IbanFinding {
  const { span, code, isKnown } = currencyOfIban(iban);
  const check = "currency";
  const position = positionOf(span);
  return isKnown
    ? finding(check, "passed", message("currency_known", { code }), { position })
    : finding(check, "failed", message("currency_unknown", { code }), { position, warning: check });
}

/** Institutions that take payments with a QR reference only. Source: SIX, Swiss Payment Standards, QR-IID. */
const qrIid = /^..\d\d(3[01]\d{3})/;

/** Observed only: the number is right, and an ordinary transfer to it is refused. */
function checkQrIban(iban: string): IbanFinding {
  const check = "qr_iban";
  const code = qrIid.exec(iban)?.[1];
  if (code === undefined) return finding(check, "not_applicable", message("qr_iban_none"));
  const position = { start: bbanStart, length: code.length };
  return finding(check, "passed", message("qr_iban_found", { code }), { position, warning: check });
}

type FurtherCheck = (iban: string, policy: AccountPolicy) => IbanFinding;

/** Checks that only some countries have, besides the bank and the national check digits. */
export const furtherChecks: Readonly<Record<string, FurtherCheck>> = {
  [ukIban.country]: checkUkModulus,
  CH: checkQrIban,
  LI: checkQrIban,
  ...Object.fromEntries(currencyCountries.map((code) => [code, checkCurrency])),
};

/**
 * Returns which of a country's checks that its bank code has no part in are made: true for one that makes a number
 * wrong when it fails, false for one that only warns.
 */
export function enforcements(country: IbanCountry, observed: readonly string[]): ReadonlySet<boolean> {
  const { code, nationalCheck, nationalCheckEnforced } = country;
  const found = new Set<boolean>();
  if (nationalCheck !== null) found.add(nationalCheckEnforced);
  if ((observableCountries as readonly string[]).includes(code)) found.add(!observed.includes(code));
  else if (code in furtherChecks) found.add(false);
  return found;
}
