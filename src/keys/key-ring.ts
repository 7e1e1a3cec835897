import { digestOfKey, factsAt, idOfDigest, type KeyHolder, type KeyTable, numberIn } from "./key-table.ts";

interface UsedKey extends KeyHolder {
  readonly digest: Uint8Array;
  /** When it stops opening, in milliseconds since 1970. */
  expires: number;
}

/** Longer keys are never remembered in clear; none that the service makes is. */
const maxLength = 128;

/** How many keys are remembered at most: a power of two. */
const places = 64;

/**
 * Keys that were accepted lately, in clear, so that their next requests are spared the digest.
 *
 * A key's place follows from its last characters. All its characters are compared with those of the key that is there,
 * regardless of the first ones, and beyond its end: the time shows the length of the key that was sent and nothing of the
 * one it is compared with.
 */
class AcceptedKeys {
  readonly #keys = new Array<{ padded: string; length: number; used: UsedKey } | undefined>(places);

  find(key: string): UsedKey | undefined {
    const known = this.#keys[placeOf(key)];
    if (known === undefined || key.length > maxLength) return undefined;
    let difference = key.length ^ known.length;
    for (let at = 0; at < key.length; at++) difference |= key.charCodeAt(at) ^ known.padded.charCodeAt(at);
    return difference === 0 ? known.used : undefined;
  }

  add(key: string, used: UsedKey): void {
    const { length } = key;
    if (length <= maxLength) this.#keys[placeOf(key)] = { padded: key.padEnd(maxLength, "\0"), length, used };
  }
}

function placeOf(key: string): number {
  const last = key.length - 1;
  return last < 1 ? 0 : (key.charCodeAt(last) * 31 + key.charCodeAt(last - 1)) & (places - 1);
}

/** The keys that open the service, each until it expires, as digests, which are compared in constant time. */
export class KeyRing {
  #table: KeyTable;
  /** By number of the key in the table: those that were used since it is there. */
  #used = new Map<number, UsedKey>();
  /** By name and id, all keys that were ever used: one that opens again is the same caller. */
  readonly #known = new Map<string, UsedKey>();
  #accepted = new AcceptedKeys();

  constructor(table: KeyTable) {
    this.#table = table;
  }

  /** Replaces all keys at once: only these are valid from now on. */
  replace(table: KeyTable): void {
    this.#accepted = new AcceptedKeys();
    this.#used = new Map();
    this.#table = table;
  }

  /** Returns the key's holder, or undefined for a key that opens nothing; about 1 µs, a tenth for one accepted lately. */
  holderOf(key: string): KeyHolder | undefined {
    let used = this.#accepted.find(key);
    if (used === undefined) {
      used = this.#find(digestOfKey(key));
      if (used === undefined) return undefined;
      this.#accepted.add(key, used);
    }
    return used.expires > Date.now() ? used : undefined;
  }

  /** Whether the key of a holder is still valid; for requests that last long. About 1 µs. */
  isValid({ name, id }: KeyHolder): boolean {
    const known = this.#known.get(`${name}/${id}`);
    const used = known && this.#find(known.digest);
    return used !== undefined && used.expires > Date.now();
  }

  #find(digest: Uint8Array): UsedKey | undefined {
    const number = numberIn(this.#table, digest);
    if (number < 0) return undefined;
    const used = this.#used.get(number);
    if (used !== undefined) return used;
    const { name, expires, ...limits } = factsAt(this.#table, number);
    const id = idOfDigest(Buffer.from(digest).toString("hex"));
    const place = `${name}/${id}`;
    const key: UsedKey = this.#known.get(place) ?? { name, id, digest, expires: 0 };
    key.limits = limits;
    key.expires = expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires);
    this.#used.set(number, key);
    this.#known.set(place, key);
    return key;
  }
}
