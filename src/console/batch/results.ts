import type { BatchEntry } from "./answer.ts";

/** Which rows are shown. */
export type Filter = "all" | "invalid" | "unknownBank";

/** How many rows came to what; those whose bank is unknown count among the valid or the invalid ones as well. */
export interface Counts {
  readonly valid: number;
  readonly invalid: number;
  readonly unknownBank: number;
  readonly checked: number;
}

/** German bank codes are all known: one that is not makes an IBAN invalid. */
const unknownBankCode = 7;

/** What was found for the rows of a table. */
export class Results {
  readonly #found: (BatchEntry | undefined)[];
  /** Entries that are alike are kept once: many rows have the same bank. */
  readonly #alike = new Map<string, BatchEntry>();
  readonly #invalid: number[] = [];
  readonly #unknownBank: number[] = [];
  #isSorted = true;
  #valid = 0;

  constructor(rows: number) {
    this.#found = new Array(rows).fill(undefined);
  }

  /** How many rows there are. */
  get size(): number {
    return this.#found.length;
  }

  get counts(): Counts {
    const invalid = this.#invalid.length;
    return {
      valid: this.#valid,
      invalid,
      unknownBank: this.#unknownBank.length,
      checked: this.#valid + invalid,
    };
  }

  /** Takes what was answered for the rows from `first` on. */
  add(first: number, entries: readonly BatchEntry[]): void {
    for (const [index, entry] of entries.entries()) {
      const row = first + index;
      this.#found[row] = this.#kept(entry);
      if (entry.valid) this.#valid++;
      else this.#invalid.push(row);
      const isBankSought = entry.valid || entry.status === unknownBankCode;
      if (isBankSought && (entry.data?.bank ?? "") === "") this.#unknownBank.push(row);
    }
    this.#isSorted = false;
  }

  /** What was found for a row; undefined as long as it is not checked. */
  of(row: number): BatchEntry | undefined {
    return this.#found[row];
  }

  /** The rows that a filter lets through, in their order; undefined where it is all of them. */
  filtered(filter: Filter): readonly number[] | undefined {
    if (filter === "all") return undefined;
    if (!this.#isSorted) {
      // Batches are answered in any order.
      this.#invalid.sort((one, other) => one - other);
      this.#unknownBank.sort((one, other) => one - other);
      this.#isSorted = true;
    }
    return filter === "invalid" ? this.#invalid : this.#unknownBank;
  }

  #kept({ valid, status, data, error }: BatchEntry): BatchEntry {
    const { bic = null, bank = "", zip = "", location = "", country = "", sepa_methods = {} } = data ?? {};
    const entry: BatchEntry = {
      valid,
      status,
      data: { bic, bank, zip, location, country, sepa_methods },
      ...(error === undefined ? {} : { error: { code: error.code } }),
    };
    const key = JSON.stringify(entry);
    const known = this.#alike.get(key);
    if (known !== undefined) return known;
    this.#alike.set(key, entry);
    return entry;
  }
}
