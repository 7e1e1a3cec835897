import { rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unlessAbsent } from "../../process/files.ts";
import { InputError } from "../../rows/rows.ts";
import {
  findTarget,
  type Output,
  type OutputTarget,
  openFileOutput,
  openStreamOutput,
  PipedOutput,
} from "./output.ts";
import { lockOutput, type OutputLock } from "./output-lock.ts";
import {
  type FileRequest,
  partPath,
  type RunPosition,
  type RunState,
  readState,
  removeState,
  statePath,
  writeState,
} from "./run-state.ts";

/** The output of a run together with what lets it be continued. */
export interface Job {
  readonly output: Output;
  /** Where rejected rows go; undefined if none are. */
  readonly rejected: Output | undefined;
  /** Where finished blocks are held until it is their turn. */
  readonly heldPath: string;
  /** Where an interrupted run is continued; undefined if it begins. */
  readonly continued: RunPosition | undefined;
  /** Whether a state is on the disk from which a further run may go on. */
  readonly isResumable: boolean;
  /** Notes how far the run is once all of it is on the disk; it must have been flushed. */
  save(position: RunPosition): Promise<void>;
  /** Renames a complete output to its final name. */
  complete(position: RunPosition): Promise<void>;
  /** Removes the files of a run that ended before its first row. */
  discard(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the output of a run: standard output, a pipe, a new file, or with `resume` that of an interrupted run.
 *
 * A file grows under another name until it is complete, and belongs to one run at a time. Throws an InputError if an
 * output is there that must not be replaced, is in use, or whose run had another request.
 */
export async function openJob(request: FileRequest, target: OutputTarget, signal: AbortSignal): Promise<Job> {
  if (target.kind !== "file") return streamJob(request, target, signal);
  if (await areSame(request.file, target.path))
    throw new InputError(`The output ${target.path} is the input; name another file.`);
  const lock = await lockOutput(target.path);
  try {
    return await fileJob(request, target, lock, signal);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

type FileTarget = OutputTarget & { readonly kind: "file" };

async function fileJob(
  request: FileRequest,
  { path, replaced }: FileTarget,
  lock: OutputLock,
  signal: AbortSignal,
): Promise<Job> {
  const { resume, force } = request;
  if (force && !resume) await removeState(path);
  const state = await readState(path);
  if (state?.isComplete === true && !(await exists(partPath(path)))) await rename(path, partPath(path));
  const asked = fingerprint(request);
  if (state !== undefined) refuseOther(state, request, asked);
  else if (!force && replaced !== undefined) {
    throw new InputError(`${path} already exists; --force replaces it.`);
  }
  await expectPart(path, state);
  const rejected = await openRejected(request, path, state, signal);
  const output = await openFileOutput(partPath(path), state?.outputBytes ?? 0, replaced);
  let isResumable = state !== undefined;
  const write = async (position: RunPosition, isComplete: boolean) => {
    await output.sync();
    await rejected?.sync();
    await writeState(path, { ...position, request: asked, isComplete });
    isResumable = true;
  };
  return {
    output,
    rejected,
    heldPath: `${path}.held`,
    continued: state,
    get isResumable() {
      return isResumable;
    },
    save: (position) => write(position, false),
    complete: async (position) => {
      await write(position, true);
      await rename(partPath(path), path);
      if (!request.isOneOfSeveral) await removeState(path);
    },
    discard: async () => {
      await rm(partPath(path), { force: true });
      await removeState(path);
      isResumable = false;
    },
    close: async () => {
      await output.close();
      await rejected?.close();
      await lock.release();
    },
  };
}

async function streamJob(
  request: FileRequest,
  target: Exclude<OutputTarget, FileTarget>,
  signal: AbortSignal,
): Promise<Job> {
  if (request.resume) {
    throw new InputError("Only a run whose output is a file can be continued: --resume needs --output FILE.");
  }
  const rejected = await openRejected(request, undefined, undefined, signal);
  const output =
    target.kind === "standard"
      ? new PipedOutput(process.stdout, false)
      : await openStreamOutput(target.path, target.kind, signal);
  return {
    output,
    rejected,
    heldPath: join(tmpdir(), `bankcheck-${process.pid}.held`),
    continued: undefined,
    isResumable: false,
    save: async () => {},
    complete: () => output.flush(),
    discard: async () => {},
    close: async () => {
      await output.close();
      await rejected?.close();
    },
  };
}

async function openRejected(
  { file: input, badRows, force }: FileRequest,
  output: string | undefined,
  continued: RunState | undefined,
  signal: AbortSignal,
): Promise<Output | undefined> {
  if (badRows.kind !== "reject") return undefined;
  const { file } = badRows;
  const target = await findTarget(file);
  if (target.kind === "standard") throw new InputError("--bad-rows reject needs the name of a file.");
  if (target.kind !== "file") return openStreamOutput(target.path, target.kind, signal);
  const { path } = target;
  if (
    path === output ||
    (output !== undefined && path === partPath(output)) ||
    (await areSame(input, path))
  ) {
    throw new InputError(
      `The file for rejected rows, ${file}, is the input or the output; name another file.`,
    );
  }
  if (continued === undefined && !force && ((await lengthOf(path)) ?? 0) > 0) {
    throw new InputError(`The file for rejected rows, ${file}, already exists; --force replaces it.`);
  }
  try {
    return await openFileOutput(path, continued?.rejectedBytes ?? 0);
  } catch (error) {
    throw new InputError(`The file for rejected rows cannot be written: ${(error as Error).message}.`);
  }
}

async function areSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/** Everything asked for that the output depends on, so that no run is continued as another one. */
function fingerprint(request: FileRequest): string {
  const { file: _, output: __, resume: ___, force: ____, isOneOfSeveral: _____, ...asked } = request;
  return JSON.stringify(asked, (_key, value: unknown) => value ?? null);
}

function refuseOther(state: RunState, { output, resume }: FileRequest, asked: string): void {
  if (!resume) {
    throw new InputError(
      `${output} is not complete: --resume continues it after row ${state.row - 1}, --force starts over.`,
    );
  }
  if (state.request !== asked) {
    throw new InputError(`${output} was begun with other options: ${state.request}; --force starts over.`);
  }
}

async function expectPart(path: string, continued: RunState | undefined): Promise<void> {
  const length = await lengthOf(partPath(path));
  if (continued !== undefined && (length ?? -1) < continued.outputBytes) {
    throw new InputError(`${partPath(path)} is shorter than ${statePath(path)} says; --force starts over.`);
  }
}

async function lengthOf(path: string): Promise<number | undefined> {
  return (await unlessAbsent(stat(path)))?.size;
}

async function exists(path: string): Promise<boolean> {
  return (await lengthOf(path)) !== undefined;
}
