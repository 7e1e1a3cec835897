import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { InputError } from "../../rows/rows.ts";

/** Packs a part of an output; the parts one after the other are the packed whole. */
export type Packing = (bytes: Buffer) => Promise<Buffer>;

/** Node has it from 22.15 on. */
const { zstdCompress } = zlib as { readonly zstdCompress?: typeof zlib.gzip };

/**
 * Returns how an output is packed, by the end of its name: `.gz` or `.zst`; undefined for others.
 *
 * Throws an InputError for what cannot be written: `.xlsx`, and `.zst` by a Node without zstd.
 */
export function packingOf(output: string): Packing | undefined {
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
