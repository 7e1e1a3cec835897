import { randomUUID } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { open, readFile, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

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
  await syncFolder(dirname(target)).catch((error: unknown) => {
    // Some network drives cannot do that, and a folder may be closed to readers; the file is replaced all the same.
    if (codeOf(error) === "EIO") throw error;
  });
  return true;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

/** Returns the path of the file that a path leads to, through links, whether it exists or not. */
export async function targetOf(path: string): Promise<string> {
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

/** Returns the code of a system error, `ENOENT` or another. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? "unreadable";
}
