import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** What the state of a file that is not there is called. */
export const absent = "ENOENT";

/**
 * Returns a text that changes whenever the file does; the error code where it cannot be read. Links are followed, so that
 * one that is turned to another file counts as a change.
 */
export async function fileState(path: string): Promise<string> {
  try {
    const file = await stat(path, { bigint: true });
    // What is written inside a folder shows in its files; its own times also change by what is not looked at.
    if (file.isDirectory()) return "folder";
    return `${file.ino} ${file.size} ${file.mtimeNs} ${file.ctimeNs}`;
  } catch (error) {
    return codeOf(error);
  }
}

/** Returns a text that changes whenever a file in the folder or below does; the error code where it cannot be read. */
export async function folderState(folder: string): Promise<string> {
  try {
    const names = (await readdir(folder, { recursive: true })).sort();
    const states = await Promise.all(
      names.map(async (name) => `${name} ${await fileState(join(folder, name))}`),
    );
    return states.join("\n");
  } catch (error) {
    return codeOf(error);
  }
}

/**
 * Looks at files and the clock at a fixed interval, never twice at once.
 *
 * Looking is cheap, works on every kind of file system, and cannot be put out of step by a change of the clock or by summer
 * time.
 */
export class FileWatch {
  readonly #look: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #looking = false;

  /** `look` never rejects. */
  constructor(intervalMs: number, look: () => Promise<void>) {
    this.#look = look;
    this.#timer = setInterval(() => void this.look(), intervalMs);
    this.#timer.unref();
  }

  /** Looks now, unless a look is on its way. */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    await this.#look();
    this.#looking = false;
  }

  /** Ends the watch. */
  close(): void {
    clearInterval(this.#timer);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unreadable";
}
