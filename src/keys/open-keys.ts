import { createFirstKey } from "./key-changes.ts";
import { digestOfKey } from "./key-digest.ts";
import { limitsOf, readKeyFile, type StoredKey } from "./key-file.ts";
import { type KeyEntry, KeyRing } from "./key-ring.ts";

/** The keys a service begins with. */
export interface OpenedKeys {
  readonly ring: KeyRing;
  readonly stored: readonly StoredKey[];
  /** The keys that the environment gives, beside those stored. */
  readonly given: readonly KeyEntry[];
  /** When the very first start had to make a key, that key in clear, to be shown once. */
  readonly firstKey?: string;
}

/**
 * Opens the key ring from `API_KEYS` (`name:key,…`, checked by the settings table) and the stored digests.
 *
 * With neither, makes one key named `first`, stores its digest in `stateDir` and gives the key itself back once. A key
 * file that is there but empty makes no key: somebody has revoked them all. Throws when the key file is damaged.
 */
export async function openKeys(apiKeys: string, stateDir: string, now: Date): Promise<OpenedKeys> {
  const given = apiKeys === "" ? [] : apiKeys.split(",").map(splitNamedKey);
  const isFirst = given.length === 0 && (await readKeyFile(stateDir)) === undefined;
  const first = isFirst ? await createFirstKey(stateDir, now) : undefined;
  const stored = (await readKeyFile(stateDir)) ?? [];
  const ring = new KeyRing(validKeys(stored, given, now.getTime()));
  return { ring, stored, given, ...(first === undefined ? {} : { firstKey: first.key }) };
}

/** Gives the stored and given keys that are valid at a time, in milliseconds since 1970. */
export function validKeys(
  stored: readonly StoredKey[],
  given: readonly KeyEntry[],
  now: number,
): readonly KeyEntry[] {
  return [...stored.map(entryOf), ...given].filter(({ expires }) => expires > now);
}

function entryOf(key: StoredKey): KeyEntry {
  const { name, sha256, expires } = key;
  return {
    name,
    limits: limitsOf(key),
    digest: Buffer.from(sha256, "hex"),
    expires: expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires),
  };
}

function splitNamedKey(pair: string): KeyEntry {
  const colon = pair.indexOf(":");
  const digest = digestOfKey(pair.slice(colon + 1));
  return { name: pair.slice(0, colon), digest, expires: Number.POSITIVE_INFINITY };
}
