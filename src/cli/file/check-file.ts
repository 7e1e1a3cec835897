import { createHash } from "node:crypto";
import type { RequestSender } from "../../client/sender.ts";
import { type Layout, recogniseLayout } from "../../rows/layout.ts";
import { InputError } from "../../rows/rows.ts";
import { type Input, openInput } from "../input/open-input.ts";
import { blocksOf } from "./blocks.ts";
import { inOrder } from "./in-order.ts";
import { type Defer, type Job, openJob } from "./job.ts";
import { findTarget } from "./output-target.ts";
import { rowChecks } from "./row-checks.ts";
import type { RunReport } from "./run-report.ts";
import { type FileRequest, type ProgressFacts, type RunPosition, sum } from "./run-state.ts";

export interface FileRunTools {
  readonly sender: RequestSender;
  /** Ends the run as soon as what is finished has been written. */
  readonly signal: AbortSignal;
  readonly report: Pick<RunReport, "note" | "begin">;
}

/** The error that ended a run, and whether `--resume` continues it. */
export class RunEnded extends Error {
  readonly isResumable: boolean;

  constructor(cause: unknown, isResumable: boolean) {
    super("the run ended early", { cause });
    this.isResumable = isResumable;
  }
}

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
  const { report, signal } = tools;
  const closes: (() => unknown)[] = [];
  const defer: Defer = (close) => void closes.push(close);
  try {
    const target = await findTarget(request.output);
    const input = await openInput(request.file, { onNote: report.note, signal, sheet: request.sheet });
    defer(input.close);
    const columns =
      input.payments.isOrder && request.header !== false
        ? { ...request, bicColumn: request.bicColumn ?? "bic" }
        : request;
    const layout = recogniseLayout(input.head, input.isWhole, columns);
    if (request.generates && layout.numbers.some(({ kind }) => kind !== "account")) {
      throw new InputError("IBANs are generated from kontonummer and BLZ: name both columns with --column.");
    }
    for (const note of layout.notes) report.note(note);
    const job = await openJob(request, target, defer, signal);
    return await checkRows(request, layout, input, job, tools);
  } finally {
    for (const close of closes.reverse()) await close();
  }
}

async function checkRows(
  request: FileRequest,
  layout: Layout,
  input: Input,
  job: Job,
  { sender, signal, report }: FileRunTools,
): Promise<ProgressFacts> {
  const { output, rejected, continued } = job;
  const prefix = createHash("sha256");
  const counts = { rows: 0, valid: 0, invalid: 0, bad: 0, reasons: {} };
  const first = { offset: layout.begin, row: 1, line: layout.beginLine, outputBytes: 0, rejectedBytes: 0 };
  let at: RunPosition = continued ?? { ...first, counts, prefix: "" };
  let shareBefore = 0;
  let unsavedRows = 0;
  let saving: Promise<void> | undefined;
  const before = at.counts.rows;
  const begun = performance.now();

  const progress = (): ProgressFacts => ({
    counts: at.counts,
    before,
    share: input.share(),
    shareBefore,
    seconds: (performance.now() - begun) / 1_000,
    concurrency: sender.limit.current,
  });
  const note = (change: Partial<RunPosition>) => {
    at = { ...at, ...change, outputBytes: output.bytes(), rejectedBytes: rejected?.bytes() ?? 0 };
  };
  /** Passes over what comes before the first row to check, and takes its digest. */
  const afterPrefix = async (): Promise<AsyncIterable<Buffer>> => {
    const chunks = input.chunks()[Symbol.asyncIterator]();
    let rest: Buffer = Buffer.alloc(0);
    for (let left = at.offset; left > 0; ) {
      const { done, value } = await chunks.next();
      if (done === true) break;
      const own = value.subarray(0, left);
      prefix.update(own);
      left -= own.length;
      rest = value.subarray(own.length);
    }
    const found = prefix.copy().digest("hex");
    // A refused run must not change the state.
    if (continued !== undefined && found !== continued.prefix) {
      const rows = `Rows of ${request.file} that are already in ${request.output}`;
      throw new InputError(`${rows} have changed; --force starts over.`);
    }
    at = { ...at, prefix: found };
    shareBefore = input.share() ?? 0;
    return (async function* () {
      yield rest;
      yield* { [Symbol.asyncIterator]: () => chunks };
    })();
  };

  const writeHead = async (head: Buffer) => {
    await output.write(head);
    const { headerText, preamble } = layout;
    // A packed file without rows is not an empty one.
    const header = headerText === "" ? "" : `${preamble}${headerText}\n`;
    await rejected?.write(Buffer.from(header, "latin1"));
    note({});
    // A file of rejected rows without a state is not known for that of this run, and would stay as it is.
    if (rejected !== undefined) await job.save(at);
  };

  report.begin(progress);
  try {
    const checks = rowChecks(sender, layout, request);
    signal.throwIfAborted();
    const chunks = await afterPrefix();
    if (continued === undefined) await writeHead(checks.head);
    const isStopping = request.badRows.kind === "stop";
    const blocks = blocksOf(chunks, { finder: layout.finder, ...checks, isStopping }, at, prefix);
    const most = Math.max(minBlocks, 2 * sender.limit.current);
    const bounds = { most, hasRoom: () => sender.limit.hasRoom, signal };
    for await (const { position, bytes, counts, rejectedRows } of inOrder(blocks, checks.check, bounds)) {
      await output.write(bytes);
      if (rejectedRows !== "") await rejected?.write(Buffer.from(rejectedRows, "latin1"));
      note({ ...position, counts: sum(at.counts, counts) });
      unsavedRows += counts.rows;
      if (unsavedRows < rowsPerSave) continue;
      // The disk is waited for while the next rows are checked.
      await saving;
      unsavedRows = 0;
      saving = job.save(at);
      // A failure is thrown where the save is waited for.
      saving.catch(() => {});
    }
    signal.throwIfAborted();
    await saving;
    const { isOrder, refused } = input.payments;
    if (isOrder) at = { ...at, counts: { ...at.counts, refused } };
    await job.complete(at);
    return progress();
  } catch (error) {
    try {
      if (at.counts.rows === 0 && continued === undefined) await job.discard();
      else {
        await saving;
        await job.save(at);
      }
    } catch {
      // Report the error that ended the run, not its consequences.
    }
    throw new RunEnded(error, job.isResumable());
  }
}
