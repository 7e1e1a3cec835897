import { open, readFile, rename, rm } from "node:fs/promises";
import type { InputIdentity } from "./input.ts";
import { InputError } from "./input-error.ts";
import type { Encoding } from "./text.ts";

/** How many rows have been checked, and what they came to. */
export interface RowCounts {
  readonly rows: number;
  readonly valid: number;
  readonly invalid: number;
}

/** How far a run has come: what it takes to continue it exactly. */
export interface RunState {
  readonly input: InputIdentity;
  /** Everything that was asked for that the output depends on. */
  readonly request: string;
  /** Where the next row begins in the input, and its number. */
  readonly offset: number;
  readonly row: number;
  /** How long the output is up to there; what stands behind it is written again. */
  readonly outputBytes: number;
  readonly encoding: Encoding | undefined;
  readonly counts: RowCounts;
  /** Whether all rows are there, so that the output may have its name already. */
  readonly isComplete: boolean;
}

/** Path of the file beside an output that holds the state of its run. */
export function statePath(output: string): string {
  return `${output}.resume.json`;
}

/** Path of an output that is not complete yet. */
export function partPath(output: string): string {
  return `${output}.part`;
}

/** Reads the state of an interrupted run; undefined where there is none. */
export async function readState(output: string): Promise<RunState | undefined> {
  let content: string;
  try {
    content = await readFile(statePath(output), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const state = JSON.parse(content) as RunState;
    if (Number.isInteger(state.offset) && Number.isInteger(state.outputBytes)) return state;
  } catch {
    // It is refused below like any other content that is no state.
  }
  throw new InputError(`${statePath(output)} cannot be read; --force begins anew.`);
}

/** Writes the state so that a crash at any moment leaves the old one or the new one. */
export async function writeState(output: string, state: RunState): Promise<void> {
  const path = statePath(output);
  const handle = await open(`${path}.new`, "w");
  try {
    await handle.writeFile(JSON.stringify(state));
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.new`, path);
}

/** Removes the state of a run that is complete or begins anew. */
export async function removeState(output: string): Promise<void> {
  await rm(statePath(output), { force: true });
}
