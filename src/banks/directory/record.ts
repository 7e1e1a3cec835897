import type { SepaMethods } from "../../banking/sepa.ts";

/**
 * States what the directory knows of one bank, or of one further location of a German bank.
 *
 * Texts that are not known are `""`; facts that are not known are `null`, never a guess.
 */
export interface BankRecord {
  /** ISO 3166-1 alpha-2 code; must be a country of the IBAN registry. */
  readonly country: string;
  /** Bank identifier exactly as it is in the country's BBAN; in Germany the Bankleitzahl, 8 digits, 10000000 or more. */
  readonly bankCode: string;
  /** Branch identifier exactly as in the BBAN; `""` where the record speaks of the whole bank. */
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
  /** Whether the bank code is marked for deletion. */
  readonly deleteMark: boolean | null;
  /** Present where the bank code is no longer valid because it has been deleted (change code D). */
  readonly removed?: true;
  /** The German bank code that follows this one, 8 digits. */
  readonly successor: string | null;
  readonly sepa: SepaMethods;
  /**
   * Whether `sepa` is the flat assumption or was read from a clearing directory: for the bank's own BIC, or inherited
   * from its head office.
   */
  readonly sepaSource: "assumed" | "directory" | "inherited";
}

/** Names the editions a directory was built from; it holds no time of building, so equal data produce equal bytes. */
export interface DirectoryEdition {
  /** First day on which the German bank codes are valid, YYYY-MM-DD. */
  readonly german: string;
  /** State of the other countries' banks, as their source names it. */
  readonly other: string;
  /** First day on which the clearing directory is valid, YYYY-MM-DD; absent where none was used. */
  readonly scl?: string;
  /** State of the banks of the countries that have a list of their own, by country. */
  readonly lists?: Readonly<Record<string, string>>;
  readonly builtAt?: never;
}
