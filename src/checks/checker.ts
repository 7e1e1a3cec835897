import type { BankDirectory } from "../banks/directory/directory.ts";
import { BankSearch } from "../banks/search/bank-search.ts";
import { AnswerBytes } from "./answer-bytes.ts";
import { IbanChecker } from "./iban-checker.ts";

/** Everything one worker needs to check and to write answers, over one edition of the bank directory. */
export class Checker {
  readonly directory: BankDirectory;
  readonly iban: IbanChecker;
  readonly answer = new AnswerBytes();
  readonly search: BankSearch;

  constructor(directory: BankDirectory, search = new BankSearch(directory)) {
    this.directory = directory;
    this.iban = new IbanChecker(directory);
    this.search = search;
  }
}
