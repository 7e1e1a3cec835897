import { checkModulus, type ModulusCheck, type ModulusTable } from "../../banking/national/uk-modulus.ts";

/** The weights of the UK modulus check, and the first day on which they are valid. */
export interface DatedModulusTable {
  readonly edition: string;
  readonly table: ModulusTable;
}

/** Packs the weights for `ModulusEdition`; nothing if there are none. */
export function packModulus(dated: DatedModulusTable | undefined): Uint8Array {
  return dated === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(dated));
}

/**
 * The UK modulus check with the weights of one edition.
 *
 * Making one costs nothing; the first check unpacks the weights, some milliseconds and 300 KB in a thread.
 */
export class ModulusEdition {
  readonly #packed: Uint8Array;
  #opened: DatedModulusTable | undefined;

  constructor(packed: Uint8Array = new Uint8Array()) {
    this.#packed = packed;
  }

  /** First day of the weights; undefined if there are none. */
  get edition(): string | undefined {
    return this.#open()?.edition;
  }

  /** Checks a sort code of six and an account of eight digits; `no_rule` where there are no weights. */
  check(sortCode: string, account: string): ModulusCheck {
    const table = this.#open()?.table;
    return table === undefined
      ? { result: "no_rule", isExempt: false }
      : checkModulus(table, sortCode, account);
  }

  #open(): DatedModulusTable | undefined {
    if (this.#packed.length > 0) this.#opened ??= JSON.parse(Buffer.from(this.#packed).toString());
    return this.#opened;
  }
}
