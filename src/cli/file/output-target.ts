import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { targetOf, unlessAbsent } from "../../process/files.ts";
import { InputError } from "../../rows/rows.ts";
import { type Packing, packingOf } from "./packing.ts";

/** Owner and mode that a new file takes over from the one it replaces. */
export interface FileRights {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Where rows go: to standard output, through an existing pipe or device, or into a separate file. */
export type OutputTarget =
  | { readonly kind: "standard" }
  | { readonly kind: "pipe" | "device"; readonly path: string }
  /** The new file gets the rights of the one that it replaces; undefined if there is none. */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly packing: Packing | undefined;
      readonly replaced: FileRights | undefined;
    };

const standardOutputs = new Set(["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]);

export function isStandardOutput(path: string): boolean {
  return standardOutputs.has(path);
}

/**
 * Finds out what an output is before anything is checked. A symbolic link is followed.
 *
 * Throws an InputError for what nothing can be written to.
 */
export async function findTarget(output: string | undefined): Promise<OutputTarget> {
  if (output === undefined || isStandardOutput(output)) return { kind: "standard" };
  if (output === "") throw new InputError("--output needs the name of a file.");
  const found = await statOf(output);
  if (found?.isDirectory()) throw new InputError(`The output ${output} is a folder; name a file in it.`);
  if (found?.isFIFO()) return { kind: "pipe", path: output };
  if (found !== undefined && !found.isFile()) return { kind: "device", path: output };
  const path = resolve(await targetOf(output));
  await expectWritableFolder(dirname(path));
  const packing = packingOf(output);
  if (found === undefined) return { kind: "file", path, packing, replaced: undefined };
  const { mode, uid, gid } = found;
  return { kind: "file", path, packing, replaced: { mode: mode & 0o7777, uid, gid } };
}

async function statOf(path: string) {
  try {
    return await unlessAbsent(stat(path));
  } catch (error) {
    throw new InputError(`The output ${path} cannot be used: ${(error as Error).message}.`);
  }
}

async function expectWritableFolder(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(
      code === "ENOENT" || code === "ENOTDIR"
        ? `The folder ${folder} of the output does not exist; create it first.`
        : `Nothing can be written to the folder ${folder} of the output: ${(error as Error).message}.`,
    );
  }
}
