import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

/** One stored key: its name and the hexadecimal SHA-256 digest of the key itself. */
export interface StoredKey {
  readonly name: string;
  readonly sha256: string;
  readonly created: string;
}

const keyFileName = "keys.json";

/** Reads the stored keys; a folder or file that does not exist holds none. Throws when the file is damaged. */
export async function readKeyFile(stateDir: string): Promise<StoredKey[]> {
  const path = join(stateDir, keyFileName);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
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
  const path = join(stateDir, keyFileName);
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
    typeof key.created === "string" &&
    typeof key.sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(key.sha256)
  );
}
