import { createHash } from "node:crypto";
import type { RequestSender } from "../../client/sender.ts";
import { type Layout, recogniseLayout } from "../../rows/layout.ts";
import { InputError } from "../../rows/rows.ts";
import { type Input, openInput } from "../input/open-input.ts";
import { blocksOf, type RowBlock } from "./blocks.ts";
import { inOrder } from "./in-order.ts";
import { type Job, openJob } from "./job.ts";
import { findTarget } from "./output-target.ts";
import { type CheckedRows, RowChecks } from "./row-checks.ts";
import { type FileRequest, type ProgressFacts, type RunPosition, sum } from "./run-state.ts";

/** Dependencies of a run. */
export interface FileRunTools {
  readonly sender: RequestSender;
  /** Ends the run as soon as what is finished has been written. */
  readonly signal: AbortSignal;
  /** Receives what was assumed of the file, and may be wrong. */
  readonly onNote: (note: string) => void;
  /** Receives how to ask for the progress, once checking begins. */
  readonly onBegin: (facts: () => ProgressFacts) => void;
}

/** The error that ended a run, and whether `--resume` continues it. */
export class RunEnded extends Error {
  readonly isResumable: boolean;

  constructor(cause: unknown, isResumable: boolean) {
    super("the run ended early", { cause });
    this.isResumable = isResumable;
  }
}

/** A checked block without its rows, which would fill the memory while an earlier block is waited for. */
type CheckedBlock = Pick<RowBlock, "next" | "prefix"> & CheckedRows;

/** Position of a run, the digest of whose input is yet to be finished. */
type OpenPosition = Omit<RunPosition, "prefix"> & Pick<RowBlock, "prefix">;

/** How many blocks may be at work at least: if one in a hundred is refused, about ten of those after it wait for it. */
const minBlocks = 32;

/** How many rows that are written are checked again at most after a run was killed. */
const rowsPerSave = 20_000;

/**
 * Checks the rows of a file and writes them with the result of their checks, in order and in constant memory.
 *
 * A run that ends early keeps and notes what it wrote, so that a further run continues it. Throws an InputError
 * for what is wrong with input or output before the first row, and a RunEnded for what ends the run later: its cause is
 * an InputError, a BankcheckError where the service ended it, an error of the disk, or the signal's reason.
 */
export async function checkFile(request: FileRequest, tools: FileRunTools): Promise<ProgressFacts> {
  const target = await findTarget(request.output);
  const input = await openInput(request.file, { ...tools, sheet: request.sheet });
  try {
    const { isOrder } = input.payments;
    const columns =
      isOrder && request.header !== false ? { ...request, bicColumn: request.bicColumn ?? "bic" } : request;
    const layout = recogniseLayout(input.head, input.isWhole, columns);
    if (request.generates && layout.numbers.some(({ kind }) => kind !== "account")) {
      throw new InputError("IBANs are generated from kontonummer and BLZ: name both columns with --column.");
    }
    for (const note of layout.notes) tools.onNote(note);
    const job = await openJob(request, target, tools.signal);
    try {
      return await new FileRun(request, layout, input, job, tools).run();
    } finally {
      await job.close();
    }
  } finally {
    input.close();
  }
}

class FileRun {
  readonly #request: FileRequest;
  readonly #layout: Layout;
  readonly #input: Input;
  readonly #job: Job;
  readonly #tools: FileRunTools;
  readonly #prefix = createHash("sha256");
  #at: OpenPosition;
  #shareBefore = 0;
  #unsavedRows = 0;
  #saving: Promise<void> | undefined;

  constructor(request: FileRequest, layout: Layout, input: Input, job: Job, tools: FileRunTools) {
    this.#request = request;
    this.#layout = layout;
    this.#input = input;
    this.#job = job;
    this.#tools = tools;
    const { begin, beginLine } = layout;
    const counts = { rows: 0, valid: 0, invalid: 0, bad: 0, reasons: {} };
    const first = { offset: begin, row: 1, line: beginLine, outputBytes: 0, rejectedBytes: 0, counts };
    this.#at = { ...(job.continued ?? first), prefix: this.#prefix };
  }

  async run(): Promise<ProgressFacts> {
    const facts = this.#progress();
    this.#tools.onBegin(facts);
    try {
      await this.#check();
      const { isOrder, refused } = this.#input.payments;
      if (isOrder) this.#at = { ...this.#at, counts: { ...this.#at.counts, refused } };
      await this.#job.complete(this.#position());
    } catch (error) {
      throw new RunEnded(error, await this.#keep());
    }
    return facts();
  }

  /** Keeps what an ended run has done; returns whether it can be continued. */
  async #keep(): Promise<boolean> {
    try {
      if (this.#at.counts.rows === 0 && this.#job.continued === undefined) await this.#job.discard();
      else {
        await this.#saving;
        await this.#job.save(this.#position());
      }
    } catch {
      // Report the error that ended the run, not its consequences.
    }
    return this.#job.isResumable;
  }

  async #check(): Promise<void> {
    const { sender, signal } = this.#tools;
    const checks = new RowChecks(sender, this.#layout, this.#request);
    const work = async (block: RowBlock, ending: AbortSignal): Promise<CheckedBlock> => {
      const { next, prefix } = block;
      return { next, prefix, ...(await checks.check(block, ending)) };
    };
    signal.throwIfAborted();
    const chunks = await this.#afterPrefix();
    if (this.#job.continued === undefined) await this.#writeHead(checks.head());
    const isStopping = this.#request.badRows.kind === "stop";
    const rows = { finder: this.#layout.finder, columns: checks.columns, isStopping };
    const blocks = blocksOf(chunks, rows, this.#at, this.#prefix);
    const most = Math.max(minBlocks, 2 * sender.concurrency);
    const bounds = { most, hasRoom: () => sender.hasRoom, signal };
    for await (const done of inOrder(blocks, work, bounds)) await this.#take(done);
    signal.throwIfAborted();
    await this.#saving;
  }

  async #writeHead(head: Buffer): Promise<void> {
    await this.#job.output.write(head);
    const { headerText, preamble } = this.#layout;
    // A packed file without rows is not an empty one.
    const header = headerText === "" ? "" : `${preamble}${headerText}\n`;
    await this.#job.rejected?.write(Buffer.from(header, "latin1"));
    this.#note({});
    // A file of rejected rows without a state is not known for that of this run, and would stay as it is.
    if (this.#job.rejected !== undefined) await this.#job.save(this.#position());
  }

  /** Passes over what comes before the first row to check, and takes its digest. */
  async #afterPrefix(): Promise<AsyncIterable<Buffer>> {
    const { offset } = this.#at;
    const chunks = this.#input.chunks()[Symbol.asyncIterator]();
    let rest: Buffer = Buffer.alloc(0);
    for (let passed = 0; passed < offset; ) {
      const { done, value } = await chunks.next();
      if (done === true) throw this.#otherInput();
      const own = value.subarray(0, offset - passed);
      this.#prefix.update(own);
      passed += own.length;
      rest = value.subarray(own.length);
    }
    const { continued } = this.#job;
    if (continued !== undefined && this.#prefix.copy().digest("hex") !== continued.prefix)
      throw this.#otherInput();
    this.#at = { ...this.#at, prefix: this.#prefix.copy() };
    this.#shareBefore = this.#input.share() ?? 0;
    return (async function* () {
      if (rest.length > 0) yield rest;
      yield* { [Symbol.asyncIterator]: () => chunks };
    })();
  }

  #otherInput(): InputError {
    const { file, output } = this.#request;
    return new InputError(`Rows of ${file} that are already in ${output} have changed; --force starts over.`);
  }

  async #take({ next, prefix, bytes, counts, rejected }: CheckedBlock): Promise<void> {
    await this.#job.output.write(bytes);
    if (rejected !== "") await this.#job.rejected?.write(Buffer.from(rejected, "latin1"));
    this.#note({ ...next, prefix, counts: sum(this.#at.counts, counts) });
    this.#unsavedRows += counts.rows;
    if (this.#unsavedRows >= rowsPerSave) await this.#beginSave();
  }

  #note(change: Partial<OpenPosition>): void {
    const { output, rejected } = this.#job;
    this.#at = { ...this.#at, ...change, outputBytes: output.bytes, rejectedBytes: rejected?.bytes ?? 0 };
  }

  #position(): RunPosition {
    return { ...this.#at, prefix: this.#at.prefix.copy().digest("hex") };
  }

  /** The disk is waited for while the next rows are checked. */
  async #beginSave(): Promise<void> {
    await this.#saving;
    this.#unsavedRows = 0;
    this.#saving = this.#job.save(this.#position());
    // A failure is thrown where the save is waited for.
    this.#saving.catch(() => {});
  }

  #progress(): () => ProgressFacts {
    const begun = performance.now();
    const before = this.#at.counts.rows;
    return () => ({
      counts: this.#at.counts,
      before,
      share: this.#input.share(),
      shareBefore: this.#shareBefore,
      seconds: (performance.now() - begun) / 1_000,
      concurrency: this.#tools.sender.concurrency,
    });
  }
}
