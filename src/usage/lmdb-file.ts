import { open } from "node:fs/promises";

/** Offsets in the head of a meta page, of which the first two pages each have one. Source: LMDB 1.0, `mdb.c`. */
const magicOffset = 24;
const pageSizeOffset = 48;
const lastPageOffset = 144;
const headBytes = 160;
const magic = 0xbeef_c0de;

/**
 * Throws where a file is no whole LMDB file: LMDB maps it into memory and would take the process with it.
 *
 * A file that is absent or empty is whole, since LMDB fills it.
 */
export async function expectWholeLmdbFile(path: string): Promise<void> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return;
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(head, 0, headBytes, 0);
    if (bytesRead === 0) return;
    const pageSize = head.readUInt32LE(pageSizeOffset);
    const second = Buffer.alloc(headBytes);
    await file.read(second, 0, headBytes, pageSize);
    // Another process may make it longer at any time, and then says so in the head: the size is asked for last.
    const { size } = await file.stat();
    const isWhole = [head, second].every(
      (page) =>
        page.readUInt32LE(magicOffset) === magic &&
        (page.readBigUInt64LE(lastPageOffset) + 1n) * BigInt(pageSize) <= BigInt(size),
    );
    if (!isWhole) throw new Error(`${path} is not a complete LMDB file.`);
  } finally {
    await file.close();
  }
}
