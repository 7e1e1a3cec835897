import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { germanAccount, germanIban } from "../banking/germany/account.ts";
import { algorithmNames, namedAlgorithms } from "../banking/germany/check-methods/named-algorithms.ts";
import { isCheckDigitWaived } from "../banking/germany/iban-rules/generate.ts";
import { ibanCountries } from "../banking/iban/registry.ts";
import { bbanStart } from "../banking/iban/structure.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { RECORD_BYTES } from "../banks/directory/directory-layout.ts";
import { type AccountPolicy, defaultPolicy } from "../banks/lookup/account-policy.ts";
import { furtherChecks } from "../checks/country-checks.ts";
import type { RowTable } from "./row-table.ts";
import { CELL_FORM_SHIFT, CELL_LENGTH_SHIFT, FRAGMENT_LOOKED_AT, WRONG_BY_COUNTRY } from "./table-layout.ts";
import type { Templates } from "./templates.ts";
import {
  allWordings,
  answerText,
  type KernelOptions,
  markedText,
  warnings,
  wordingNumber,
} from "./wording.ts";

/** Returned by the kernel for a body that it does not understand. */
export const notUnderstood = -1;

/** Where the body or text of a task and the room for its answer are in the shared memory; bytes. They must not overlap. */
export interface TaskPlace {
  readonly input: number;
  readonly inputLength: number;
  readonly output: number;
  readonly outputRoom: number;
}

/** Exports of the module in `assembly/`. */
interface KernelExports {
  open(
    tables: number,
    directory: number,
    recordCount: number,
    bankCells: number,
    branchCount: number,
    room: number,
  ): void;
  reportWarnings(isOn: boolean): void;
  writeBatch(input: number, inputLength: number, output: number, outputRoom: number, form: number): number;
  writeSingle(input: number, inputLength: number, output: number, outputRoom: number, form: number): number;
  judge(input: number, inputLength: number, output: number, outputRoom: number): number;
  cellOf(what: number, bank: number): number;
  fillRows(
    room: number,
    row: number,
    count: number,
    input: number,
    limit: number,
    form: number,
    dialect: number,
    template: number,
  ): number;
  readonly count: { readonly value: number };
}

/** How the rows of a block are filled. */
export interface FillPlace {
  readonly table: RowTable;
  /** Offset of the block in the memory. */
  readonly input: number;
  /** Offset from which on no row begins. */
  readonly limit: number;
  /** Number of a form of `Templates`. */
  readonly form: number;
  /** 0 for lines of JSON; for CSV the delimiter in the lowest byte, and the bytes of the line break in the next two. */
  readonly dialect: number;
}

/** The build puts the module next to the compiled form of this file; the sources find it there too. */
const moduleFile = new URL(
  import.meta.url.endsWith(".ts") ? "../../.dist/src/kernel/kernel.wasm" : "kernel.wasm",
  import.meta.url,
);

/**
 * Reads and compiles the kernel's WebAssembly module; once per process, the result may be sent to any thread.
 *
 * Rejects with the system's error where the build has not made the module.
 */
export async function compileKernel(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(moduleFile));
}

export type Kernel = ReturnType<typeof openKernel>;

/**
 * Opens what answers batches in one call each: from the bytes of the request's body to the bytes of the answer.
 *
 * One per thread; any number may work over the same memory at once. Nothing in the memory is written to but the room
 * for the answer and that of the thread's templates. `README.md` beside this file explains how it works.
 *
 * `memory` holds what `kernelTables` returned at byte `tables`, and the directory; it must not grow afterwards. `policy` is
 * how account checks count; `kernelTables` must have been called with the same `observed`. Throws a RangeError if memory
 * ends too close after the directory.
 */
export function openKernel(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  tables: number,
  directory: BankDirectory,
  templates: Templates,
  policy: AccountPolicy = defaultPolicy,
) {
  const { byteOffset, length } = directory.bytes;
  if (byteOffset + length + FRAGMENT_LOOKED_AT > memory.buffer.byteLength) {
    throw new RangeError(`${FRAGMENT_LOOKED_AT} bytes of memory must follow the bank directory`);
  }
  const bytes = Buffer.from(memory.buffer);
  let wordings = allWordings(policy);
  /** The day of those with reasons. */
  let wordingsDay: string | undefined;
  /** Of the answers to come, and the number of their form. */
  let wording = wordings[0]!;
  let form = 0;

  function makeTemplate(what: number, key: number, number: number, length: number, record: number): number {
    const finding = what & ((1 << CELL_FORM_SHIFT) - 1);
    return templates.of(exports, form, finding, key, what >>> CELL_LENGTH_SHIFT, () => {
      const text = bytes.toString("latin1", number, number + length);
      const bank = record === 0 ? undefined : directory.record(record / RECORD_BYTES - 1);
      const marked = markedText(directory, finding, text, bank, wording);
      return marked === undefined ? undefined : { marked, valid: true, reason: "", bic: null };
    });
  }

  function writeByReference(text: number, length: number, to: number, limit: number): number {
    if (!isUtf8(bytes.subarray(text, text + length))) return 0;
    const answer = answerText(directory, bytes.toString("utf8", text, text + length), wording);
    return to + Buffer.byteLength(answer) > limit ? 0 : to + bytes.write(answer, to);
  }

  const instance = new WebAssembly.Instance(module, {
    env: { memory },
    // AssemblyScript names an import after the file that declares it.
    bban: hostFunctions(bytes, directory, policy),
    "write-entry": { makeTemplate, writeByReference },
  });
  const exports = instance.exports as unknown as KernelExports;
  const { recordCount, bankCells, branchCount } = directory.parts;
  exports.open(tables, byteOffset, recordCount, bankCells, branchCount, templates.room);

  /** Writes an answer in the form of some options. */
  const write = (
    isBatch: boolean,
    { input, inputLength, output, outputRoom }: TaskPlace,
    options: KernelOptions,
  ): number => {
    const { reason, today } = options;
    if (reason && today !== wordingsDay) {
      wordings = allWordings(policy, today);
      wordingsDay = today;
    }
    wording = wordings[wordingNumber(isBatch, options)]!;
    form = templates.formOf(directory, wording.key);
    exports.reportWarnings(reason);
    const writeAnswer = isBatch ? exports.writeBatch : exports.writeSingle;
    return writeAnswer(input, inputLength, output, outputRoom, form << CELL_FORM_SHIFT);
  };

  return {
    /** Returns the offset of the cell that a template has or may get; see `Templates`. */
    cellOf: exports.cellOf,

    /** Number of entries of the batch written last; 0 before the first. */
    count: () => exports.count.value,

    /**
     * Writes the answer to a batch, the same bytes as the JSON of `checks/iban-answer.ts`, and returns its length.
     *
     * `notUnderstood` means that the body is not understood or that the room is small; what is then in the room means nothing.
     * The room must have some 4 KB more than the answer.
     */
    writeBatch: (place: TaskPlace, options: KernelOptions) => write(true, place, options),

    /**
     * Writes the answer to the check of one IBAN, the same bytes as the JSON of `checks/iban-answer.ts`, and returns its
     * length. The input is the IBAN's text.
     *
     * `notUnderstood` means that it is not an IBAN by its form or longer than any, or that the room is small.
     */
    writeSingle: (place: TaskPlace, options: KernelOptions) => write(false, place, options),

    /**
     * Judges the numbers of a text, in normal form with a line feed after each, and returns how many it judged; the room bounds
     * them. They are printable ASCII without quotes and backslashes, as scanners copy them.
     *
     * Leaves two fields for each in the room (`VERDICT_…` of `table-layout.ts`). Warnings are among them, since the summary of a
     * stream counts them though its lines may not name them.
     */
    judge({ input, inputLength, output, outputRoom }: TaskPlace): number {
      exports.reportWarnings(true);
      return exports.judge(input, inputLength, output, outputRoom);
    },

    /**
     * Writes rows of a table from one on, and returns the number of the first that it does not write: one that is read field by
     * field, an account, one whose verdict has no template or whose BIC is not its bank's. `template` is that of the first row.
     *
     * The table says where to begin, and afterwards where it ended. A row may take 64 KB beyond its own text. About 100 ns a
     * row.
     */
    fill({ table, input, limit, form, dialect }: FillPlace, row: number, template: number): number {
      const what = form << CELL_FORM_SHIFT;
      return exports.fillRows(table.room, row, table.count, input, limit, what, dialect, template);
    },
  };
}

/** Functions that the module imports from the TypeScript reference, for rare or stepwise checks. */
function hostFunctions(bytes: Buffer, directory: BankDirectory, policy: AccountPolicy) {
  const algorithms = algorithmNames.map((name) => namedAlgorithms[name]);
  const accountAt = (iban: number) => {
    const { blz, kontonummer } = germanIban;
    const number = bytes.toString("latin1", iban + blz.start, iban + kontonummer.start + kontonummer.length);
    return { blz: number.slice(0, blz.length), kontonummer: number.slice(blz.length) };
  };
  return {
    acceptsStepwise(algorithm: number, iban: number): number {
      const { kontonummer, blz } = accountAt(iban);
      return algorithms[algorithm]!.check(germanAccount(kontonummer, blz)) ? 1 : 0;
    },
    checkByCountry(index: number, iban: number): number {
      const country = ibanCountries[index]!;
      if (country.nationalCheck?.matches(bytes, iban + bbanStart) === false)
        return country.nationalCheckEnforced ? WRONG_BY_COUNTRY : warnings.indexOf("national_check_digits");
      const further = furtherChecks[country.code];
      const found = further?.(bytes.toString("latin1", iban, iban + country.ibanLength), policy);
      if (found?.outcome !== undefined) return WRONG_BY_COUNTRY;
      return (warnings as readonly (string | undefined)[]).indexOf(found?.warning);
    },
    rejectsAccount(iban: number): number {
      const { kontonummer, blz } = accountAt(iban);
      return isCheckDigitWaived(blz, kontonummer, directory.ruleBank) ? 0 : 1;
    },
  };
}
