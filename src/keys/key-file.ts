import { open } from "node:fs/promises";
import { join } from "node:path";
import { withFileLock } from "../process/file-lock.ts";
import { codeOf, makeFolder, readWholeFile, replaceFile, unlessAbsent } from "../process/files.ts";
import { StartError } from "../settings.ts";
import type { KeyEntry } from "./key-table.ts";

const otherFolder = "set STATE_DIR to a folder that the service may write to.";

/** What errors of the file system say of STATE_DIR to the operator who set it. */
const reasons: Readonly<Record<string, string>> = {
  ENOTDIR: `which is not a folder; ${otherFolder}`,
  EEXIST: `which is not a folder; ${otherFolder}`,
  ENOENT: `where no folder can be made; ${otherFolder}`,
  EACCES: `where this user may not read or write; ${otherFolder}`,
  EPERM: `where this user may not read or write; ${otherFolder}`,
  EROFS: `which is on a read-only file system; ${otherFolder}`,
  EISDIR: "where keys.json or keys.lock is not a file; remove it and try again.",
  ENOSPC: "whose disk is full; free some space and try again.",
};

/** Whether an error of the file system says that there is no room, on the disk or in the user's share of it. */
function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EFBIG"].includes(codeOf(error));
}

/** Returns an error of the file system as one sentence about STATE_DIR, and any other one as it is. */
function stateFolderError(stateDir: string, error: unknown): unknown {
  const code = codeOf(error);
  // Node.js has errors of its own, whose codes begin with ERR_.
  if (!/^E[A-Z0-9]+$/.test(code)) return error;
  const reason =
    reasons[isDiskFull(error) ? "ENOSPC" : code] ?? `which cannot be used (${code}); ${otherFolder}`;
  return new StartError(`STATE_DIR is ${stateDir}, ${reason}`, { cause: error });
}

/**
 * Does work on the key file while no other process changes it. Rejects with a StartError if STATE_DIR cannot be used.
 *
 * On a disk that has no room even for the lock the work is done without it, since keys must still be revocable.
 */
export async function withKeyFileLock<T>(stateDir: string, work: () => Promise<T>): Promise<T> {
  let isLocked = false;
  const lockedWork = () => {
    isLocked = true;
    return work();
  };
  try {
    makeFolder(stateDir, 0o700);
    return await withFileLock(join(stateDir, "keys.lock"), lockedWork).catch((error: unknown) => {
      if (isLocked || !isDiskFull(error)) throw error;
      return work();
    });
  } catch (error) {
    throw stateFolderError(stateDir, error);
  }
}

/**
 * Creates STATE_DIR and a folder in it. Throws a StartError if that can never succeed; a full disk may have room later,
 * and one that is read-only may be written to.
 */
export function makeStateFolder(stateDir: string, name: string): void {
  let path = stateDir;
  try {
    makeFolder(path, 0o700);
    path = join(stateDir, name);
    makeFolder(path, 0o700);
  } catch (error) {
    // Some file systems accept no folders, from any user.
    const isForGood = path === stateDir ? !isDiskFull(error) : ["ENOENT", "EPERM"].includes(codeOf(error));
    if (isForGood) throw stateFolderError(stateDir, error);
  }
}

/** One stored key, and when it was made, in ISO 8601. */
export interface StoredKey extends KeyEntry {
  readonly created: string;
}

export const holderName = /^[\w.-]{1,64}$/;

export function keyFilePath(stateDir: string): string {
  return join(stateDir, "keys.json");
}

/**
 * Reads the stored keys; undefined if there is no such file or folder. Rejects with a StartError when the file is
 * damaged or STATE_DIR cannot be used.
 */
export async function readKeyFile(stateDir: string): Promise<StoredKey[] | undefined> {
  const path = keyFilePath(stateDir);
  const content = await unlessAbsent(readWholeFile(path)).catch((error: unknown) => {
    throw stateFolderError(stateDir, error);
  });
  if (content === undefined) return undefined;
  let keys: unknown;
  try {
    // An editor may have put a byte order mark before it.
    keys = JSON.parse(content.toString().replace(/^\uFEFF/, ""));
  } catch {
    // The parser's error may quote the file.
  }
  if (Array.isArray(keys) && keys.every(isStoredKey)) return keys;
  throw new StartError(`${path} is not a list of key digests.`);
}

/**
 * Replaces the stored keys in one step, as `replaceFile` does, readable by the owner only; the folder must exist.
 *
 * On a full disk a list that is no longer than the old one, as after revoking a key, is written over it.
 */
export async function writeKeyFile(
  stateDir: string,
  keys: readonly StoredKey[],
  confirm?: () => Promise<boolean>,
): Promise<boolean> {
  const path = keyFilePath(stateDir);
  const bytes = Buffer.from(`${JSON.stringify(keys, null, 2)}\n`);
  try {
    return await replaceFile(path, bytes, 0o600, confirm);
  } catch (error) {
    if (!isDiskFull(error) || !(await overwrite(path, bytes))) throw error;
    return true;
  }
}

/** Writes a file's content in its place; false if it would need more room. Blanks fill the end before it is cut off. */
async function overwrite(path: string, bytes: Buffer): Promise<boolean> {
  const file = await open(path, "r+").catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { size } = await file.stat();
    if (bytes.length > size) return false;
    const padded = Buffer.concat([bytes, Buffer.alloc(size - bytes.length, " ")]);
    await file.writeFile(padded);
    await file.truncate(bytes.length);
    await file.sync();
    return true;
  } finally {
    await file.close();
  }
}

function isStoredKey(value: unknown): value is StoredKey {
  const given = (value ?? {}) as Readonly<Record<string, unknown>>;
  const { name, sha256, created, expires = created, maxConcurrent = 1, maxPerSecond = 1 } = given;
  return (
    isText(name, holderName) &&
    isText(sha256, /^[0-9a-f]{64}$/) &&
    [created, expires].every(isTime) &&
    [maxConcurrent, maxPerSecond].every(isLimit)
  );
}

const isText = (value: unknown, form: RegExp) => typeof value === "string" && form.test(value);
const isTime = (value: unknown) => typeof value === "string" && !Number.isNaN(Date.parse(value));

/** Whether a value is a limit of a key: a whole number from 1 on. */
export function isLimit(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}
