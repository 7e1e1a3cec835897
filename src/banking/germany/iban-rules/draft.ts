import { KONTONUMMER_LENGTH } from "../account.ts";

/**
 * The facts of the bank code file that the IBAN rules read.
 *
 * Only `method`, `bic` and `rule` are needed; an absent, null or empty fact is one that is not known.
 */
export interface RuleBank {
  /** Check-digit method, two characters. */
  readonly method: string | null;
  readonly bic: string | null;
  /** IBAN rule with or without its version (`"000503"`, `"0005"`). */
  readonly rule: string | null;
  /** Eight-digit bank code that follows this one; `"00000000"` is none. */
  readonly successor?: string | null | undefined;
  /** Whether the bank code is (to be) removed from the bank code file. */
  readonly deleteMark?: boolean | null | undefined;
  /** Change code A, D, M or U (field 11); where it is given, it alone says whether the bank code was removed. */
  readonly change?: string | null | undefined;
  readonly name?: string | undefined;
}

/** Looks up a bank code's facts; undefined where the bank code file does not have it. */
export type BankOf = (blz: string) => RuleBank | null | undefined;

/** Bank code, account number and BIC while the steps of a rule change them. */
export class Draft {
  blz: string;
  /** Ten digits. */
  kontonummer: string;
  /** The BIC a step has given; undefined: that of the bank code. */
  bic: string | undefined = undefined;
  /** Whether a step could not test the number because the bank code's method is not known. */
  untested = false;
  readonly #inputBlz: string;
  readonly #inputBank: RuleBank;
  readonly #bankOf: BankOf;

  /** Takes a valid bank code with its facts and an account number padded to ten digits. */
  constructor(blz: string, kontonummer: string, bank: RuleBank, bankOf: BankOf) {
    this.blz = blz;
    this.kontonummer = kontonummer;
    this.#inputBlz = blz;
    this.#inputBank = bank;
    this.#bankOf = bankOf;
  }

  /** The facts of the bank code reached so far; undefined where it is not in the bank code file. */
  get bank(): RuleBank | undefined {
    return this.moved ? (this.#bankOf(this.blz) ?? undefined) : this.#inputBank;
  }

  /** Whether a step has moved to another bank code. */
  get moved(): boolean {
    return this.blz !== this.#inputBlz;
  }
}

/** The successor a bank code file names, or undefined where it names none. */
export function successorOf(bank: RuleBank): string | undefined {
  const successor = bank.successor;
  return typeof successor === "string" && /^[1-9]\d{7}$/.test(successor) ? successor : undefined;
}

/** Pads a number of a table to the width it has in a bank code or account number; throws for anything else. */
export function padNumber(digits: string, width: number): string {
  if (!/^\d+$/.test(digits) || digits.length > width)
    throw new Error(`"${digits}" has not 1 to ${width} digits`);
  return digits.padStart(width, "0");
}

/** How many digits a ten-digit account number has without its leading zeros. */
export function digitCount(kontonummer: string): number {
  let leading = 0;
  while (leading < KONTONUMMER_LENGTH && kontonummer[leading] === "0") leading++;
  return KONTONUMMER_LENGTH - leading;
}

/** The account number with digits appended and as many leading zeros dropped; undefined where they are too few. */
export function withAppended(kontonummer: string, digits: string): string | undefined {
  return digitCount(kontonummer) + digits.length > KONTONUMMER_LENGTH
    ? undefined
    : kontonummer.slice(digits.length) + digits;
}
