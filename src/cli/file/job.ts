import { rename, stat } from "node:fs/promises";
import { takeLock } from "../../process/file-lock.ts";
import { unlessAbsent } from "../../process/files.ts";
import { InputError } from "../../rows/rows.ts";
import { flagOf } from "../../settings.ts";
import { type Output, openFileOutput, openStreamOutput } from "./output.ts";
import { findTarget, type OutputTarget } from "./output-target.ts";
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

export type Job = ReturnType<typeof jobOf>;

/**
 * The outputs of a run, and that for rejected rows where there is one, together with what lets it be continued: the path of
 * the complete output, where it is a file, and the state of an interrupted run.
 */
function jobOf(
  request: FileRequest,
  output: Output,
  rejected: Output | undefined,
  path?: string,
  state?: RunState,
) {
  let isResumable = state !== undefined;
  /** Notes how far the run is once all that was written so far is on the disk. */
  const save = async (position: RunPosition, isComplete = false) => {
    if (path === undefined) return;
    const { force: isForced = false } = request;
    await output.sync();
    await rejected?.sync();
    await writeState(path, { ...position, request: fingerprint(request), isForced, isComplete });
    isResumable = true;
  };
  return {
    output,
    rejected,
    continued: state as RunPosition | undefined,
    /** Whether a state is on the disk from which a further run may go on. */
    isResumable: () => isResumable,
    save,
    /** Renames a complete output to its final name. */
    complete: async (position: RunPosition) => {
      await save(position, true);
      if (path === undefined) return;
      await rename(partPath(path), path);
      // The output is complete, and a state that is left says so too. Of several, it stays until all are complete.
      if (!request.isOneOfSeveral) await removeState(path).catch(() => {});
    },
    /** Removes the files of a run that ended before its first row. */
    discard: async () => {
      for (const each of [output, rejected]) await each?.remove();
      if (path !== undefined) await removeState(path);
      isResumable = false;
    },
  };
}

/** Has something done at the end of a run, however it ends, before what was to be done until then. */
export type Defer = (close: () => unknown) => void;

/**
 * Opens the output of a run: standard output, a pipe, a new file, or with `resume` that of an interrupted run.
 *
 * A file grows under another name until it is complete, and belongs to one run at a time. Throws an InputError if an
 * output is there that must not be replaced, is in use, or whose run had another request.
 */
export async function openJob(
  request: FileRequest,
  target: OutputTarget,
  defer: Defer,
  signal: AbortSignal,
): Promise<Job> {
  const { file: input, badRows, resume, force = false } = request;
  const lock = async (path: string) => {
    const held = await lockOutput(path);
    defer(() => held.release());
  };
  const opened = async (opening: Promise<Output>) => {
    const output = await opening;
    defer(() => output.close());
    return output;
  };
  const openRejected = async (output?: string, continued?: RunState): Promise<Output | undefined> => {
    if (badRows.kind !== "reject") return undefined;
    const { file } = badRows;
    const place = await findTarget(file);
    if (place.kind === "standard") throw new InputError("--bad-rows reject needs the name of a file.");
    if (place.kind !== "file") return opened(openStreamOutput(place, signal));
    const { path, packing } = place;
    const isOutput = output !== undefined && [output, partPath(output)].includes(path);
    if (isOutput || (await isInput(input, path))) {
      throw new InputError(
        `The file for rejected rows, ${file}, is the input or the output; name another file.`,
      );
    }
    await lock(path);
    if (continued === undefined && !force && ((await lengthOf(path)) ?? 0) > 0)
      throw new InputError(`The file for rejected rows, ${file}, already exists; --force replaces it.`);
    const keep = continued?.rejectedBytes ?? 0;
    await expectLength(path, keep, output ?? "");
    const opening = openFileOutput(path, keep, packing).catch((error: Error) => {
      throw new InputError(`The file for rejected rows cannot be written: ${error.message}.`);
    });
    return opened(opening);
  };

  if (target.kind !== "file") {
    if (resume) {
      throw new InputError(
        "Only a run whose output is a file can be continued: --resume needs --output FILE.",
      );
    }
    const rejected = await openRejected();
    return jobOf(request, await opened(openStreamOutput(target, signal)), rejected);
  }
  const { path, packing, replaced } = target;
  for (const used of [path, partPath(path), statePath(path)]) {
    if (await isInput(input, used))
      throw new InputError(`The run would write to ${used}, which is the input; name another file.`);
  }
  await lock(path);
  if (force && !resume) await removeState(path);
  const state = await readState(path);
  if (state !== undefined) refuseOther(state, request);
  else if (!force && replaced !== undefined) {
    throw new InputError(`${path} already exists; --force replaces it.`);
  }
  const isRenamed = replaced !== undefined && (await lengthOf(partPath(path))) === undefined;
  if (state?.isComplete === true && isRenamed) await rename(path, partPath(path));
  const keep = state?.outputBytes ?? 0;
  await expectLength(partPath(path), keep, path);
  const rejected = await openRejected(path, state);
  const output = await opened(openFileOutput(partPath(path), keep, packing, replaced));
  return jobOf(request, output, rejected, path, state);
}

/** Takes the lock of an output, `checked.csv.lock` next to it. Throws an InputError while another run holds it. */
export async function lockOutput(output: string) {
  const path = `${output}.lock`;
  const lock = await takeLock(path);
  if (typeof lock !== "string") return lock;
  throw new InputError(`Another run (${lock}) is writing to ${output}. If there is none, remove ${path}.`);
}

/** Whether the input, which may be standard input, is a file. */
async function isInput(file: string, path: string): Promise<boolean> {
  const paths = [file === "-" ? "/dev/stdin" : file, path];
  const [first, second] = await Promise.all(paths.map((each) => stat(each).catch(() => undefined)));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/** Options that change nothing of the output; `suggest` has become `suggests`. */
const indifferent = new Set([
  ...["file", "output", "resume", "force", "isOneOfSeveral", "quiet", "json", "failOnInvalid", "suggest"],
  ...["url", "keyFile", "offline", "concurrency", "timeout", "retries"],
]);

/** Everything asked for that the output depends on, so that no run is continued as another one. */
function fingerprint(request: FileRequest): string {
  const asked = Object.entries(request).filter(([name]) => !indifferent.has(name));
  return JSON.stringify(Object.fromEntries(asked), (_key, value: unknown) => value ?? null);
}

function refuseOther(state: RunState, request: FileRequest): void {
  const { output, resume } = request;
  if (!resume) {
    throw new InputError(
      `${output} is not complete: --resume continues it after row ${state.row - 1}, --force starts over.`,
    );
  }
  const requests = [state.request, fingerprint(request)];
  const [begun, now] = requests.map((text) => JSON.parse(text) as Record<string, unknown>);
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
  return `--${name === "suggests" ? "suggest" : flagOf(name)}`;
}

/** A file that a run has written must still hold what its state says. */
async function expectLength(path: string, length: number, output: string): Promise<void> {
  if (((await lengthOf(path)) ?? 0) >= length) return;
  throw new InputError(`${path} is shorter than ${statePath(output)} says; --force starts over.`);
}

async function lengthOf(path: string): Promise<number | undefined> {
  return (await unlessAbsent(stat(path)))?.size;
}
