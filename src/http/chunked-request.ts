import { nextTurn } from "./connections.ts";

/** How long a refusal waits for the rest of a chunked body, which the client would otherwise lose it to. */
const lingerMs = 300;
/** How much more of a refused body is read and thrown away. */
const maxDiscardedBytes = 8 * 1_048_576;

/** A last chunk, with all that follows it. */
const lastChunk = /\r\n0+[ \t]*(?:;[^\r\n]*)?\r\n.*$/s;
/** The line before a chunk. */
const chunkLine = /\r\n[\da-f]+[ \t]*(?:;[^\r\n]*)?\r\n/gi;

/**
 * A request whose body comes in chunks, as far as its framing goes.
 *
 * The native parser knows no trailer fields: it takes them for the next request. So the answer waits until the whole
 * packet is parsed, during which the native layer closes a connection that continues, and then ends the connection.
 */
export class ChunkedRequest {
  #receive: ((piece: Uint8Array, isLast: boolean) => void) | undefined;
  #answer: (() => void) | undefined;
  #isWhole = false;
  #discarded = 0;
  #linger: NodeJS.Timeout | undefined;

  /** Hands the body on from here. */
  onData(receive: (piece: Uint8Array, isLast: boolean) => void): void {
    this.#receive = receive;
  }

  /** Takes one piece of the body as the native layer gives it. */
  take(piece: Uint8Array, isLast: boolean): void {
    this.#isWhole ||= isLast;
    this.#receive?.(piece, isLast);
    if (this.#answer === undefined) return;
    this.#discarded += piece.length;
    if (isLast || this.#discarded > maxDiscardedBytes) this.#release();
  }

  /** Calls `answer` when the body has come whole, or does not come to its end soon. */
  hold(answer: () => void): void {
    this.#answer = answer;
    if (this.#isWhole) this.#release();
    else this.#linger = setTimeout(() => this.#release(), lingerMs);
  }

  /** The client has gone. */
  end(): void {
    clearTimeout(this.#linger);
  }

  #release(): void {
    clearTimeout(this.#linger);
    const answer = this.#answer!;
    this.#answer = undefined;
    nextTurn(answer);
  }
}

/**
 * Returns whether what has come of a chunked body is a whole JSON text, though its framing promises more: chunk
 * extensions, which the native parser reads as part of the chunk's size.
 */
export function isWholeDespiteFraming(body: Buffer): boolean {
  const text = body.toString("latin1").replace(lastChunk, "").replaceAll(chunkLine, "");
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
