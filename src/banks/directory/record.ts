import { noSepaMethods, type SepaMethods } from "../../banking/sepa.ts";

/**
 * The facts about a bank, or about an additional location of a German bank.
 *
 * Texts that are not known are `""`; facts that are not known are `null`, never a guess.
 */
export interface BankRecord {
  /** ISO 3166-1 alpha-2 code; must be a country of the IBAN registry. */
  readonly country: string;
  /** Bank identifier exactly as it is in the country's BBAN; in Germany the Bankleitzahl, 8 digits, 10000000 or more. */
  readonly bankCode: string;
  /** Branch identifier exactly as in the BBAN; `""` where the record is that of the whole bank. */
  readonly branchCode: string;
  /** ISO 9362, 8 or 11 characters as in the source (not padded). */
  readonly bic: string | null;
  /** The full name; in Germany the Bezeichnung. Never empty. */
  readonly name: string;
  /** The short name; in Germany the Kurzbezeichnung. */
  readonly shortName: string;
  readonly zip: string;
  readonly location: string;
  /** German check-digit method, two characters. */
  readonly method: string | null;
  /** German IBAN rule, 6 digits: 4 for the rule, 2 for its version. */
  readonly rule: string | null;
  /** Whether the rule was published by the Bundesbank or inferred from neighbouring banks; null exactly where the rule is. */
  readonly ruleSource: "published" | "inferred" | null;
  /** False only for the further locations of a German bank. */
  readonly main: boolean;
  readonly deleteMark: boolean | null;
  /** Present where the bank code is no longer valid because it has been deleted (change code D). */
  readonly removed?: true;
  /** The bank code that follows this one; outside Germany the name of its bank where the code is not known. */
  readonly successor: string | null;
  /** BICs of the bank code besides its own; for building a directory only, which answers them by `otherBics`. */
  readonly otherBics?: OtherBics;
  readonly sepa: SepaMethods;
  /**
   * Whether `sepa` is assumed, was read from a clearing directory, for the bank's own BIC or inherited from its head
   * office, or is a local entry.
   */
  readonly sepaSource: "assumed" | "directory" | "inherited" | "local";
  /** Who states name and BIC; without it the list of German bank codes. */
  readonly origin?: BankOrigin;
  /** Makes the error that names the row which states the record; for building a directory only. */
  readonly fault?: (reason: string) => Error;
}

/** A list that states a fact, and the first day or month of it; null where the list names none. */
export interface FactSource {
  readonly list: string;
  readonly edition: string | null;
}

/** The lists that state a bank's name and its BIC. */
export interface BankOrigin {
  readonly name: FactSource;
  readonly bic: FactSource;
}

/** A BIC that was a bank's, and its last day where that is known. */
export interface FormerBic {
  readonly bic: string;
  readonly until: string | null;
}

/** BICs of a bank code besides its own: those in use, and those that were. */
export interface OtherBics {
  readonly further: readonly string[];
  readonly former: readonly FormerBic[];
}

export const unknownBank: BankRecord = {
  country: "DE",
  bankCode: "",
  branchCode: "",
  bic: null,
  name: "",
  shortName: "",
  zip: "",
  location: "",
  method: null,
  rule: null,
  ruleSource: null,
  main: true,
  deleteMark: null,
  successor: null,
  sepa: noSepaMethods,
  sepaSource: "assumed",
};

/** Whether a bank has closed or merged: its code is listed for what was issued before, and its name says so. */
export function isFormerBank({ name }: Pick<BankRecord, "name">): boolean {
  return name.endsWith(" (former)");
}

/** Names the editions a directory was built from; it holds no time of building, so equal data produce equal bytes. */
export interface DirectoryEdition {
  /** First day on which the German bank codes are valid, YYYY-MM-DD. */
  readonly german: string;
  /** State of the other countries' banks, as their source names it. */
  readonly other: string;
  /** First day on which the clearing directory is valid, YYYY-MM-DD; absent if none was used. */
  readonly scl?: string;
  /** State of the banks of the countries that have their own list, by country. */
  readonly lists?: Readonly<Record<string, string>>;
}
