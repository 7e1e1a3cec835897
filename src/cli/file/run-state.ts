import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { unlessAbsent } from "../../process/files.ts";
import type { LayoutOptions } from "../../rows/layout.ts";
import type { PaymentReport } from "../../rows/payment-xml.ts";
import { InputError } from "../../rows/rows.ts";
import type { Position } from "./blocks.ts";

/** How rows that cannot be read are handled: they end the run, stay in the output, or go to a separate file. */
export type BadRows = { readonly kind: "stop" | "keep" } | { readonly kind: "reject"; readonly file: string };

export interface FileRequest extends LayoutOptions {
  /** Path of the input, `-` for standard input. */
  readonly file: string;
  /** Path of the output; undefined for standard output. */
  readonly output: string | undefined;
  readonly resume?: boolean;
  readonly force?: boolean;
  /** Whether it is one of several, whose states are kept until all are complete. */
  readonly isOneOfSeveral: boolean;
  readonly generates: boolean;
  readonly suggests: boolean;
  readonly badRows: BadRows;
  readonly only?: "valid" | "invalid";
  /** Names of the columns to add; all unless given. */
  readonly select?: readonly string[];
  readonly prefix: string;
  /** Whether CSV begins with a byte order mark, and the separator of its fields; that of the file unless given. */
  readonly bom?: true;
  readonly outputDelimiter?: string;
  readonly sheet?: string;
}

type ByReason = Readonly<Record<string, number>>;

/** How many rows have been checked, and with what result. */
export interface RowCounts {
  readonly rows: number;
  readonly valid: number;
  readonly invalid: number;
  /** How many of the invalid ones could not be read. */
  readonly bad: number;
  /** Why numbers are not valid. */
  readonly reasons: ByReason;
  /** Valid rows with a warning, by reason; a state that an older command has left has none. */
  readonly warnings?: ByReason;
  /** Of a payment order, what the SEPA rulebooks refuse of how many parties; known at its end. */
  readonly refused?: PaymentReport["refused"];
}

export function sum(one: RowCounts, other: RowCounts): RowCounts {
  return {
    rows: one.rows + other.rows,
    valid: one.valid + other.valid,
    invalid: one.invalid + other.invalid,
    bad: one.bad + other.bad,
    reasons: added(one.reasons, other.reasons),
    warnings: added(one.warnings, other.warnings),
  };
}

function added(one: ByReason = {}, other: ByReason = {}): ByReason {
  const all = { ...one };
  for (const [reason, times] of Object.entries(other)) all[reason] = (all[reason] ?? 0) + times;
  return all;
}

/** The progress of a run, and at its end its result. */
export interface ProgressFacts {
  readonly counts: RowCounts;
  /** How many rows had been checked before this run continued. */
  readonly before: number;
  /** How much of the input has been read, from 0 to 1; undefined if its size is not known. */
  readonly share: number | undefined;
  /** How much of it earlier runs had done. */
  readonly shareBefore: number;
  readonly seconds: number;
  readonly concurrency: number;
}

/** Position of a run, without its constant options. */
export interface RunPosition extends Position {
  /** SHA-256 of the input up to there, in hexadecimal digits. */
  readonly prefix: string;
  /** How long the output is up to there, and the file of rejected rows; what follows is written again. */
  readonly outputBytes: number;
  readonly rejectedBytes: number;
  readonly counts: RowCounts;
}

/** State of a run, from which it can be continued exactly. */
export interface RunState extends RunPosition {
  /** All options that the output depends on. */
  readonly request: string;
  /** Whether it replaces what was there; a state that an older command has left does not say. */
  readonly isForced?: boolean;
  /** Whether all rows are there, so that the output may have its name already. */
  readonly isComplete: boolean;
}

export function statePath(output: string): string {
  return `${output}.resume.json`;
}

export function partPath(output: string): string {
  return `${output}.part`;
}

export async function readState(output: string): Promise<RunState | undefined> {
  const content = await unlessAbsent(readFile(statePath(output), "utf8"));
  if (content === undefined) return undefined;
  try {
    const state = JSON.parse(content) as RunState;
    const numbers = [state.offset, state.row, state.line, state.outputBytes, state.rejectedBytes];
    const isWhole = numbers.every(Number.isSafeInteger) && typeof state.prefix === "string";
    if (isWhole && typeof JSON.parse(state.request) === "object") return state;
  } catch {
    // It is refused below like any other content that is not a state.
  }
  throw new InputError(`${statePath(output)} cannot be read; --force starts over.`);
}

/**
 * Writes the state so that a crash at any moment leaves the old one or the new one.
 *
 * Only the holder of the output's lock writes it, so one name serves all runs and a killed run leaves nothing that the
 * next does not overwrite. A state that a power cut loses costs rows checked again, so the folder is not written to disk.
 */
export async function writeState(output: string, state: RunState): Promise<void> {
  const path = statePath(output);
  const fresh = `${path}.new`;
  try {
    await writeFile(fresh, JSON.stringify(state), { flush: true });
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}

export async function removeState(output: string): Promise<void> {
  const path = statePath(output);
  for (const each of [path, `${path}.new`]) await rm(each, { force: true });
}
