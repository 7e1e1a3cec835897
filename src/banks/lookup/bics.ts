import { fullBic } from "../../banking/bic.ts";
import type { SepaMethods } from "../../banking/sepa.ts";
import type { SepaReach } from "../../contract/api-types.ts";
import { beginningWith, sortedTexts, startsOf } from "../search/sorted-texts.ts";

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

/** The registers' entries of single BICs, read in place. */
export type BicRegister = ReturnType<typeof bicRegister>;

export function bicRegister({ editions, facts }: LoadedRegister) {
  const bics = [...facts.keys()].sort();
  const texts = bics.map((bic) => Buffer.from(JSON.stringify(facts.get(bic))));
  return {
    /** First days of the scheme registers that are loaded, by scheme. */
    editions,
    /** The BICs, of 11 characters each. */
    bics: sortedTexts(bics),
    /** Where the facts of each BIC begin and, after the last, where they end; they are JSON, one after the other. */
    starts: startsOf(texts),
    facts: new Uint8Array(Buffer.concat(texts)),
  };
}

/** Returns the facts of a BIC of 8 or 11 characters; undefined if no register has it. */
export function factsOfBic({ bics, starts, facts }: BicRegister, bic: string): BicFacts | undefined {
  const { first, end } = beginningWith(bics, fullBic(bic));
  if (first === end) return undefined;
  return JSON.parse(Buffer.from(facts.subarray(starts[first], starts[end])).toString()) as BicFacts;
}
