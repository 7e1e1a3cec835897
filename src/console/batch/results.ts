import type { RowResult } from "./check-rows.ts";

/** Which rows are shown: all, or those of a verdict, of a reason, or whose bank is not known. */
export type Filter = "all" | "valid" | "invalid" | "unknownBank" | "unchecked" | `reason:${string}`;

/** How many rows have which result: `valid`, `invalid` and `unchecked` add up to all rows. */
export interface Counts {
  readonly valid: number;
  readonly invalid: number;
  /** Valid rows whose bank is not known. */
  readonly unknownBank: number;
  readonly checked: number;
  /** Invalid rows by reason, the most frequent first. */
  readonly reasons: ReadonlyMap<string, number>;
}

/** The results of a table's rows. */
export class Results {
  readonly #found: (RowResult | undefined)[];
  /** Entries that are alike are kept once: many rows have the same bank. */
  readonly #alike = new Map<string, RowResult>();
  readonly #reasons = new Map<string, number>();
  #valid = 0;
  #invalid = 0;
  #unknownBank = 0;

  constructor(rows: number) {
    this.#found = new Array(rows).fill(undefined);
  }

  /** How many rows there are. */
  get size(): number {
    return this.#found.length;
  }

  get counts(): Counts {
    return {
      valid: this.#valid,
      invalid: this.#invalid,
      unknownBank: this.#unknownBank,
      checked: this.#valid + this.#invalid,
      reasons: new Map([...this.#reasons].sort(([, one], [, other]) => other - one)),
    };
  }

  /** Adds the answers for the rows from `first` on. */
  add(first: number, entries: readonly RowResult[]): void {
    for (const [index, entry] of entries.entries()) {
      const kept = this.#kept(entry);
      this.#found[first + index] = kept;
      if (kept.valid) {
        this.#valid++;
        if ((kept.data?.bank ?? "") === "") this.#unknownBank++;
      } else {
        this.#invalid++;
        const reason = reasonOf(kept);
        this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
      }
    }
  }

  /** The result of a row; undefined as long as it is not checked. */
  of(row: number): RowResult | undefined {
    return this.#found[row];
  }

  /** Whether a filter lets a row through. */
  passes(row: number, filter: Filter): boolean {
    const entry = this.#found[row];
    if (filter === "all") return true;
    if (entry === undefined || filter === "unchecked") return entry === undefined && filter === "unchecked";
    if (filter === "valid") return entry.valid;
    if (filter === "invalid") return !entry.valid;
    if (filter === "unknownBank") return entry.valid && (entry.data?.bank ?? "") === "";
    return !entry.valid && `reason:${reasonOf(entry)}` === filter;
  }

  #kept({ valid, status, data, error }: RowResult): RowResult {
    const {
      iban = null,
      bic = null,
      blz = "",
      bank = "",
      zip = "",
      location = "",
      country = "",
      sepa_methods,
    } = data ?? {};
    const { reason = null, message = null } = data ?? {};
    const entry: RowResult = {
      valid,
      status,
      data: {
        iban: null,
        bic,
        blz,
        bank,
        zip,
        location,
        country,
        ...(sepa_methods && { sepa_methods }),
        reason,
        message,
      },
      ...(error === undefined ? {} : { error: { code: error.code } }),
    };
    const key = JSON.stringify(entry);
    const known = this.#alike.get(key) ?? entry;
    this.#alike.set(key, known);
    // An IBAN made from an account is the row's own.
    return iban === null || data?.made !== true
      ? known
      : { ...known, data: { ...known.data!, iban, made: true } };
  }
}

/** The reason of an invalid entry: the service's word, or its status where it gives none. */
export function reasonOf({ status, data, error }: RowResult): string {
  return data?.reason ?? (error === undefined ? `status_${status}` : "not_an_iban");
}
