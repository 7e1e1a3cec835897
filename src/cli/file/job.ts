import { rename, rm, stat } from "node:fs/promises";
import { unlessAbsent } from "../../process/files.ts";
import { InputError } from "../../rows/rows.ts";
import { type Output, openFileOutput } from "./output.ts";
import { lockOutput, type OutputLock } from "./output-lock.ts";
import { findTarget, type OutputTarget } from "./output-target.ts";
import { openStreamOutput, PipedOutput } from "./piped-output.ts";
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
  for (const path of [target.path, partPath(target.path), statePath(target.path)]) {
    if (await isInput(request.file, path))
      throw new InputError(`The run would write to ${path}, which is the input; name another file.`);
  }
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
  { path, packing, replaced }: FileTarget,
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
  if (state !== undefined) await expectLength(partPath(path), state.outputBytes, path);
  const rejected = await openRejected(request, path, state, signal);
  const output = await openFileOutput(partPath(path), state?.outputBytes ?? 0, lock, packing, replaced);
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
  const { path, packing } = target;
  if (
    path === output ||
    (output !== undefined && path === partPath(output)) ||
    (await isInput(input, path))
  ) {
    throw new InputError(
      `The file for rejected rows, ${file}, is the input or the output; name another file.`,
    );
  }
  const lock = await lockOutput(path);
  try {
    if (continued !== undefined) await expectLength(path, continued.rejectedBytes, output ?? "");
    else if (!force && ((await lengthOf(path)) ?? 0) > 0) {
      throw new InputError(`The file for rejected rows, ${file}, already exists; --force replaces it.`);
    }
    return await openFileOutput(path, continued?.rejectedBytes ?? 0, lock, packing);
  } catch (error) {
    await lock.release();
    if (error instanceof InputError) throw error;
    throw new InputError(`The file for rejected rows cannot be written: ${(error as Error).message}.`);
  }
}

/** Whether the input, which may be standard input, is a file. */
async function isInput(file: string, path: string): Promise<boolean> {
  const paths = [file === "-" ? "/dev/stdin" : file, path];
  const [first, second] = await Promise.all(paths.map((each) => stat(each).catch(() => undefined)));
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
  if (state.request === asked) return;
  const [begun, now] = [state.request, asked].map((text) => JSON.parse(text) as Record<string, unknown>);
  const others = Object.keys(now!).filter(
    (name) => JSON.stringify(begun![name] ?? null) !== JSON.stringify(now![name]),
  );
  // A run of an earlier version does not know the options of this one.
  if (others.length === 0) return;
  throw new InputError(
    `${output} was started with other options: ${others.map(optionName).join(", ")}; repeat them, or --force starts over.`,
  );
}

function optionName(name: string): string {
  if (name === "generates") return "check or generate";
  const words =
    name === "suggests" ? "suggest" : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `--${words}`;
}

/** A file that a run has written must still hold what its state says. */
async function expectLength(path: string, length: number, output: string): Promise<void> {
  if (((await lengthOf(path)) ?? 0) >= length) return;
  throw new InputError(`${path} is shorter than ${statePath(output)} says; --force starts over.`);
}

async function lengthOf(path: string): Promise<number | undefined> {
  return (await unlessAbsent(stat(path)))?.size;
}

async function exists(path: string): Promise<boolean> {
  return (await lengthOf(path)) !== undefined;
}
