import { timingSafeEqual } from "node:crypto";
import { digestOfKey, newApiKey } from "./key-digest.ts";
import { readKeyFile, writeKeyFile } from "./key-file.ts";

/** A key that opens the service, by its digest. */
interface RingKey {
  readonly name: string;
  readonly digest: Buffer;
}

const noKey: RingKey = { name: "", digest: Buffer.alloc(32) };

/** Longer keys are never remembered in clear; none that the service makes is. */
const longestRemembered = 128;

/** The keys that open the service; holds digests only. */
export class KeyRing {
  readonly #keys: ReadonlyMap<string, RingKey>;
  /** The key accepted last, length and bytes, so that a client's next request is spared the digest. */
  readonly #last = Buffer.alloc(longestRemembered + 1);
  readonly #given = Buffer.alloc(longestRemembered + 1);
  #lastName: string | undefined;

  constructor(keys: readonly { readonly name: string; readonly digest: Buffer }[]) {
    this.#keys = new Map(keys.map((key) => [key.digest.toString("latin1"), key]));
  }

  /** How many keys open the service. */
  get size(): number {
    return this.#keys.size;
  }

  /**
   * Gives the name of the key's holder, or undefined for a key that opens nothing.
   *
   * Digests are compared in constant time, for unknown keys too; about 1 µs, a fifth of it for the key that was
   * accepted last, which is compared in constant time as it is.
   */
  nameOf(key: string): string | undefined {
    if (key.length > longestRemembered) return this.#nameByDigest(key)?.name;
    const given = this.#given.fill(0);
    given[0] = key.length;
    const isAscii = given.write(key, 1, "utf8") === key.length;
    if (timingSafeEqual(given, this.#last) && isAscii && this.#lastName !== undefined) return this.#lastName;
    const holder = this.#nameByDigest(key);
    if (holder === undefined || !isAscii) return holder?.name;
    given.copy(this.#last);
    this.#lastName = holder.name;
    return holder.name;
  }

  #nameByDigest(key: string): RingKey | undefined {
    const digest = digestOfKey(key);
    const candidate = this.#keys.get(digest.toString("latin1")) ?? noKey;
    return timingSafeEqual(candidate.digest, digest) ? candidate : undefined;
  }
}

/** The opened key ring and, when the very first start had to make a key, that key in clear, to be shown once. */
export interface OpenedKeyRing {
  readonly ring: KeyRing;
  readonly firstKey?: string;
}

/**
 * Opens the key ring from `API_KEYS` (`name:key,…`, checked by the settings table) and the stored digests.
 *
 * With neither, makes one key named `first`, stores its digest in `stateDir` and gives the key itself back once.
 */
export async function openKeyRing(apiKeys: string, stateDir: string, now: Date): Promise<OpenedKeyRing> {
  const given = apiKeys === "" ? [] : apiKeys.split(",").map(splitNamedKey);
  const stored = (await readKeyFile(stateDir)).map(({ name, sha256 }) => ({
    name,
    digest: Buffer.from(sha256, "hex"),
  }));
  if (given.length + stored.length > 0) return { ring: new KeyRing([...stored, ...given]) };
  const firstKey = newApiKey();
  const digest = digestOfKey(firstKey);
  await writeKeyFile(stateDir, [
    { name: "first", sha256: digest.toString("hex"), created: now.toISOString() },
  ]);
  return { ring: new KeyRing([{ name: "first", digest }]), firstKey };
}

function splitNamedKey(pair: string): RingKey {
  const colon = pair.indexOf(":");
  return { name: pair.slice(0, colon), digest: digestOfKey(pair.slice(colon + 1)) };
}
