import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "./files.ts";

/**
 * Returns a text that changes whenever the file does; the error code if it cannot be read. Links are followed, so that
 * one that is turned to another file counts as a change.
 */
export async function fileState(path: string): Promise<string> {
  try {
    const file = await stat(path, { bigint: true });
    // What is in it is not watched, and would change its times.
    if (file.isDirectory()) return "folder";
    return `${file.ino} ${file.size} ${file.mtimeNs} ${file.ctimeNs}`;
  } catch (error) {
    return codeOf(error);
  }
}

/** Returns a text that changes whenever a file in the folder does; the error code if it cannot be read. */
export async function folderState(folder: string): Promise<string> {
  try {
    const names = (await readdir(folder)).sort();
    const states = await Promise.all(
      names.map(async (name) => `${name} ${await fileState(join(folder, name))}`),
    );
    return states.join("\n");
  } catch (error) {
    return codeOf(error);
  }
}

/** A look takes milliseconds, the load of an edition a few seconds; on a machine that is far too busy, a minute. */
const lateLookMs = 120_000;

/**
 * Looks at files and the clock at a fixed interval, never twice at once.
 *
 * Looking is cheap, works on every kind of file system, and cannot be put out of step by a change of the clock or by summer
 * time.
 */
export class FileWatch {
  readonly #look: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #current: Promise<void> | undefined;
  /** When the look in progress is late, until that has been said. */
  #lateAt = Number.POSITIVE_INFINITY;
  readonly #lateMs: number;

  /**
   * `look` never rejects. `late` is called once for a look that takes longer than `lateMs`, as it does where a network drive
   * does not answer: it is still waited for, since no other would be answered sooner.
   */
  constructor(
    intervalMs: number,
    look: () => Promise<void>,
    late: (seconds: number) => void,
    lateMs = lateLookMs,
  ) {
    this.#look = look;
    this.#lateMs = lateMs;
    this.#timer = setInterval(() => {
      if (this.#current === undefined) void this.look();
      else if (performance.now() > this.#lateAt) {
        this.#lateAt = Number.POSITIVE_INFINITY;
        late(Math.round(lateMs / 1_000));
      }
    }, intervalMs);
    this.#timer.unref();
  }

  /** Checks now, or after the check in progress; changes made before the call are seen once it resolves. */
  async look(): Promise<void> {
    // The failure of another look is its caller's.
    while (this.#current !== undefined) await this.#current.catch(() => {});
    this.#lateAt = performance.now() + this.#lateMs;
    this.#current = this.#look();
    try {
      await this.#current;
    } finally {
      this.#current = undefined;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
