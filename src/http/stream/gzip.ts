import { constants, createGzip, inflateRawSync } from "node:zlib";
import { nextTurn } from "../next-turn.ts";

/** Size of the chunks that zlib's threads return. */
export const chunkBytes = 65_536;
/** The fastest level: half of what the next ones cost, for a fifth more bytes. */
const level = 1;
/** Length of the gzip header, and the distance that compressed data may refer back. */
const headBytes = 10;
const windowBytes = 32_768;

/** Compresses an answer on zlib's threads, so that each part can be decompressed at once. */
export function openPacking() {
  const gzip = createGzip({ level, chunkSize: chunkBytes });
  let pieces: Buffer[] = [];
  /** The last 32 KB packed before the last result, and with it. */
  let before = Buffer.alloc(0);
  let end = before;
  gzip.on("data", (piece: Buffer) => pieces.push(piece));
  // Only a closed one fails.
  gzip.on("error", () => {});
  return {
    /** Compresses bytes, which are copied, and passes the result to `packed`. */
    pack: (bytes: Uint8Array, isLast: boolean, packed: (bytes: Uint8Array) => void) => {
      // The receiver of the packed bytes may close the connection.
      const done = () => {
        const all = Buffer.concat(pieces);
        pieces = [];
        packed(all);
      };
      const own = Buffer.from(bytes);
      before = end;
      end = Buffer.concat([end, own.subarray(-windowBytes)]).subarray(-windowBytes);
      gzip.write(own);
      if (isLast) gzip.once("end", done).end();
      else gzip.flush(constants.Z_SYNC_FLUSH, () => nextTurn(done));
    },
    /** Decompresses the beginning of the last result. */
    unpackLast: (packed: Uint8Array) => {
      const isFirst = before.length === 0;
      return inflateRawSync(isFirst ? packed.subarray(headBytes) : packed, {
        finishFlush: constants.Z_SYNC_FLUSH,
        ...(isFirst ? {} : { dictionary: before }),
      });
    },
    close: () => gzip.destroy(),
  };
}
