import { generateIban } from "../banking/germany/iban-rules/generate.ts";
import { composeIban, placesOf } from "../banking/iban/compose.ts";
import { currencyCountries, currencyOfIban, type IbanCountry, partOfBban } from "../banking/iban/registry.ts";
import { CharClass } from "../banking/iban/structure.ts";
import { asciiBytes } from "../banking/mod97.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { type BankRecord, isFormerBank } from "../banks/directory/record.ts";
import type { Language } from "../contract/language.ts";
import { message, textOf } from "../contract/message.ts";
import type { BankFilters } from "../suggest/filters.ts";
import { countryOf } from "./country-checks.ts";
import { checkIban, type IbanCheck } from "./iban-check.ts";

/** Tries at one bank before another one is taken; the strictest German methods pass one number in eleven. */
const triesAtBank = 200;

type Base = Pick<BankFilters, "directory" | "policy">;

/** Banks without a number before no further one is tried: the data may know no IBAN rule of any. */
const maxBanksWithout = 100;

/**
 * Returns IBANs of a country that pass every check, at banks of the directory: the same for the same seed and data.
 * Where no bank of the country is known, they have none.
 *
 * Ends only where the bank data allows no such IBAN. They are made up: an account may happen to have one, but none
 * is known to. Where the directory has no bank of the country the bank code is that of the registry's example. Some
 * microseconds each, in Germany a few dozen.
 */
export function* samples({ directory, policy }: Base, country: IbanCountry, seed: string) {
  const random = randomOf(`${country.code} ${seed}`);
  const { first, end } = directory.rangeOf(country);
  let without = 0;
  while (without++ < maxBanksWithout) {
    const bank = first === end ? undefined : directory.record(first + random(end - first));
    if (bank !== undefined && !isOpen(bank)) continue;
    for (let tried = 0; tried < triesAtBank; tried++) {
      const iban = draw(directory, country, bank, random);
      const check = iban === undefined ? undefined : checkIban(directory, iban, undefined, policy);
      if (check === undefined || !passesEverything(check)) continue;
      without = 0;
      // A German IBAN rule may have led to another bank.
      yield check;
      break;
    }
  }
}

/** A check that the data cannot decide does not count. */
function passesEverything({ outcome, checks }: IbanCheck): boolean {
  const isFine = ({ result, warning }: IbanCheck["checks"][number]) =>
    result === "unknown" || (result !== "failed" && warning === undefined);
  return outcome === "valid" && checks.every(isFine);
}

/** Whether numbers are made at a bank: its main record or a branch with a code, neither to be deleted, merged nor closed. */
function isOpen(bank: BankRecord): boolean {
  return bank.main && bank.deleteMark !== true && bank.successor === null && !isFormerBank(bank);
}

function draw(
  directory: BankDirectory,
  country: IbanCountry,
  bank: BankRecord | undefined,
  random: Random,
): string | undefined {
  if (bank?.country === "DE") {
    const account = String(1 + random(9_999_999_999));
    const generated = generateIban(bank.bankCode, account, directory.ruleBank);
    return "iban" in generated && generated.checkDigit !== "unknown_method" ? generated.iban : undefined;
  }
  const { classes, bank: bankSpan, branch: branchSpan, nationalCheck, example } = country;
  const characters = Array.from(classes, (charClass) =>
    charClass === CharClass.a ? String.fromCharCode(65 + random(26)) : String(random(10)),
  );
  const put = (text: string, start: number) => characters.splice(start, text.length, ...text);
  put(bank?.bankCode ?? partOfBban(example, bankSpan), bankSpan.start);
  put(bank?.branchCode ?? "", branchSpan?.start ?? 0);
  if (currencyCountries.includes(country.code)) {
    const { span, code } = currencyOfIban(example);
    put(code, span.start);
  }
  if (nationalCheck !== null) {
    const digits = nationalCheck.expected(asciiBytes(characters.join("")), 0);
    if (digits === null) return undefined;
    const placesOfBank = placesOf(bankSpan);
    for (const [at, place] of nationalCheck.spans.flatMap(placesOf).entries()) {
      if (!placesOfBank.includes(place)) characters[place] = digits[at]!;
    }
  }
  return composeIban(country.code, characters.join(""));
}

/** Returns a number from 0 to below `bound`. */
type Random = (bound: number) => number;

/** A small generator of our own, so that a seed yields the same numbers in every version of Node. */
function randomOf(seed: string): Random {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(seed)) state = Math.imul(state ^ byte, 0x01000193);
  const next = (): number => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return (bound) => Math.floor((((next() >>> 11) * 2 ** 32 + next()) / 2 ** 53) * bound);
}

export interface SampleQuestion {
  readonly country: string;
  readonly n: number;
  readonly seed: string;
}

/**
 * Returns test numbers of a country; `data.genuine` is always false.
 *
 * @throws {RequestError} invalid_request for a country that is not in the IBAN registry.
 */
export function sampleAnswer(base: Base, { country: code, n, seed }: SampleQuestion, language: Language) {
  const country = countryOf(code);
  const items: object[] = [];
  for (const { iban, bank } of samples(base, country, seed)) {
    const sepa = { sepa_methods: bank?.sepa ?? null, sepa_source: bank?.sepaSource ?? null };
    if (items.push({ iban, bank: bank?.name ?? "", bic: bank?.bic ?? null, ...sepa }) === n) break;
  }
  const isEmpty = items.length === 0;
  return {
    status: isEmpty ? 0 : 1,
    message: textOf(message(isEmpty ? "samples_none" : "samples_made"), language),
    data: {
      genuine: false,
      country: country.code,
      seed,
      edition: base.directory.editionOf(country.code),
      samples: items,
    },
  };
}
