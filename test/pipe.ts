import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";

/** A named pipe that is only read when the test says so. Needs Linux. */
export class IdlePipe {
  /** The end that others write to. */
  readonly writer: number;
  readonly #reader: number;

  constructor(path: string) {
    execFileSync("mkfifo", [path]);
    this.#reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    this.writer = openSync(path, "w");
  }

  /** Reads what waits in the pipe, which may be nothing. */
  read(): string {
    const bytes = Buffer.alloc(65_536);
    let text = "";
    try {
      for (;;) text += bytes.toString("utf8", 0, readSync(this.#reader, bytes));
    } catch {
      // EAGAIN: nothing more.
    }
    return text;
  }

  close(): void {
    closeSync(this.writer);
    closeSync(this.#reader);
  }
}
