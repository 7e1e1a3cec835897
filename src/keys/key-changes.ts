import { isDeepStrictEqual } from "node:util";
import { readKeyFile, type StoredKey, withKeyFileLock, writeKeyFile } from "./key-file.ts";
import { digestOfKey, idOfDigest, type KeyLimits, newApiKey } from "./key-table.ts";

/** A key just made: the only time that it is seen in clear. */
export interface MadeKey {
  readonly key: string;
  readonly stored: StoredKey;
}

/** Returns the id by which people name a stored key. */
export function idOf(key: StoredKey): string {
  return idOfDigest(key.sha256);
}

export function isValidAt({ expires }: StoredKey, now: Date): boolean {
  return expires === undefined || Date.parse(expires) > now.getTime();
}

export async function createKey(
  stateDir: string,
  name: string,
  now: Date,
  expires: Date | undefined,
  limits: KeyLimits = {},
): Promise<MadeKey> {
  const made = makeKey({ name, ...limits }, now, expires);
  return changeKeys(stateDir, (keys) => [made, [...keys, made.stored]]);
}

/** Forgets the keys with an id or, for a name, all of its holder's; returns those it forgot. */
export function revokeKeys(stateDir: string, idOrName: string): Promise<readonly StoredKey[]> {
  return changeKeys(stateDir, (keys) => [
    keys.filter((key) => isCalled(key, idOrName)),
    keys.filter((key) => !isCalled(key, idOrName)),
  ]);
}

/**
 * Replaces the key with an id or, for a name, all keys of its holder by a new one; undefined if none is valid.
 *
 * Those it replaces expire `graceMs` milliseconds later, unless they do so before. The new one ends at `expires`, or else
 * when the last of the old ones would have. It has the limits of the one of them that was made last.
 */
export function rotateKeys(
  stateDir: string,
  idOrName: string,
  now: Date,
  graceMs: number,
  expires?: Date,
): Promise<MadeKey | undefined> {
  const end = new Date(now.getTime() + graceMs);
  return changeKeys(stateDir, (keys) => {
    const old = keys.filter((key) => isCalled(key, idOrName) && isValidAt(key, now));
    const latest = old.at(-1);
    if (latest === undefined) return [undefined, keys];
    const ends = old.flatMap(({ expires: oldEnd }) => (oldEnd === undefined ? [] : [Date.parse(oldEnd)]));
    const lastEnd = ends.length < old.length ? undefined : new Date(Math.max(...ends));
    const made = makeKey(latest, now, expires ?? lastEnd);
    const kept = keys.map((key) =>
      old.includes(key) && isValidAt(key, end) ? { ...key, expires: end.toISOString() } : key,
    );
    return [made, [...kept, made.stored]];
  });
}

/**
 * Changes the limits of the key with an id or, for a name, of all of its holder's; returns those keys. A limit that is
 * undefined is removed, an absent one stays.
 */
export function limitKeys(
  stateDir: string,
  idOrName: string,
  limits: KeyLimits,
): Promise<readonly StoredKey[]> {
  return changeKeys(stateDir, (keys) => {
    const limited = keys.map((key) => (isCalled(key, idOrName) ? { ...key, ...limits } : key));
    return [limited.filter((key) => isCalled(key, idOrName)), limited];
  });
}

/**
 * Makes the very first key where no key was ever stored, and returns it; undefined if the key file is there, empty or
 * not, and where `show` could not show the key, which is then not stored.
 */
export async function createFirstKey(
  stateDir: string,
  now: Date,
  show: (key: string) => Promise<boolean>,
): Promise<string | undefined> {
  return withKeyFileLock(stateDir, async () => {
    if ((await readKeyFile(stateDir)) !== undefined) return undefined;
    const { key, stored } = makeKey({ name: "first" }, now, undefined);
    const isStored = await writeKeyFile(stateDir, [stored], () => show(key));
    return isStored ? key : undefined;
  });
}

function makeKey(
  { expires: _, ...holder }: Omit<StoredKey, "sha256" | "created">,
  now: Date,
  expires: Date | undefined,
): MadeKey {
  const key = newApiKey();
  const sha256 = digestOfKey(key).toString("hex");
  const stored = { ...holder, sha256, created: now.toISOString() };
  return { key, stored: expires === undefined ? stored : { ...stored, expires: expires.toISOString() } };
}

/** Changes the stored keys, which stay as they are where none differs; returns the first value of the change. */
function changeKeys<Result>(
  stateDir: string,
  change: (keys: readonly StoredKey[]) => readonly [Result, readonly StoredKey[]],
): Promise<Result> {
  return withKeyFileLock(stateDir, async () => {
    const keys = (await readKeyFile(stateDir)) ?? [];
    const [result, changed] = change(keys);
    if (!isDeepStrictEqual(changed, keys)) await writeKeyFile(stateDir, changed);
    return result;
  });
}

function isCalled(key: StoredKey, idOrName: string): boolean {
  return key.name === idOrName || idOf(key) === idOrName;
}
