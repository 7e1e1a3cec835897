import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

import type { KeyLimits } from "./key-ring.ts";

/** One stored key: its holder's name and the hexadecimal SHA-256 digest of the key itself; times in ISO 8601. */
export interface StoredKey extends KeyLimits {
  readonly name: string;
  readonly sha256: string;
  readonly created: string;
  /** From when on the key is not valid any more; absent for a key that does not expire. */
  readonly expires?: string;
}

/** Returns the limits of a stored key alone; those that it does not have are absent. */
export function limitsOf({ maxConcurrent, maxPerSecond }: KeyLimits): KeyLimits {
  return {
    ...(maxConcurrent === undefined ? {} : { maxConcurrent }),
    ...(maxPerSecond === undefined ? {} : { maxPerSecond }),
  };
}

/** What the name of a key's holder looks like. */
export const holderName = /^[\w.-]{1,64}$/;

/** Gives the path of the key file in a state folder. */
export function keyFilePath(stateDir: string): string {
  return join(stateDir, "keys.json");
}

/** Reads the stored keys; undefined where there is no such file or folder. Throws when the file is damaged. */
export async function readKeyFile(stateDir: string): Promise<StoredKey[] | undefined> {
  const path = keyFilePath(stateDir);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const keys = parseKeys(text);
  if (keys === undefined) throw new Error(`${path} is not a list of key digests.`);
  return keys;
}

/** What the parser says of broken JSON may repeat some of it, so that nothing of its error is kept. */
function parseKeys(text: string): StoredKey[] | undefined {
  try {
    const keys: unknown = JSON.parse(text);
    return Array.isArray(keys) && keys.every(isStoredKey) ? keys : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the stored keys in one step (new file, fsync, rename), readable by the owner only.
 *
 * A crash leaves either the old file or the new one.
 */
export async function writeKeyFile(stateDir: string, keys: readonly StoredKey[]): Promise<void> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const path = keyFilePath(stateDir);
  const fresh = `${path}.${randomUUID()}`;
  const file = await open(fresh, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(keys, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
  await chmod(path, 0o600);
}

function isStoredKey(value: unknown): value is StoredKey {
  const key = value as Partial<StoredKey> | null;
  return (
    typeof key === "object" &&
    key !== null &&
    typeof key.name === "string" &&
    holderName.test(key.name) &&
    isTime(key.created) &&
    (key.expires === undefined || isTime(key.expires)) &&
    (key.maxConcurrent === undefined || isLimit(key.maxConcurrent)) &&
    (key.maxPerSecond === undefined || isLimit(key.maxPerSecond)) &&
    typeof key.sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(key.sha256)
  );
}

/** Whether a value is a limit of a key: a whole number from 1 on. */
export function isLimit(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
