import { germanAccount } from "../../src/banking/germany/account.ts";
import { checkMethod } from "../../src/banking/germany/methods.ts";
import { type IbanCountry, ibanCountries, ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { CharClass } from "../../src/banking/iban/structure.ts";
import { ibanCheckDigits } from "../../src/banking/mod97.ts";
import type { BankDirectory } from "../../src/banks/directory/directory.ts";
import { withNationalCheckDigits } from "../support/iban-mix.ts";
import { type Random, randomOf } from "../support/random.ts";

const digits = "0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const alphabets: Readonly<Record<number, string>> = {
  [CharClass.n]: digits,
  [CharClass.a]: letters,
  [CharClass.c]: digits + letters,
};
/** Printable ASCII that a JSON string holds without an escape. */
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  .join("")
  .replace(/["\\]/g, "");
const germany = ibanCountryByCode("DE")!;

/**
 * Makes strings of all kinds a batch may hold: right IBANs of all countries with known and unknown banks, German ones
 * over all bank codes with right and wrong accounts, and all of them damaged or written otherwise.
 */
export class RandomIbans {
  readonly #directory: BankDirectory;
  /** A whole number from 0 to below the one given. */
  readonly below: Random;
  readonly #german: readonly { readonly index: number; readonly bankCode: string }[];
  readonly #bankCodes: ReadonlyMap<string, readonly string[]>;

  constructor(directory: BankDirectory, seed: number) {
    this.#directory = directory;
    this.below = randomOf(seed);
    const german: { index: number; bankCode: string }[] = [];
    const bankCodes = new Map<string, string[]>();
    for (let index = 0; index < directory.size; index++) {
      const { country, main, bankCode, branchCode } = directory.record(index);
      if (country === "DE" && main) german.push({ index, bankCode });
      const codes = bankCodes.get(country) ?? [];
      bankCodes.set(country, codes);
      // Bank and branch are adjacent wherever the directory has branches.
      codes.push(bankCode + branchCode);
    }
    this.#german = german;
    this.#bankCodes = bankCodes;
  }

  /** Returns the next string. */
  next(): string {
    const iban = this.below(2) === 0 ? this.germanIban() : this.ibanOf(this.#pick(ibanCountries));
    switch (this.below(12)) {
      case 0:
        return this.#damaged(iban);
      case 1:
        return this.#spaced(this.below(2) === 0 ? iban : this.#damaged(iban));
      case 2:
        return this.#inOtherCase(iban);
      case 3:
        return this.below(8) === 0 ? this.#anything() : iban;
      default:
        return iban;
    }
  }

  /** A German IBAN with right ISO check digits; its account is right in about two of three. */
  germanIban(): string {
    const { index, bankCode } = this.#pick(this.#german);
    if (this.below(16) === 0) return this.#composed("DE", this.#charactersOf(germany, 0));
    const kontonummer = this.#kontonummer();
    return this.#composed(
      "DE",
      bankCode + (this.below(3) === 0 ? kontonummer : this.#right(index, bankCode)),
    );
  }

  /** An IBAN of any country with right ISO check digits; half of them with a bank of the directory. */
  ibanOf(country: IbanCountry): string {
    const bankCodes = this.#bankCodes.get(country.code);
    const known = bankCodes !== undefined && this.below(2) === 0 ? this.#pick(bankCodes) : "";
    const start = country.bank?.start ?? 0;
    const head = this.#charactersOf(country, 0, known === "" ? country.classes.length : start);
    const bban = known === "" ? head : head + known + this.#charactersOf(country, start + known.length);
    const isChecked = this.below(3) > 0;
    return this.#composed(country.code, isChecked ? withNationalCheckDigits(country, bban) : bban);
  }

  #right(index: number, bankCode: string): string {
    const method = this.#directory.methodIndex(index);
    for (let attempt = 0; attempt < 30 && method >= 0; attempt++) {
      const kontonummer = this.#kontonummer();
      if (checkMethod(method, germanAccount(kontonummer, bankCode)) !== "invalid") return kontonummer;
    }
    return this.#kontonummer();
  }

  /** Ten digits, short numbers as likely as long ones. */
  #kontonummer(): string {
    const length = 1 + this.below(10);
    let number = "";
    while (number.length < length) number += this.below(10);
    return number.padStart(10, "0");
  }

  #charactersOf(country: IbanCountry, from: number, to = country.classes.length): string {
    let text = "";
    for (let at = from; at < to; at++) {
      const characterClass = country.classes[at]!;
      // Where letters are allowed, real numbers mostly have digits.
      const isPlain = characterClass === CharClass.c && this.below(8) > 0;
      text += this.#pick(isPlain ? digits : alphabets[characterClass]!);
    }
    return text;
  }

  #composed(country: string, bban: string): string {
    return country + ibanCheckDigits(country, bban) + bban;
  }

  #damaged(iban: string): string {
    const at = this.below(iban.length);
    switch (this.below(7)) {
      case 0:
        return iban.slice(0, at);
      case 1:
        return iban + this.#pick(digits).repeat(1 + this.below(50));
      case 2:
        return iban.slice(0, at) + this.#pick(printable) + iban.slice(at + 1);
      case 3:
        return iban.slice(0, at) + this.#pick(digits + letters) + iban.slice(at + 1);
      case 4:
        return iban.slice(0, 2) + this.#pick(["00", "01", "99", "02", "98", "A1", "1B"]) + iban.slice(4);
      case 5:
        return this.#pick(letters) + this.#pick(letters) + iban.slice(2);
      default:
        return iban.slice(0, at) + iban.slice(at + 1);
    }
  }

  #spaced(iban: string): string {
    if (this.below(2) === 0) return iban.replace(/(.{4})/g, "$1 ");
    return iban.replace(/./g, (character) => character + " ".repeat(this.below(3)));
  }

  #inOtherCase(iban: string): string {
    if (this.below(2) === 0) return iban.toLowerCase();
    return iban.replace(/./g, (character) => (this.below(2) === 0 ? character.toLowerCase() : character));
  }

  #anything(): string {
    let text = "";
    for (let left = this.below(40); left > 0; left--) text += this.#pick(printable);
    return text;
  }

  #pick<Item>(items: ArrayLike<Item>): Item {
    return items[this.below(items.length)]!;
  }
}
