import { germanAccount } from "../../src/banking/germany/account.ts";
import { checkMethod } from "../../src/banking/germany/methods.ts";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { type IbanCountry, ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import type { BankDirectory } from "../../src/banks/directory/directory.ts";
import { withCheckDigits } from "../banking/national/national-iban.ts";
import { seededRandom } from "./random.ts";

/** Share of German IBANs, and of IBANs with one wrong digit, in a mix. */
const germanShare = 0.8;
const brokenShare = 0.1;
const otherCountries = ["AT", "NL", "FR", "CH"].map((code) => ibanCountryByCode(code)!);

/**
 * Makes IBANs as a batch integrator sends them: 80 % German ones over all bank codes, with account numbers that pass
 * their bank's method, 20 % of AT, NL, FR and CH with bank codes of the directory; 10 % of all have one wrong digit.
 */
export class IbanMix {
  readonly #directory: BankDirectory;
  readonly #random: () => number;
  readonly #german: readonly number[];
  readonly #others: ReadonlyMap<string, readonly string[]>;

  constructor(directory: BankDirectory, seed = 1) {
    this.#directory = directory;
    this.#random = seededRandom(seed);
    const german: number[] = [];
    const others = new Map<string, string[]>(otherCountries.map(({ code }) => [code, []]));
    for (let index = 0; index < directory.size; index++) {
      const { country, main, bankCode } = directory.record(index);
      if (country === "DE" && main) german.push(index);
      others.get(country)?.push(bankCode);
    }
    this.#german = german;
    this.#others = others;
  }

  /** The edition of the German bank data that the IBANs are made from. */
  get edition(): string {
    return this.#directory.editionOf("DE");
  }

  /** Returns the next IBAN. */
  next(): string {
    const iban = this.#random() < germanShare ? this.#germanIban() : this.#otherIban();
    return this.#random() < brokenShare ? this.#broken(iban) : iban;
  }

  /** Returns the next `count` IBANs. */
  take(count: number): string[] {
    return Array.from({ length: count }, () => this.next());
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #germanIban(): string {
    const bank = this.#german[this.#below(this.#german.length)]!;
    const { bankCode } = this.#directory.record(bank);
    return composeIban("DE", bankCode + this.#kontonummer(this.#directory.methodIndex(bank), bankCode));
  }

  #kontonummer(method: number, blz: string): string {
    for (;;) {
      const kontonummer = String(1 + this.#below(9_999_999_998)).padStart(10, "0");
      if (method < 0 || checkMethod(method, germanAccount(kontonummer, blz)) !== "invalid")
        return kontonummer;
    }
  }

  #otherIban(): string {
    const country = otherCountries[this.#below(otherCountries.length)]!;
    const codes = this.#others.get(country.code)!;
    const bankCode = codes[this.#below(codes.length)]!;
    const rest = country.classes.length - bankCode.length;
    const bban = bankCode + Array.from({ length: rest }, () => this.#below(10)).join("");
    return composeIban(country.code, withNationalCheckDigits(country, bban));
  }

  #broken(iban: string): string {
    const place = iban.length - 1 - this.#below(6);
    const digit = iban.charCodeAt(place) - 48;
    return `${iban.slice(0, place)}${(digit + 1 + this.#below(8)) % 10}${iban.slice(place + 1)}`;
  }
}

/** Returns an IBAN at a bank code, made of the country's example; a German account need not pass its bank's method. */
export function ibanAtBank(countryCode: string, bankCode: string): string {
  const country = ibanCountryByCode(countryCode)!;
  const { start, length } = country.bank;
  const example = country.example.slice(4);
  // Some accounts have no check digit, as one of ten in Norway.
  for (const digit of "123456789") {
    const atBank = example.slice(0, start) + bankCode + digit + example.slice(start + length + 1);
    const { nationalCheck } = country;
    if (nationalCheck?.expected(Buffer.from(atBank), 0) === null) continue;
    return composeIban(country.code, withNationalCheckDigits(country, atBank));
  }
  throw new Error(`no account has check digits at ${country.code} ${bankCode}`);
}

/** Puts the right national check digits into a BBAN, if there are any. */
export function withNationalCheckDigits({ code, nationalCheck }: IbanCountry, bban: string): string {
  const digits = nationalCheck?.expected(Buffer.from(bban), 0) ?? null;
  return digits === null ? bban : withCheckDigits(`${code}00${bban}`, digits).slice(4);
}
