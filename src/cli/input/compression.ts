import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { InputError } from "../../rows/rows.ts";
import { peek } from "./peek.ts";

const gzipMagic = Buffer.from([0x1f, 0x8b]);
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Decompresses what is gzip or zstd by its first bytes; anything else stays as it is. */
export async function decompressed(bytes: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer>> {
  const { head, all } = await peek(bytes, 4);
  if (head.subarray(0, 2).equals(gzipMagic)) return gunzipped(all);
  return head.equals(zstdMagic) ? unzstd(all) : all;
}

async function* gunzipped(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  const gunzip = createGunzip();
  const source = Readable.from(bytes, { objectMode: false });
  let failure: unknown;
  source.once("error", (error) => {
    failure = error;
    gunzip.destroy(error);
  });
  try {
    yield* source.pipe(gunzip) as AsyncIterable<Buffer>;
  } catch (error) {
    throw failure ?? damaged("gzip", error);
  }
}

async function* unzstd(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  const { Decompress } = await import("fzstd");
  let ready: Buffer[] = [];
  const decompress = new Decompress((piece) => ready.push(Buffer.from(piece)));
  const push = (piece: Uint8Array, isLast: boolean) => {
    try {
      decompress.push(piece, isLast);
    } catch (error) {
      throw damaged("zstd", error);
    }
  };
  for await (const piece of bytes) {
    push(piece, false);
    yield* ready;
    ready = [];
  }
  push(new Uint8Array(0), true);
  yield* ready;
}

function damaged(form: string, error: unknown): InputError {
  return new InputError(`The ${form} data of the file is damaged or cut off: ${(error as Error).message}.`);
}
