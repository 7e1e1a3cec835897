import { open } from "node:fs/promises";
import { basename } from "node:path";
import { DataFileError } from "../files/csv.ts";

/** Bytes that a file of bank data may have; the largest published one has a tenth of it. */
export const maxSourceBytes = 64 * 1_048_576;

/**
 * Reads a file, pipe or device up to `maxSourceBytes`; one that goes on is refused, so that a device without an end
 * (`/dev/zero`) ends the command instead of the memory.
 *
 * @throws {DataFileError} for more bytes; the system's error where it cannot be read.
 */
export async function readSourceFile(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of file.createReadStream({ autoClose: false, highWaterMark: 1_048_576 })) {
      pieces.push(piece as Buffer);
      bytes += (piece as Buffer).length;
      if (bytes > maxSourceBytes) throw tooLarge(path);
    }
    return Buffer.concat(pieces);
  } finally {
    await file.close();
  }
}

function tooLarge(path: string): DataFileError {
  const megabytes = maxSourceBytes / 1_048_576;
  return new DataFileError(
    basename(path),
    1,
    `it has more than ${megabytes} MB, which no file of bank data has`,
  );
}
