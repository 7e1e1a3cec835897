import type { DirectoryEdition } from "../directory/record.ts";
import type { BankList, RegisterList } from "./bank-lists.ts";

/** What is known of an edition of the bank data that was loaded. */
export interface LoadedEdition {
  readonly edition: DirectoryEdition;
  /** Number of Bankleitzahlen. */
  readonly blzCount: number;
  /** Number of records of all countries. */
  readonly recordCount: number;
  /** What is known of the list of each country. */
  readonly lists: readonly BankList[];
  /** What is known of the lists that are not those of a country's banks. */
  readonly registers: readonly RegisterList[];
  /** Whether an operator has said that it may be much smaller than the one before. */
  readonly isForced?: true;
  /** Last day on which it is valid, where the data says so. */
  readonly validUntil?: string;
  /** First day on which another edition of the folder is to be used, where there is one. */
  readonly nextChange?: string;
}
