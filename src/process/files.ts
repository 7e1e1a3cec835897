import { randomUUID } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { open, readdir, readFile, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Makes a folder and those above it; one that exists stays as it is. Throws the error of the system.
 *
 * The recursive form of Node.js never returns where a folder takes no other one, as below `/proc`.
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    makeLast(path, mode);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    makeFolder(dirname(path), mode);
    makeLast(path, mode);
  }
}

function makeLast(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}

/** A change takes milliseconds; a lock that is older was left behind by a process that died. */
const staleAfter = 10_000;
const retryAfter = 20;

/**
 * Does work while no other process does work under the same lock file, whose folder must exist. Waits for others, which
 * hold the lock for milliseconds.
 *
 * Readers need no lock if they always see a whole file.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(path))) await delay(retryAfter);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const taken = await stat(path).catch(() => undefined);
  // A lock of the future, from a clock that was set back since, is as stale as an old one.
  if (taken !== undefined && Math.abs(Date.now() - taken.mtimeMs) > staleAfter)
    await rm(path, { force: true });
  return false;
}

/** Reads a file whole. A pipe or a device, whose end may never come, is an EISDIR as a folder is. */
export async function readWholeFile(path: string): Promise<Buffer> {
  if ((await stat(path)).isFile()) return readFile(path);
  throw Object.assign(new Error(`${path} is not a file`), { code: "EISDIR" });
}

/**
 * Replaces a file in one step: a new file, to the disk, renamed, the folder to the disk. The folder must exist.
 *
 * The new file has the owner and the mode of the old one, but `mode` if the old one is open to more users than that;
 * where there is no old one, `mode`, and as root the owner of the folder, so that a service of another user can still read what root has written. A symbolic link stays, and what it
 * leads to is replaced. Where the owner cannot be kept, nothing changes and the error of the system is thrown: `EPERM`.
 *
 * A crash leaves either the old file or the new one, a failure the old one and nothing else. `confirm` is called when the
 * new file is on the disk; where it denies nothing changes, and false is returned.
 */
export async function replaceFile(
  path: string,
  content: Uint8Array | string,
  mode = 0o644,
  confirm: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  const target = await targetOf(path);
  const old = await unlessAbsent(stat(target));
  const owner = old ?? (process.getuid?.() === 0 ? await stat(dirname(target)) : undefined);
  const fresh = `${target}.${randomUUID()}.new`;
  try {
    const file = await open(fresh, "wx", mode);
    try {
      await file.writeFile(content);
      if (owner !== undefined) await file.chown(owner.uid, owner.gid);
      // After the change of the owner, which takes some bits away.
      const isTooOpen = old === undefined || (old.mode & ~mode & 0o007) !== 0;
      await file.chmod(isTooOpen ? mode : old.mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    if (!(await confirm())) return false;
    await rename(fresh, target);
  } finally {
    await rm(fresh, { force: true });
  }
  const folder = await open(dirname(target), "r");
  await folder.sync().finally(() => folder.close());
  return true;
}

/** Returns the path of the file that a path leads to, through links, whether it exists or not. */
async function targetOf(path: string): Promise<string> {
  const target = await unlessAbsent(realpath(path));
  if (target !== undefined) return target;
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : targetOf(resolve(dirname(path), link));
}

/** Returns what is read of a file; undefined if it is absent. */
export async function unlessAbsent<Read>(reading: Promise<Read>): Promise<Read | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

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

/** Returns the code of a system error, `ENOENT` or another. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? "unreadable";
}
