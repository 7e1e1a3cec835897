import { rename, stat } from "node:fs/promises";
import type { FileRequest } from "./file-request.ts";
import type { InputIdentity } from "./input.ts";
import { InputError } from "./input-error.ts";
import { type Output, openFileOutput, StreamOutput } from "./output.ts";
import { partPath, type RunState, readState, removeState, statePath, writeState } from "./run-state.ts";

/** How far a run is, without what stays the same during it. */
export type RunPosition = Omit<RunState, "input" | "request" | "isComplete">;

/** The output of a run together with what lets it be continued. */
export interface Job {
  readonly output: Output;
  /** Where an interrupted run is continued; undefined where it begins. */
  readonly continued: RunPosition | undefined;
  /** Notes how far the run is once all of it is on the disk; it must have been flushed. */
  save(position: RunPosition): Promise<void>;
  /** Gives a complete output its name. */
  complete(position: RunPosition): Promise<void>;
}

/**
 * Opens the output of a run: standard output, a new file, or with `resume` that of an interrupted run.
 *
 * A file grows under another name until it is complete. Throws an InputError where an output is there that must not be
 * replaced, or whose run had another input or request. Without an identity the run cannot be continued.
 */
export async function openJob(request: FileRequest, identity: InputIdentity | undefined): Promise<Job> {
  const { output: path, resume, force } = request;
  if (resume && (path === undefined || identity === undefined)) {
    throw new InputError(
      "Only a run from a file to a file can be continued: --resume needs FILE and --output.",
    );
  }
  if (path === undefined) return streamJob();
  if (force && !resume) await removeState(path);
  const state = await readState(path);
  if (state?.isComplete === true && !(await exists(partPath(path)))) await rename(path, partPath(path));
  const told = fingerprint(request);
  if (state !== undefined) refuseOther(state, request, identity, told);
  else if (!force && (await exists(path))) {
    throw new InputError(`${path} is there already; --force replaces it.`);
  }
  await expectPart(path, state);
  const output = await openFileOutput(partPath(path), state?.outputBytes ?? 0);
  const write = async (position: RunPosition, isComplete: boolean) => {
    await output.sync();
    if (identity === undefined) return;
    await writeState(path, { ...position, input: identity, request: told, isComplete });
  };
  return {
    output,
    continued: state,
    save: (position) => write(position, false),
    complete: async (position) => {
      await write(position, true);
      await output.close();
      await rename(partPath(path), path);
      await removeState(path);
    },
  };
}

function streamJob(): Job {
  const output = new StreamOutput(process.stdout);
  return { output, continued: undefined, save: async () => {}, complete: () => output.flush() };
}

/** Everything asked for that the output depends on, so that no run is continued as another one. */
function fingerprint({ file: _, output: __, resume: ___, force: ____, ...asked }: FileRequest): string {
  return JSON.stringify(asked, Object.keys(asked).sort());
}

function refuseOther(
  state: RunState,
  { output, resume, file }: FileRequest,
  identity: InputIdentity | undefined,
  told: string,
): void {
  if (!resume) {
    throw new InputError(
      `${output} is not complete: --resume continues it after row ${state.row - 1}, --force begins anew.`,
    );
  }
  if (JSON.stringify(state.input) !== JSON.stringify(identity)) {
    throw new InputError(`${file} has changed since ${output} was begun; --force begins anew.`);
  }
  if (state.request !== told) {
    throw new InputError(`${output} was begun with other options: ${state.request}; --force begins anew.`);
  }
}

async function expectPart(path: string, continued: RunState | undefined): Promise<void> {
  const length = await lengthOf(partPath(path));
  if (continued !== undefined && (length ?? -1) < continued.outputBytes) {
    throw new InputError(`${partPath(path)} is shorter than ${statePath(path)} says; --force begins anew.`);
  }
}

async function lengthOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await lengthOf(path)) !== undefined;
}
