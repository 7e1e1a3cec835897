import { nextTurn } from "./next-turn.ts";

/** How long a client whose answer was sent before the end of its body may be silent; without a key, how long it may send on. */
const lingerMs = 2_000;
/** How much of a refused body is read and thrown away, half a second at 1 Gbit/s; beyond it the connection is cut after the answer. */
export const maxDiscardedBytes = 64 * 1_048_576;

/**
 * The body of a request whose answer ends its connection: one in chunks, or that of a stream.
 *
 * The native parser knows no trailer fields: it takes them for the next request. So the connection ends with the body,
 * and the response stays open until then: the native layer closes a connection that continues after it.
 */
export class LastBody {
  #receive: ((piece: Uint8Array, isLast: boolean) => void) | undefined;
  #close: (() => void) | undefined;
  /** Whether no more of it is expected. */
  isOver = false;
  #discarded = 0;
  #isPatient = false;
  #linger: NodeJS.Timeout | undefined;

  onData(receive: (piece: Uint8Array, isLast: boolean) => void): void {
    this.#receive = receive;
  }

  take(piece: Uint8Array, isLast: boolean): void {
    this.isOver ||= isLast;
    this.#receive?.(piece, isLast);
    if (this.#close === undefined) return;
    this.#discarded += piece.length;
    if (isLast || this.#discarded > maxDiscardedBytes) this.#release();
    else if (this.#isPatient) this.#linger?.refresh();
  }

  /** Throws the rest away, and calls `close` at its end or bound; `isPatient` waits as long as more arrives. */
  discard(close: () => void, isPatient: boolean): void {
    this.#close = close;
    this.#isPatient = isPatient;
    if (this.isOver) this.#release();
    else this.#linger = setTimeout(() => this.#release(), lingerMs);
  }

  end(): void {
    this.isOver = true;
    clearTimeout(this.#linger);
  }

  #release(): void {
    this.end();
    const close = this.#close!;
    this.#close = undefined;
    nextTurn(close);
  }
}
