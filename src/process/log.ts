import { constants, fstatSync, openSync, write } from "node:fs";
import { Socket } from "node:net";
import { setTimeout as delay, setImmediate as laterTurn } from "node:timers/promises";
import { isatty } from "node:tty";
import { promisify } from "node:util";
import { type Logger, pino } from "pino";

const writeTo = promisify(write);

/** Maximum bytes of the log that wait for its reader; further lines are dropped. */
const maxWaitingBytes = 1_048_576;

/** A pipe takes up to this many bytes whole or not at all (PIPE_BUF), so lines of several processes never mix. */
const maxBytesAtOnce = 4_096;

/** How long a log that is not taken waits before it is offered again. */
const retryMs = 100;

/**
 * The log of the process: JSON lines with their time in ISO 8601, written to a file descriptor that is never waited for:
 * neither a pipe without a reader nor a slow disk.
 *
 * Lines that are not taken wait, up to a megabyte, and are offered again ten times a second, after any fault (a full disk,
 * a reader that stopped or has gone). Lines beyond that are dropped, counted, and reported when lines are taken again.
 */
export class LogSink {
  readonly log: Logger;
  readonly #fd: number;
  readonly #maxBytes: number;
  readonly #lines: string[] = [];
  #bytes = 0;
  #emptied: Promise<void> | undefined;
  /** Whether the system still has a write of ours in hand, which would hold up `process.exit`. */
  isWriting = false;
  /** How many lines were dropped since the start, and how many of them were reported. */
  dropped = 0;
  #reported = 0;
  /** Whether the line that comes is the one about dropped lines, which is always taken. */
  #isReporting = false;

  constructor(fd: number, maxBytes = maxWaitingBytes) {
    this.#fd = withoutBlocking(fd);
    this.#maxBytes = maxBytes;
    this.log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, this);
  }

  /** Takes a line with its line feed; it leaves on a later turn of the event loop. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > this.#maxBytes && !this.#isReporting) {
      this.dropped++;
      return;
    }
    this.#lines.push(line);
    this.#bytes += bytes;
    this.#emptied ??= this.#writeAll();
  }

  /** Resolves when all lines have been taken, and after `milliseconds` at the latest. */
  async flush(milliseconds: number): Promise<void> {
    if (this.#emptied !== undefined) await Promise.race([this.#emptied, delay(milliseconds)]);
  }

  async #writeAll(): Promise<void> {
    await laterTurn();
    while (this.#lines.length > 0) {
      // Whole lines, except after a partial write.
      let offered = this.#take();
      while (offered.length > 0) {
        this.isWriting = true;
        // Bytes that could not be written are offered again, for any fault.
        const { bytesWritten: written } = await writeTo(this.#fd, offered).catch(() => ({ bytesWritten: 0 }));
        this.isWriting = false;
        offered = offered.subarray(written);
        this.#bytes -= written;
        if (written > 0) this.#reportDropped();
        else await delay(retryMs, undefined, { ref: false });
      }
    }
    this.#emptied = undefined;
  }

  /** The next lines, as many as may go at once; a longer one goes alone. */
  #take(): Buffer {
    let count = 0;
    for (let bytes = 0; count < this.#lines.length; count++) {
      bytes += Buffer.byteLength(this.#lines[count]!);
      if (bytes > maxBytesAtOnce && count > 0) break;
    }
    return Buffer.from(this.#lines.splice(0, count).join(""));
  }

  #reportDropped(): void {
    const dropped = this.dropped - this.#reported;
    if (dropped === 0) return;
    this.#reported = this.dropped;
    this.#isReporting = true;
    this.log.warn({ dropped }, "log lines were dropped because they were not read");
    this.#isReporting = false;
  }
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
