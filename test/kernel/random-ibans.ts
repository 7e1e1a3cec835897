import { germanAccount } from "../../src/banking/germany/account.ts";
import { checkMethod } from "../../src/banking/germany/methods.ts";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { ibanCountries, ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { CharClass } from "../../src/banking/iban/structure.ts";
import type { BankDirectory } from "../../src/banks/directory/directory.ts";
import { unknownBank } from "../../src/banks/directory/record.ts";
import { withNationalCheckDigits } from "../support/iban-mix.ts";
import { type Random, randomOf } from "../support/random.ts";

const digits = "0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Where letters are allowed, real numbers mostly have digits. */
const alphabets: Readonly<Record<number, string>> = {
  [CharClass.n]: digits,
  [CharClass.a]: letters,
  [CharClass.c]: digits.repeat(20) + letters,
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

  constructor(directory: BankDirectory, seed: number) {
    this.#directory = directory;
    this.below = randomOf(seed);
  }

  /** Returns the next string. */
  next(): string {
    const iban = this.#iban();
    switch (this.below(12)) {
      case 0:
        return this.#damaged(iban);
      case 1: {
        const written = this.below(2) === 0 ? iban : this.#damaged(iban);
        return written.replace(/./g, (character) => character + " ".repeat(this.below(3)));
      }
      case 2:
        return iban.replace(/./g, (character) => (this.below(2) === 0 ? character.toLowerCase() : character));
      case 3:
        return this.below(4) === 0 ? this.#drawn(printable, this.below(70)) : iban;
      default:
        return iban;
    }
  }

  /** One with right ISO check digits, in two of three cases with a right account or national check digits. */
  #iban(): string {
    const country = this.below(2) === 0 ? germany : this.#pick(ibanCountries);
    const { first, end } = this.#directory.rangeOf(country);
    const isKnown = first < end && this.below(country === germany ? 16 : 2) > 0;
    const index = first + (isKnown ? this.below(end - first) : 0);
    const { bankCode, branchCode } = isKnown ? this.#directory.record(index) : unknownBank;
    // Bank and branch are adjacent wherever the directory has branches.
    const drawn = Array.from(country.classes, (kinds) => this.#pick(alphabets[kinds]!)).join("");
    const bban = drawn.slice(0, country.bank.start) + bankCode + branchCode;
    const whole = bban + drawn.slice(bban.length);
    const isRight = this.below(3) > 0;
    if (country === germany && isKnown) {
      const method = isRight ? this.#directory.methodIndex(index) : -1;
      return composeIban("DE", bankCode + this.#kontonummer(method, bankCode));
    }
    return composeIban(country.code, isRight ? withNationalCheckDigits(country, whole) : whole);
  }

  /** Ten digits, short numbers as likely as long ones, that pass a method if there is one and some do. */
  #kontonummer(method: number, blz: string): string {
    let kontonummer = "";
    for (let attempt = 0; attempt < 30; attempt++) {
      kontonummer = this.#drawn(digits, 1 + this.below(10)).padStart(10, "0");
      if (method < 0 || checkMethod(method, germanAccount(kontonummer, blz)) !== "invalid") break;
    }
    return kontonummer;
  }

  #damaged(iban: string): string {
    const at = this.below(iban.length);
    const [before, behind] = [iban.slice(0, at), iban.slice(at + 1)];
    return this.#pick([
      before,
      before + behind,
      before + this.#pick(printable) + behind,
      before + this.#pick(digits + letters) + behind,
      iban + this.#pick(digits).repeat(1 + this.below(50)),
      iban.slice(0, 2) + this.#pick(["00", "01", "99", "02", "98", "A1", "1B"]) + iban.slice(4),
      this.#drawn(letters, 2) + iban.slice(2),
    ]);
  }

  #drawn(alphabet: string, length: number): string {
    return Array.from({ length }, () => this.#pick(alphabet)).join("");
  }

  #pick<Item>(items: ArrayLike<Item>): Item {
    return items[this.below(items.length)]!;
  }
}
