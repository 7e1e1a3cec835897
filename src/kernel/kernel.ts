import { readFile } from "node:fs/promises";
import { isAccountWaived } from "../answers/iban-checker.ts";
import { createGermanAccount, readBlzBytes, readKontonummerBytes } from "../banking/germany/account.ts";
import { namedAlgorithms } from "../banking/germany/check-methods/named-algorithms.ts";
import { algorithmNames } from "../banking/germany/check-methods/notation.ts";
import { AccountVerdict } from "../banking/germany/verdict.ts";
import { ibanCountries } from "../banking/iban/registry.ts";
import { BankDirectory } from "../banks/directory.ts";
import { GERMAN_BLZ, GERMAN_KONTONUMMER } from "./layout.ts";

export { kernelTables } from "./tables.ts";

/** Where the kernel's tables and the bank directory stand in the memory, in bytes; both multiples of 16. */
export interface KernelPlace {
  readonly tables: number;
  readonly directory: number;
}

interface KernelExports {
  open(tables: number, directory: number): void;
  writeBatch(input: number, inputLength: number, output: number, outputRoom: number): number;
  readonly count: { readonly value: number };
}

/** From the compiled program the module lies beside this file; from the sources it lies where the build puts it. */
const moduleFile = new URL(
  import.meta.url.endsWith(".ts") ? "../../.dist/src/kernel/kernel.wasm" : "kernel.wasm",
  import.meta.url,
);

/** Reads and compiles the kernel's WebAssembly module, once per process. Rejects where the build has not made it. */
export async function compileKernel(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(moduleFile));
}

export class Kernel {
  readonly #exports: KernelExports;

  constructor(module: WebAssembly.Module, memory: WebAssembly.Memory, place: KernelPlace) {
    const { buffer } = memory;
    const instance = new WebAssembly.Instance(module, {
      env: { memory },
      host: hostFunctions(new Uint8Array(buffer), new BankDirectory(buffer, place.directory)),
    });
    this.#exports = instance.exports as unknown as KernelExports;
    this.#exports.open(place.tables, place.directory);
  }

  get count(): number {
    return this.#exports.count.value;
  }

  writeBatch(input: number, inputLength: number, output: number, outputRoom: number): number {
    return this.#exports.writeBatch(input, inputLength, output, outputRoom);
  }
}

/** What the module leaves to the reference, since it is rare or goes step by step. */
function hostFunctions(bytes: Uint8Array, directory: BankDirectory) {
  const account = createGermanAccount();
  const stepwise = algorithmNames.map((name) => namedAlgorithms[name]);
  return {
    acceptsStepwise(algorithm: number, iban: number): number {
      const check = stepwise[algorithm]!;
      if (!("check" in check)) return 0;
      readKontonummerBytes(account, bytes, iban + GERMAN_KONTONUMMER);
      readBlzBytes(account, bytes, iban + GERMAN_BLZ);
      return check.check(account) === AccountVerdict.invalid ? 0 : 1;
    },
    matchesNationally(country: number, bban: number): number {
      return ibanCountries[country]!.nationalCheck!.matches(bytes, bban) ? 1 : 0;
    },
    rejectsAccount(_record: number, iban: number): number {
      return isAccountWaived(directory, bytes, iban) ? 0 : 1;
    },
  };
}
