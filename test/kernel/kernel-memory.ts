import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { AnswerBytes } from "../../src/checks/answer-bytes.ts";
import { writeBatchEntry, writeBatchHead, writeBatchTail } from "../../src/checks/batch-answer.ts";
import { IbanChecker } from "../../src/checks/iban-checker.ts";
import { compileKernel, Kernel, kernelTables } from "../../src/kernel/kernel.ts";

const pageBytes = 65_536;
/** Bytes after the directory that the kernel may copy; also keeps inputs and answers apart. */
const gap = 4_096;
/** Room for the largest body and its answer. */
const largestInput = 131_072;
const largestOutput = 1_100_000;

const tables = kernelTables();
const module = await compileKernel();

/** What the reference in TypeScript answers to the same entries. */
export class ReferenceAnswers {
  readonly checker: IbanChecker;
  readonly #answer = new AnswerBytes();
  readonly #output = Buffer.alloc(largestOutput);

  constructor(directory: BankDirectory) {
    this.checker = new IbanChecker(directory);
  }

  /** Gives the answer to a batch; the bytes are valid until the next call. */
  batch(entries: readonly string[]): Buffer {
    this.#answer.open(this.#output);
    writeBatchHead(this.#answer, entries.length);
    for (const [index, entry] of entries.entries()) {
      const text = Buffer.from(entry);
      writeBatchEntry(this.#answer, this.checker, text, 0, text.length, index === 0);
    }
    writeBatchTail(this.#answer);
    return this.#output.subarray(0, this.#answer.position);
  }
}

/** A kernel over a memory of its own: tables, a directory, and behind them an answer's room and, at its very end, a body. */
export class KernelMemory {
  readonly memory: WebAssembly.Memory;
  readonly place: { readonly tables: number; readonly directory: number };
  readonly kernel: Kernel;
  readonly directory: BankDirectory;
  readonly bytes: Buffer;
  /** Where answers begin. */
  readonly output: number;

  constructor(directory: SharedArrayBuffer) {
    // Neither place is aligned: the kernel must not depend on it.
    const tablesAt = 40;
    const directoryAt = tablesAt + tables.length + 3;
    this.output = directoryAt + directory.byteLength + gap;
    const pages = Math.ceil((this.output + largestOutput + gap + largestInput) / pageBytes);
    this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    this.bytes = Buffer.from(this.memory.buffer);
    this.bytes.set(tables, tablesAt);
    this.bytes.set(new Uint8Array(directory), directoryAt);
    this.place = { tables: tablesAt, directory: directoryAt };
    this.directory = new BankDirectory(this.memory.buffer, directoryAt);
    this.kernel = new Kernel(module, this.memory, this.place);
  }

  /** Puts a body to the end of the memory, so that whoever reads beyond it faults, and gives its offset. */
  put(body: Uint8Array): number {
    const input = this.bytes.length - body.length;
    this.bytes.set(body, input);
    return input;
  }

  /** The kernel's answer to a body, undefined where it is not understood; valid until the next call. */
  answer(body: Uint8Array): Buffer | undefined {
    const length = this.kernel.writeBatch(this.put(body), body.length, this.output, largestOutput);
    return length < 0 ? undefined : this.bytes.subarray(this.output, this.output + length);
  }
}

/** The compiled module, for tests that make more instances of it. */
export { module as kernelModule };
