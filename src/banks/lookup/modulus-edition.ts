import {
  checkModulus,
  type ModulusCheck,
  type ModulusRange,
  type ModulusTable,
} from "../../banking/national/uk-modulus.ts";

/** The weights of the UK modulus check, and the first day on which they are valid. */
export interface DatedModulusTable {
  readonly edition: string;
  readonly table: ModulusTable;
}

interface Packed {
  readonly edition: string;
  readonly ranges: readonly ModulusRange[];
  readonly substitutes: readonly (readonly [number, number])[];
}

/** Packs the weights for `ModulusEdition`; nothing if there are none. */
export function packModulus(dated: DatedModulusTable | undefined): Uint8Array {
  if (dated === undefined) return new Uint8Array();
  const { edition, table } = dated;
  const packed: Packed = { edition, ranges: table.ranges, substitutes: [...table.substitutes] };
  return Buffer.from(JSON.stringify(packed));
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
    if (this.#packed.length > 0) this.#opened ??= unpack(this.#packed);
    return this.#opened;
  }
}

function unpack(packed: Uint8Array): DatedModulusTable {
  const { edition, ranges, substitutes } = JSON.parse(Buffer.from(packed).toString()) as Packed;
  return { edition, table: { ranges, substitutes: new Map(substitutes) } };
}
