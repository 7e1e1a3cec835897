import { constants, fstatSync, openSync, write } from "node:fs";
import { Socket } from "node:net";
import { isatty } from "node:tty";
import { type Logger, pino } from "pino";

/** Maximum bytes of the log that wait for its reader; further lines are dropped. */
const maxWaitingBytes = 1_048_576;

/** A pipe takes up to this many bytes whole or not at all (PIPE_BUF), so lines of several processes never mix. */
const maxBytesAtOnce = 4_096;

/** How long a log that is not taken waits before it is offered again. */
const retryMs = 100;

/**
 * Writes lines to a file descriptor and never waits for it: neither for a pipe without a reader nor for a slow disk.
 *
 * Lines that are not taken wait, up to a megabyte, and are offered again ten times a second, after any fault (a full disk,
 * a reader that stopped or has gone). Lines beyond that are dropped and counted.
 */
export class LogSink {
  readonly #fd: number;
  readonly #maxBytes: number;
  readonly #lines: string[] = [];
  #bytes = 0;
  /** Bytes being written or not accepted yet; whole lines, except the first after a partial write. */
  #offered: Buffer | undefined;
  #isWriting = false;
  #isPlanned = false;
  #dropped = 0;
  #reported = 0;
  /** Whether the line that comes is the one about dropped lines, which is always taken. */
  #isReporting = false;
  #onFlow: (dropped: number) => void = () => {};
  #whenEmpty: (() => void) | undefined;

  constructor(fd: number, maxBytes = maxWaitingBytes) {
    this.#fd = withoutBlocking(fd);
    this.#maxBytes = maxBytes;
  }

  /** How many lines were dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whether the system still has a write of ours in hand, which would hold up `process.exit`. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Calls back with the number of lines dropped as soon as lines are taken again. */
  onFlow(callback: (dropped: number) => void): void {
    this.#onFlow = callback;
  }

  /** Takes a line with its line feed; it leaves on a later turn of the event loop. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > this.#maxBytes && !this.#isReporting) {
      this.#dropped++;
      return;
    }
    this.#lines.push(line);
    this.#bytes += bytes;
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#offer());
  }

  /** Resolves when all lines have been taken, and after `milliseconds` at the latest. */
  async flush(milliseconds: number): Promise<void> {
    if (this.#bytes === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
      setTimeout(resolve, milliseconds);
    });
  }

  #offer(): void {
    this.#offered ??= this.#take();
    if (this.#offered === undefined) {
      this.#isPlanned = false;
      this.#whenEmpty?.();
      return;
    }
    this.#isWriting = true;
    write(this.#fd, this.#offered, (error, written) => {
      this.#isWriting = false;
      if (error === null) this.#taken(written);
      else setTimeout(() => this.#offer(), retryMs).unref();
    });
  }

  #taken(written: number): void {
    const rest = this.#offered!.subarray(written);
    this.#offered = rest.length === 0 ? undefined : rest;
    this.#bytes -= written;
    if (this.#dropped > this.#reported) {
      const dropped = this.#dropped - this.#reported;
      this.#reported = this.#dropped;
      this.#isReporting = true;
      this.#onFlow(dropped);
      this.#isReporting = false;
    }
    this.#offer();
  }

  /** The next lines, as many as may go at once; a longer one goes alone. */
  #take(): Buffer | undefined {
    let count = 0;
    for (let bytes = 0; count < this.#lines.length; count++) {
      bytes += Buffer.byteLength(this.#lines[count]!);
      if (bytes > maxBytesAtOnce && count > 0) break;
    }
    return count === 0 ? undefined : Buffer.from(this.#lines.splice(0, count).join(""));
  }
}

/** Returns the log of the process: JSON lines with their time in ISO 8601. */
export function makeLog(sink: LogSink): Logger {
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, sink);
  sink.onFlow((dropped) => log.warn({ dropped }, "log lines were dropped because they were not read"));
  return log;
}

/** Sockets that were opened to make a descriptor non-blocking, kept since closing one would close the descriptor. */
const opened: Socket[] = [];

/**
 * Returns a descriptor of the same pipe, terminal or socket on which a write fails rather than waits; a file's own one.
 *
 * Opening it again leaves the other processes that share it alone. A socket cannot be opened again.
 */
function withoutBlocking(fd: number): number {
  const stat = fstatSync(fd);
  if (stat.isFIFO() || isatty(fd)) {
    try {
      const { O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants;
      return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
    } catch {
      // No /proc here, another user's pipe, or one without a reader at the moment.
    }
  }
  if (stat.isFIFO() || stat.isSocket()) opened.push(new Socket({ fd, readable: false, writable: true }));
  return fd;
}
