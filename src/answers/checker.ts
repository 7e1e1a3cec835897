import type { BankDirectory } from "../banks/directory.ts";
import { BankSearch } from "../banks/search/bank-search.ts";
import { AnswerBytes } from "./answer-bytes.ts";
import { IbanChecker } from "./iban-checker.ts";

/** Everything one worker needs to check and to write answers, over one edition of the bank directory. */
export class Checker {
  readonly directory: BankDirectory;
  readonly iban: IbanChecker;
  readonly answer = new AnswerBytes();
  #search: BankSearch | undefined;

  constructor(directory: BankDirectory) {
    this.directory = directory;
    this.iban = new IbanChecker(directory);
  }

  /** The search index, built when the first search needs it or when the worker has nothing else to do. */
  get search(): BankSearch {
    this.#search ??= new BankSearch(this.directory);
    return this.#search;
  }
}
