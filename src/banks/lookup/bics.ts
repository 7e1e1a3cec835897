import { fullBic } from "../../banking/bic.ts";
import type { SepaMethods } from "../../banking/sepa.ts";
import type { SepaReach } from "../../contract/api-types.ts";
import type { BankDirectory } from "../directory/directory.ts";
import { type ArraysOf, equalRange, openArrays, packArrays } from "../search/packed-arrays.ts";
import { packSortedTexts, SortedTexts, startsOf } from "../search/sorted-texts.ts";

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
    const { first, end } = equalRange({ first: 0, end: records.length }, (place) => {
      const bic = fullBic(this.#directory.bic(records[place]!)!);
      return bic < prefix ? -1 : Number(!bic.startsWith(prefix));
    });
    return records.subarray(first, end);
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

export type Scheme = keyof typeof schemeRegisters;

/** The first day on which a participant takes part in a scheme, and the one on which it leaves; null if none is named. */
type SchemeTerm = Readonly<Pick<NonNullable<SepaReach["vop"]>, "since" | "until">>;

/** Entries of one BIC in the registers. */
export interface BicFacts {
  /** Null if none names it. */
  readonly name: string | null;
  readonly location: string | null;
  readonly schemes: Readonly<Partial<Record<Scheme, SchemeTerm>>>;
  /** What the clearing directory says of it; absent if that does not list it. */
  readonly sepa?: SepaMethods;
}

type RegisterEditions = Readonly<Partial<Record<Scheme, string>>>;

export interface LoadedRegister {
  readonly editions: RegisterEditions;
  /** By BIC of 11 characters. */
  readonly facts: ReadonlyMap<string, BicFacts>;
}

const layout = {
  /** `SortedTexts` of 11 characters each. */
  bics: Uint8Array,
  /** Where the facts of each BIC begin and, after the last, where they end; they are JSON, one after the other. */
  starts: Uint32Array,
  facts: Uint8Array,
  editions: Uint8Array,
} as const;

export function packBicRegister({ editions, facts }: LoadedRegister): Uint8Array {
  const bics = [...facts.keys()].sort();
  const texts = bics.map((bic) => Buffer.from(JSON.stringify(facts.get(bic))));
  return packArrays(layout, {
    bics: packSortedTexts(bics),
    starts: startsOf(texts),
    facts: Buffer.concat(texts),
    editions: Buffer.from(JSON.stringify(editions)),
  });
}

/** Reads the registers' entries of single BICs, in place and from any thread. */
export class BicRegister {
  /** First days of the scheme registers that are loaded, by scheme. */
  readonly editions: RegisterEditions;
  readonly #arrays: ArraysOf<typeof layout>;
  readonly #bics: SortedTexts;

  /** @param packed what `packBicRegister` returned. */
  constructor(packed: Uint8Array) {
    this.#arrays = openArrays(layout, packed);
    this.#bics = new SortedTexts(this.#arrays.bics);
    this.editions = JSON.parse(textIn(this.#arrays.editions)) as RegisterEditions;
  }

  /** Returns the facts of a BIC of 8 or 11 characters; undefined if no register has it. */
  find(bic: string): BicFacts | undefined {
    const { starts, facts } = this.#arrays;
    const { first, end } = this.#bics.beginningWith(fullBic(bic));
    return first === end ? undefined : JSON.parse(textIn(facts, starts[first], starts[end]));
  }
}

function textIn({ buffer, byteOffset, length }: Uint8Array, start = 0, end = length): string {
  return Buffer.from(buffer, byteOffset + start, end - start).toString();
}
