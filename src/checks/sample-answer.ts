import { ibanCountryByCode } from "../banking/iban/registry.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { RequestError } from "../contract/errors.ts";
import { message, textOf } from "../contract/message.ts";
import type { Language } from "../contract/messages.ts";
import type { UkModulus } from "./country-checks.ts";
import { samples } from "./sample.ts";

/** What test numbers are wanted. */
export interface SampleQuestion {
  readonly country: string;
  readonly n: number;
  readonly seed: string;
}

/**
 * Makes test numbers of a country; `data.genuine` is always false.
 *
 * @throws {RequestError} invalid_request for a country that is not in the IBAN registry.
 */
export function sampleAnswer(
  directory: BankDirectory,
  { country: code, n, seed }: SampleQuestion,
  modulus: UkModulus,
  language: Language,
): object {
  const country = ibanCountryByCode(code.trim().toUpperCase());
  if (country === undefined) {
    throw new RequestError("invalid_request", {
      message: message("country_not_in_registry"),
      field: "country",
    });
  }
  const made = samples(directory, country, seed, modulus);
  const items = Array.from({ length: n }, () => {
    const { iban, bank } = made.next().value;
    return { iban, bank: bank?.name ?? "", bic: bank?.bic ?? null };
  });
  return {
    status: 1,
    message: textOf(message("samples_made"), language),
    data: {
      genuine: false,
      country: country.code,
      seed,
      edition: directory.editionOf(country.code),
      samples: items,
    },
  };
}
