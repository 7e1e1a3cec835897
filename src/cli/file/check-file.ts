import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RequestSender } from "../../client/sender.ts";
import { checkColumns, generateColumns } from "./added-columns.ts";
import { blockCheck } from "./check-rows.ts";
import type { FileRequest } from "./file-request.ts";
import { type HeldBlock, HeldBlocks } from "./held-blocks.ts";
import { type Input, openInput } from "./input.ts";
import { InputError } from "./input-error.ts";
import { type Job, openJob, type RunPosition } from "./job.ts";
import { type Layout, recogniseLayout } from "./layout.ts";
import type { ProgressFacts } from "./progress.ts";
import { makeRenderer } from "./render.ts";
import { type Block, blocksOf } from "./rows.ts";
import type { RowCounts } from "./run-state.ts";
import { type Encoding, encodingOf } from "./text.ts";

/** What a finished run came to. */
export interface FileSummary {
  readonly counts: RowCounts;
  /** How many of the rows an earlier run had checked. */
  readonly before: number;
  readonly seconds: number;
}

/** What a run works with. */
export interface FileRunTools {
  readonly sender: RequestSender;
  /** Ends the run as soon as what is finished has been written. */
  readonly signal: AbortSignal;
  /** Told how to ask for the progress, once checking begins. */
  readonly onBegin: (facts: () => ProgressFacts) => void;
}

interface CheckedBlock {
  readonly end: number;
  readonly nextRow: number;
  readonly bytes: HeldBlock;
  readonly encoding: Encoding | undefined;
  readonly rows: number;
  readonly valid: number;
}

/**
 * How many blocks may be finished while an earlier one is sent again: about as many as are checked in the two seconds
 * that a refused one waits.
 */
const blocksAhead = 1_024;

/** How many rows that are written are checked again at most after a run was killed. */
const rowsPerSave = 20_000;

/**
 * Checks the rows of a file and writes them with what the checks came to, in order and in constant memory.
 *
 * Whatever ends it early, what was written is kept and noted, so that a further run continues it. Throws an InputError
 * for what is wrong with input or output, a BankcheckError where the service ended it, and the signal's reason.
 */
export async function checkFile(request: FileRequest, tools: FileRunTools): Promise<FileSummary> {
  const input = await openInput(request.file);
  try {
    const layout = recogniseLayout(input.head, input.isWhole, request);
    if (request.generates && layout.columns.kind !== "account") {
      throw new InputError("IBANs are generated of kontonummer and BLZ: name both columns with --column.");
    }
    const job = await openJob(request, input.identity);
    try {
      return await new FileRun(request, layout, input, job, tools).run();
    } finally {
      await job.output.close();
    }
  } finally {
    await input.close();
  }
}

class FileRun {
  readonly #request: FileRequest;
  readonly #layout: Layout;
  readonly #input: Input;
  readonly #job: Job;
  readonly #tools: FileRunTools;
  readonly #held: HeldBlocks;
  #at: RunPosition;
  #unsavedRows = 0;
  #saving: Promise<void> | undefined;
  #saveFailure: unknown;

  constructor(request: FileRequest, layout: Layout, input: Input, job: Job, tools: FileRunTools) {
    this.#request = request;
    this.#layout = layout;
    this.#input = input;
    this.#job = job;
    this.#tools = tools;
    const { output } = request;
    this.#held = new HeldBlocks(`${output ?? join(tmpdir(), `bankcheck-${process.pid}`)}.held`);
    this.#at = job.continued ?? {
      offset: layout.begin,
      row: 1,
      outputBytes: 0,
      encoding: layout.encoding,
      counts: { rows: 0, valid: 0, invalid: 0 },
    };
  }

  async run(): Promise<FileSummary> {
    const begun = performance.now();
    const before = this.#at.counts.rows;
    const seconds = () => (performance.now() - begun) / 1_000;
    this.#tools.onBegin(this.#progress(before, this.#at.offset, seconds));
    try {
      await this.#check();
    } catch (error) {
      // What ended the run is told, not what may come of it.
      await this.#save().catch(() => {});
      throw error;
    } finally {
      await this.#held.close();
    }
    await this.#job.complete(this.#at);
    return { counts: this.#at.counts, before, seconds: seconds() };
  }

  async #check(): Promise<void> {
    const { sender, signal } = this.#tools;
    const { columns } = this.#layout;
    const added = this.#request.generates ? generateColumns : checkColumns;
    const renderer = makeRenderer(this.#layout, added, this.#request.format ?? this.#layout.format);
    const check = blockCheck(sender, columns, this.#request.generates);
    const work = async ({ block, encoding }: EncodedBlock, ending: AbortSignal): Promise<CheckedBlock> => {
      const verdicts = await check(block, encoding, ending);
      return {
        end: block.end,
        nextRow: block.firstRow + block.rows.length,
        bytes: await this.#held.hold(renderer.block(block, verdicts, encoding)),
        encoding,
        rows: verdicts.length,
        valid: verdicts.reduce((valid, verdict) => valid + Number(verdict.valid), 0),
      };
    };
    signal.throwIfAborted();
    if (this.#job.continued === undefined) await this.#write(renderer.head(this.#at.encoding));
    const blocks = encodedBlocks(this.#blocks(), this.#at.encoding, this.#request.encoding);
    for await (const done of sender.inOrder(blocks, work, { ahead: blocksAhead, signal })) {
      await this.#take(done);
    }
    signal.throwIfAborted();
    await this.#settle();
  }

  #blocks(): AsyncIterable<Block> {
    const { offset, row } = this.#at;
    return blocksOf(this.#input.chunks(offset), this.#layout.parser, { offset, row });
  }

  async #take({ end, nextRow, bytes, encoding, rows, valid }: CheckedBlock): Promise<void> {
    await this.#write(await bytes());
    const { counts } = this.#at;
    this.#at = {
      offset: end,
      row: nextRow,
      outputBytes: this.#job.output.bytes,
      encoding,
      counts: {
        rows: counts.rows + rows,
        valid: counts.valid + valid,
        invalid: counts.invalid + rows - valid,
      },
    };
    this.#unsavedRows += rows;
    if (this.#saveFailure !== undefined) throw this.#saveFailure;
    if (this.#unsavedRows >= rowsPerSave && this.#saving === undefined) await this.#beginSave();
  }

  async #write(bytes: Buffer): Promise<void> {
    await this.#job.output.write(bytes);
    this.#at = { ...this.#at, outputBytes: this.#job.output.bytes };
  }

  /** The disk is waited for while checking goes on. */
  async #beginSave(): Promise<void> {
    await this.#job.output.flush();
    this.#unsavedRows = 0;
    this.#saving = this.#job.save(this.#at).then(
      () => {
        this.#saving = undefined;
      },
      (error) => {
        this.#saveFailure = error;
      },
    );
  }

  async #settle(): Promise<void> {
    await this.#saving;
    if (this.#saveFailure !== undefined) throw this.#saveFailure;
    await this.#job.output.flush();
  }

  async #save(): Promise<void> {
    await this.#settle();
    await this.#job.save(this.#at);
  }

  #progress(before: number, begin: number, seconds: () => number): () => ProgressFacts {
    const size = this.#input.identity?.size;
    return () => ({
      counts: this.#at.counts,
      before,
      share: size === undefined ? undefined : this.#at.offset / size,
      shareOfRun: size === undefined ? 0 : (this.#at.offset - begin) / size,
      seconds: seconds(),
      concurrency: this.#tools.sender.concurrency,
    });
  }
}

interface EncodedBlock {
  readonly block: Block;
  readonly encoding: Encoding | undefined;
}

/** The first row that is not all ASCII tells the encoding of a file where nobody said it. */
async function* encodedBlocks(
  blocks: AsyncIterable<Block>,
  known: Encoding | undefined,
  wanted: Encoding | undefined,
): AsyncGenerator<EncodedBlock, void, void> {
  let encoding = wanted ?? known;
  for await (const block of blocks) {
    for (const row of encoding === undefined ? block.rows : []) encoding ??= encodingOf(row.text);
    yield { block, encoding };
  }
}
