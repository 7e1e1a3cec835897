import { constants, createGzip, type Gzip, inflateRawSync } from "node:zlib";
import { nextTurn } from "../next-turn.ts";

/** Size of the chunks that zlib's threads return. */
export const chunkBytes = 65_536;
/** The fastest level: half of what the next ones cost, for a fifth more bytes. */
const level = 1;
/** Length of the gzip header, and the distance that compressed data may refer back. */
const headBytes = 10;
const windowBytes = 32_768;

/** Compresses an answer on zlib's threads, so that each part can be decompressed at once. */
export class PackedAnswer {
  readonly #gzip: Gzip = createGzip({ level, chunkSize: chunkBytes });
  #pieces: Buffer[] = [];
  /** The last 32 KB packed before the last result, and with it. */
  #before = Buffer.alloc(0);
  #end = Buffer.alloc(0);

  constructor() {
    this.#gzip.on("data", (piece: Buffer) => this.#pieces.push(piece));
    // Only a closed one fails.
    this.#gzip.on("error", () => {});
  }

  /** Compresses bytes, which are copied, and passes the result to `packed`. */
  pack(bytes: Uint8Array, isLast: boolean, packed: (bytes: Uint8Array) => void): void {
    // The receiver of the packed bytes may close the connection.
    const done = () => {
      const all = Buffer.concat(this.#pieces);
      this.#pieces = [];
      packed(all);
    };
    const own = Buffer.from(bytes);
    this.#before = this.#end;
    this.#end = Buffer.concat([this.#end, own.subarray(-windowBytes)]).subarray(-windowBytes);
    this.#gzip.write(own);
    if (isLast) {
      this.#gzip.once("end", done);
      this.#gzip.end();
    } else this.#gzip.flush(constants.Z_SYNC_FLUSH, () => nextTurn(done));
  }

  /** Decompresses the beginning of the last result. */
  unpackLast(packed: Uint8Array): Uint8Array {
    const isFirst = this.#before.length === 0;
    return inflateRawSync(isFirst ? packed.subarray(headBytes) : packed, {
      finishFlush: constants.Z_SYNC_FLUSH,
      ...(isFirst ? {} : { dictionary: this.#before }),
    });
  }

  close(): void {
    this.#gzip.destroy();
  }
}
