import assert from "node:assert/strict";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import type { DirectoryParts } from "../../src/banks/directory/directory-layout.ts";
import { type AccountPolicy, defaultPolicy } from "../../src/banks/lookup/account-policy.ts";
import { plain } from "../../src/checks/answer.ts";
import { batchAnswer, ibanAnswer } from "../../src/checks/iban-answer.ts";
import type { IbanBatchAnswer } from "../../src/client/index.ts";
import { maxBatchIbans } from "../../src/contract/limits.ts";
import { compileKernel, type Kernel, openKernel, type TaskPlace } from "../../src/kernel/kernel.ts";
import { kernelTables } from "../../src/kernel/kernel-tables.ts";
import { TEMPLATE_ROOM_BYTES } from "../../src/kernel/table-layout.ts";
import { Templates } from "../../src/kernel/templates.ts";

const pageBytes = 65_536;
/** Bytes after the directory that the kernel may copy; also keeps inputs and answers apart. */
const gap = 4_096;
/** Room for the largest body and its answer. */
const largestInput = 131_072;
const largestOutput = 1_300_000;

const module = await compileKernel();

/** A kernel with its own memory: tables, a directory, templates, an answer's room and, at its very end, a body. */
export class KernelMemory {
  readonly memory: WebAssembly.Memory;
  /** Offset of the tables. Like that of the directory it is not aligned: the kernel must not depend on it. */
  readonly tables = 40;
  readonly kernel: Kernel;
  readonly templates: Templates;
  readonly directory: BankDirectory;
  readonly policy: AccountPolicy;
  readonly bytes: Buffer;
  /** Where the templates of the first thread are, and those of others behind them. */
  readonly templatesAt: number;
  /** Where answers begin. */
  readonly output: number;

  constructor(directory: DirectoryParts, policy = defaultPolicy, threads = 1, outputRoom = largestOutput) {
    const { bytes } = directory;
    const tables = kernelTables(policy.observed);
    this.policy = policy;
    const directoryAt = this.tables + tables.length + 3;
    this.templatesAt = Math.ceil((directoryAt + bytes.length + gap) / pageBytes) * pageBytes;
    this.output = this.templatesAt + threads * TEMPLATE_ROOM_BYTES;
    const pages = Math.ceil((this.output + outputRoom + gap + largestInput) / pageBytes);
    this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    this.bytes = Buffer.from(this.memory.buffer);
    this.bytes.set(tables, this.tables);
    this.bytes.set(bytes, directoryAt);
    const place = new Uint8Array(this.memory.buffer, directoryAt, bytes.length);
    this.directory = new BankDirectory({ ...directory, bytes: place });
    this.templates = this.templatesOf(0);
    this.kernel = openKernel(module, this.memory, this.tables, this.directory, this.templates, policy);
  }

  /** Opens the room for the templates of a thread. */
  templatesOf(thread: number): Templates {
    return new Templates(this.memory.buffer, this.templatesAt + thread * TEMPLATE_ROOM_BYTES);
  }

  /** Puts a body to the end of the memory, so that reads beyond it fault, and returns its offset. */
  put(body: Uint8Array): number {
    const input = this.bytes.length - body.length;
    this.bytes.set(body, input);
    return input;
  }

  /** The kernel's answer to a body, undefined if it is not understood; valid until the next call. */
  answer(body: Uint8Array, options = plain): Buffer | undefined {
    return this.#written(this.kernel.writeBatch(this.placeOf(body), options));
  }

  /** The kernel's answer to the check of one IBAN, undefined if it is not understood; valid until the next call. */
  single(iban: string, options = plain): Buffer | undefined {
    return this.#written(this.kernel.writeSingle(this.placeOf(Buffer.from(iban)), options));
  }

  /** The reference's answer to a batch. */
  expectedBatch(entries: readonly string[], options = plain): Buffer {
    const { directory, policy } = this;
    return Buffer.from(JSON.stringify(batchAnswer(directory, entries, { ...options, policy })));
  }

  /** The reference's answer to a single check. */
  expectedSingle(iban: string, options = plain): Buffer {
    const { directory, policy } = this;
    return Buffer.from(JSON.stringify(ibanAnswer(directory, iban, undefined, { ...options, policy })));
  }

  /** Asserts that kernel and reference answer a batch with the same bytes, and returns them. */
  assertEqual(
    entries: readonly string[],
    options = plain,
    body: Buffer = Buffer.from(JSON.stringify({ ibans: entries })),
  ): Buffer {
    const answer = this.answer(body, options);
    assert.ok(answer !== undefined, `not understood: ${body}`);
    const expected = this.expectedBatch(entries, options);
    // Only the entry that differs makes a readable message.
    if (!expected.equals(answer)) assert.deepEqual(entriesOf(answer), entriesOf(expected));
    assert.ok(expected.equals(answer), answer.toString());
    return expected;
  }

  /** Puts a body to its place and says where that is, and where the answer may be written. */
  placeOf(body: Uint8Array, outputRoom = largestOutput): TaskPlace {
    return { input: this.put(body), inputLength: body.length, output: this.output, outputRoom };
  }

  #written(length: number): Buffer | undefined {
    return length < 0 ? undefined : this.bytes.subarray(this.output, this.output + length);
  }
}

/** The entries of a batch's answer. */
export function entriesOf(answer: Buffer): IbanBatchAnswer["batch"]["results"] {
  return (JSON.parse(answer.toString()) as IbanBatchAnswer).batch.results;
}

/** Cuts a list into batches as long as they may be. */
export function batchesOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / maxBatchIbans) }, (_, index) =>
    items.slice(index * maxBatchIbans, (index + 1) * maxBatchIbans),
  );
}

/** The compiled module, for tests that make more instances of it. */
export { module as kernelModule };
