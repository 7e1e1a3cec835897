import { inSlices } from "../process/in-slices.ts";
import { SettingError } from "../settings.ts";
import { limitsOf, readKeyFile, type StoredKey } from "./key-file.ts";
import { digestOfKey, type KeyEntry, KeyRing } from "./key-ring.ts";

/** The keys a service begins with. */
export interface OpenedKeys {
  readonly ring: KeyRing;
  readonly stored: readonly StoredKey[];
  /** The keys that the environment gives, beside those stored. */
  readonly given: readonly KeyEntry[];
  /** Whether no key was ever given or stored, so that the first one is to be made. */
  readonly isFirstStart: boolean;
}

/**
 * Opens the key ring from `API_KEYS` (`name:key,…`, checked by the settings table) and the stored digests.
 *
 * Rejects with a SettingError where one key belongs to two names, and with a StartError when the key file is damaged or
 * STATE_DIR cannot be used.
 */
export async function openKeys(apiKeys: string, stateDir: string, now: Date): Promise<OpenedKeys> {
  const given = apiKeys === "" ? [] : apiKeys.split(",").map(splitNamedKey);
  const file = await readKeyFile(stateDir);
  const stored = file ?? [];
  const entries = await keyEntries(stored, given);
  expectOneNameEach(entries);
  const ring = new KeyRing(entries.filter(({ expires }) => expires > now.getTime()));
  return { ring, stored, given, isFirstStart: file === undefined && given.length === 0 };
}

/** Returns the stored keys and those of the environment as the ring takes them, expired ones too. */
export async function keyEntries(
  stored: readonly StoredKey[],
  given: readonly KeyEntry[],
): Promise<readonly KeyEntry[]> {
  const entries: KeyEntry[] = [];
  await inSlices(stored, (key) => entries.push(entryOf(key)));
  return [...entries, ...given];
}

/** Usage is counted by name: a key of two names would count for one of them, by chance. */
function expectOneNameEach(entries: readonly KeyEntry[]): void {
  const names = new Map<string, string>();
  for (const { name, digest } of entries) {
    const text = digest.toString("latin1");
    const other = names.get(text) ?? name;
    if (other !== name) {
      throw new SettingError(
        `The names ${other} and ${name} have the same API key; give each its own in API_KEYS, or revoke one.`,
      );
    }
    names.set(text, name);
  }
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
