import { fullBic } from "../../banking/bic.ts";
import type { BankDirectory } from "../directory/directory.ts";
import { binarySearch } from "../search/packed-arrays.ts";

const indexDigits = 9;

/** Packs the indexes of the records that have a BIC, by their BIC of 11 characters. */
export function packBicIndex(directory: BankDirectory): Uint8Array {
  // BIC and index in one text: a sort without a comparison function takes a fraction of one with it.
  const keys: string[] = [];
  for (let index = 0; index < directory.size; index++) {
    const bic = directory.bic(index);
    if (bic !== null) keys.push(fullBic(bic) + String(index).padStart(indexDigits, "0"));
  }
  keys.sort();
  return new Uint8Array(Uint32Array.from(keys, (key) => Number(key.slice(-indexDigits))).buffer);
}

/** Finds records by their BIC, in place and from any thread. */
export class BicIndex {
  readonly #directory: BankDirectory;
  readonly #records: Uint32Array;

  /** @param packed what `packBicIndex` returned for this very directory, aligned to four bytes. */
  constructor(directory: BankDirectory, packed: Uint8Array = packBicIndex(directory)) {
    this.#directory = directory;
    this.#records = new Uint32Array(packed.buffer, packed.byteOffset, packed.byteLength / 4);
  }

  /**
   * Returns the indexes of the records whose BIC, written with 11 characters, begins with `prefix`, in the order of
   * their BICs; records of one BIC in the order of the directory. Some microseconds.
   */
  find(prefix: string): Uint32Array {
    const records = this.#records;
    const bicAt = (place: number): string => fullBic(this.#directory.bic(records[place]!)!);
    const first = binarySearch(records.length, (place) => bicAt(place) < prefix);
    const count = binarySearch(records.length - first, (place) => bicAt(first + place).startsWith(prefix));
    return records.subarray(first, first + count);
  }
}

/** The registers of the European Payments Council, by the name of their scheme in answers. */
export const schemeRegisters = {
  sct: "epc-sct",
  sct_inst: "epc-sct-inst",
  sdd_core: "epc-sdd-core",
  sdd_b2b: "epc-sdd-b2b",
  vop: "epc-vop",
} as const;

/** A scheme of `schemeRegisters`. */
export type Scheme = keyof typeof schemeRegisters;

/** How long a participant takes part in a scheme. */
export interface SchemeTerm {
  /** First day; null if the register names none. */
  readonly since: string | null;
  /** The day on which it leaves; null if the register names none. */
  readonly until: string | null;
}

/** Entries of one BIC in the registers. */
export interface BicFacts {
  /** Null if none names it. */
  readonly name: string | null;
  readonly city: string | null;
  readonly lei: string | null;
  readonly schemes: Readonly<Partial<Record<Scheme, SchemeTerm>>>;
}

const bicBytes = 11;
const entryBytes = 16;

/** First days of the scheme registers that are loaded, by scheme. */
export type RegisterEditions = Readonly<Partial<Record<Scheme, string>>>;

/** The loaded registers and their editions. */
export interface LoadedRegister {
  readonly editions: RegisterEditions;
  /** By BIC of 11 characters. */
  readonly facts: ReadonlyMap<string, BicFacts>;
}

/**
 * Packs a register for `BicRegister`: for each BIC, in order, its 11 characters and where its facts end, then all facts
 * as JSON, and last the editions.
 */
export function packBicRegister({ editions, facts }: LoadedRegister): Uint8Array {
  const bics = [...facts.keys()].sort();
  const texts = bics.map((bic) => Buffer.from(JSON.stringify(facts.get(bic))));
  const entries = Buffer.alloc(4 + bics.length * entryBytes);
  entries.writeUInt32LE(bics.length);
  let end = 0;
  for (const [index, bic] of bics.entries()) {
    const at = 4 + index * entryBytes;
    entries.write(bic, at, "latin1");
    end += texts[index]!.length;
    entries.writeUInt32LE(end, at + bicBytes + 1);
  }
  return Buffer.concat([entries, ...texts, Buffer.from(JSON.stringify(editions))]);
}

/** Reads the registers' entries of single BICs, in place and from any thread. */
export class BicRegister {
  readonly #bytes: Buffer;
  readonly #count: number;
  #editions: RegisterEditions | undefined;

  constructor(packed: Uint8Array) {
    this.#bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
    this.#count = packed.length < 4 ? 0 : this.#bytes.readUInt32LE();
  }

  /** First days of the scheme registers that are loaded, by scheme. */
  get editions(): RegisterEditions {
    this.#editions ??= this.#readEditions();
    return this.#editions;
  }

  /** Returns the facts of a BIC of 8 or 11 characters; undefined if no register has it. */
  find(bic: string): BicFacts | undefined {
    const wanted = fullBic(bic);
    const index = binarySearch(this.#count, (at) => this.#bic(at) < wanted);
    if (index >= this.#count || this.#bic(index) !== wanted) return undefined;
    const texts = 4 + this.#count * entryBytes;
    const start = index === 0 ? 0 : this.#end(index - 1);
    return JSON.parse(this.#bytes.toString("utf8", texts + start, texts + this.#end(index))) as BicFacts;
  }

  #readEditions(): RegisterEditions {
    if (this.#bytes.length === 0) return {};
    const texts = 4 + this.#count * entryBytes;
    const start = texts + (this.#count === 0 ? 0 : this.#end(this.#count - 1));
    return JSON.parse(this.#bytes.toString("utf8", start)) as RegisterEditions;
  }

  #bic(index: number): string {
    const at = 4 + index * entryBytes;
    return this.#bytes.toString("latin1", at, at + bicBytes);
  }

  #end(index: number): number {
    return this.#bytes.readUInt32LE(4 + index * entryBytes + bicBytes + 1);
  }
}
