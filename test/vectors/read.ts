import { readFileSync } from "node:fs";
import { sharedFile } from "../shared.ts";

/** What a line of a file says, by the file's name. */
export interface Vectors {
  readonly "bic.ndjson": { readonly bic: string; readonly valid: boolean; readonly why?: string };
  readonly "bic-iban-pairs.ndjson": {
    readonly iban: string;
    readonly bic: string;
    readonly countryMatch: boolean;
    readonly bankOfIban?: boolean;
  };
  readonly "corrections.ndjson": { readonly given: string; readonly meant: string; readonly slip: string };
  readonly "de-iban-rules.ndjson": {
    readonly rule: string;
    readonly blz: string;
    readonly account: string;
    readonly iban?: string;
    readonly bic?: string;
    readonly error?: string;
    readonly bank: BankFacts;
    readonly target?: BankFacts & { readonly blz: string };
    readonly asOf: string;
  };
  readonly "de-methods.ndjson": {
    readonly method: string;
    readonly account: string;
    readonly blz?: string;
    readonly valid: boolean;
  };
  readonly "iban.ndjson": IbanVector;
  readonly "iban-national.ndjson": IbanVector;
  readonly "iban-print.ndjson": { readonly iban: string; readonly compact: string };
  readonly "mask.ndjson": {
    readonly given: string;
    readonly meant: string;
    readonly iso: number;
    readonly national: number;
  };
  readonly "uk-modulus.ndjson": {
    readonly sortCode: string;
    readonly account: string;
    readonly result: string;
    readonly checks?: readonly string[];
    readonly remainders?: readonly (number | null)[];
    readonly standard?: { readonly sortCode: string; readonly account: string };
  };
}

interface IbanVector {
  readonly iban: string;
  readonly valid: boolean;
  readonly why?: string;
}

/** A bank as it was when a number of it was published. */
export interface BankFacts {
  readonly method: string;
  readonly bic: string;
  readonly successor?: string;
  readonly deleteMark?: true;
  readonly change?: string;
  readonly name?: string;
}

/**
 * Reads a vector file of this folder, one JSON object per line, and what `../shared/vectors` has beside it: numbers that
 * come from other projects and stay there.
 */
export function readVectors<File extends keyof Vectors>(name: File): Vectors[File][] {
  const own = linesOf(readFileSync(new URL(name, import.meta.url), "utf8"));
  const beside = sharedFile(`vectors/${name}`);
  const all = beside === undefined ? own : [...own, ...linesOf(readFileSync(beside, "utf8"))];
  return [...new Set(all)].map((line) => JSON.parse(line) as Vectors[File]);
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}
