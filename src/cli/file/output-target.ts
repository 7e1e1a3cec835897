import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { targetOf, unlessAbsent } from "../../process/files.ts";
import { InputError } from "../../rows/rows.ts";

/** Where rows go: to standard output, through an existing pipe or device, or into a separate file. */
export type OutputTarget = Awaited<ReturnType<typeof findTarget>>;

const standardOutputs = new Set(["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]);

export function isStandardOutput(path: string): boolean {
  return standardOutputs.has(path);
}

/**
 * Finds out what an output is before anything is checked. A symbolic link is followed.
 *
 * Throws an InputError for what nothing can be written to.
 */
export async function findTarget(output: string | undefined) {
  if (output === undefined || isStandardOutput(output)) return { kind: "standard" } as const;
  if (output === "") throw new InputError("--output needs the name of a file.");
  const found = await unlessAbsent(stat(output)).catch(({ message }: Error) => {
    throw new InputError(`The output ${output} cannot be used: ${message}.`);
  });
  if (found?.isDirectory()) throw new InputError(`The output ${output} is a folder; name a file in it.`);
  if (found?.isFIFO()) return { kind: "pipe", path: output } as const;
  if (found !== undefined && !found.isFile()) return { kind: "device", path: output } as const;
  const path = resolve(await targetOf(output));
  const folder = dirname(path);
  await access(folder, constants.W_OK | constants.X_OK).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new InputError(
      code === "ENOENT" || code === "ENOTDIR"
        ? `The folder ${folder} of the output does not exist; create it first.`
        : `Nothing can be written to the folder ${folder} of the output: ${message}.`,
    );
  });
  return { kind: "file", path, packing: packingOf(output), replaced: found } as const;
}

/** Packs a part of an output; the parts one after the other are the packed whole. */
export type Packing = (bytes: Buffer) => Promise<Buffer>;

/** Node has it from 22.15 on. */
const { zstdCompress } = zlib as { readonly zstdCompress?: typeof zlib.gzip };

/**
 * Returns how an output is packed, by the end of its name: `.gz` or `.zst`; undefined for others.
 *
 * Throws an InputError for what cannot be written: `.xlsx`, and `.zst` by a Node without zstd.
 */
function packingOf(output: string): Packing | undefined {
  if (/\.xlsx$/i.test(output)) {
    throw new InputError(
      `${output} would be a workbook, and the output is CSV or NDJSON; name it .csv (with --bom and --output-delimiter ";" Excel opens it).`,
    );
  }
  if (/\.gz$/i.test(output)) return promisify(zlib.gzip);
  if (!/\.zst$/i.test(output)) return undefined;
  if (zstdCompress !== undefined) return promisify(zstdCompress);
  throw new InputError(`Writing ${output} needs Node 22.15 or later; name it .gz.`);
}
