import { digestOfKey, idOfDigest, type KeyHolder, type KeyTable, placeIn } from "./key-table.ts";

/** Longer keys are never remembered in clear; none that the service makes is. */
const maxLength = 128;

/** How many keys are remembered at most: a power of two. */
const places = 64;

/**
 * Keys that were accepted lately, in clear, so that their next requests are spared the digest.
 *
 * A key's place follows from its last characters. All its characters are compared with those of the key that is there,
 * regardless of the first ones: the time shows the length of the key that was sent and nothing of the one it is
 * compared with.
 */
class AcceptedKeys {
  readonly #units = new Uint16Array(places * maxLength);
  readonly #lengths = new Uint8Array(places);
  readonly #holders = new Array<KeyHolder | undefined>(places).fill(undefined);

  /** Returns the holder of a key that is remembered. */
  holderOf(key: string): KeyHolder | undefined {
    const { length } = key;
    if (length > maxLength) return undefined;
    const place = placeOf(key);
    const units = this.#units;
    const begin = place * maxLength;
    let difference = length ^ this.#lengths[place]!;
    for (let at = 0; at < length; at++) difference |= key.charCodeAt(at) ^ units[begin + at]!;
    return difference === 0 ? this.#holders[place] : undefined;
  }

  /** Remembers a key in the place of another. */
  add(key: string, holder: KeyHolder): void {
    if (key.length > maxLength) return;
    const place = placeOf(key);
    for (let at = 0; at < key.length; at++) this.#units[place * maxLength + at] = key.charCodeAt(at);
    this.#lengths[place] = key.length;
    this.#holders[place] = holder;
  }

  clear(): void {
    this.#units.fill(0);
    this.#lengths.fill(0);
    this.#holders.fill(undefined);
  }
}

function placeOf(key: string): number {
  const last = key.length - 1;
  return last < 1 ? 0 : (key.charCodeAt(last) * 31 + key.charCodeAt(last - 1)) & (places - 1);
}

/** The keys that open the service; holds digests only. */
export class KeyRing {
  #table: KeyTable;
  /** Keys that end at this time or before open nothing. */
  #now: number;
  /** By number of the key in the table: holders of the keys that were used since it is there. */
  #used = new Map<number, KeyHolder>();
  /** Holders of all keys there ever were, and the digests of their keys: one that opens again is the same caller. */
  readonly #holders = new Map<string, KeyHolder>();
  readonly #digests = new Map<KeyHolder, Buffer>();
  readonly #accepted = new AcceptedKeys();

  /** Keys that have ended at `now`, in milliseconds since 1970, do not open. */
  constructor(table: KeyTable, now = Number.NEGATIVE_INFINITY) {
    this.#table = table;
    this.#now = now;
  }

  /** Replaces all keys at once: only these are valid from now on, except those that have expired at `now`. */
  replace(table: KeyTable, now = Number.NEGATIVE_INFINITY): void {
    this.#accepted.clear();
    this.#used = new Map();
    this.#table = table;
    this.#now = now;
  }

  /**
   * Returns the key's holder, or undefined for a key that opens nothing.
   *
   * Digests are compared in constant time; about 1 µs, a tenth of it for a key that was accepted lately, which is compared
   * in constant time as it is.
   */
  holderOf(key: string): KeyHolder | undefined {
    const known = this.#accepted.holderOf(key);
    if (known !== undefined) return known;
    const holder = this.#holderByDigest(digestOfKey(key));
    if (holder !== undefined) this.#accepted.add(key, holder);
    return holder;
  }

  /** Whether the key of a holder is still valid; for requests that last long. About 1 µs. */
  isValid(holder: KeyHolder): boolean {
    const digest = this.#digests.get(holder);
    return digest !== undefined && this.#numberOf(digest) >= 0;
  }

  /** Returns the number of the key in the table; -1 if it opens nothing. */
  #numberOf(digest: Buffer): number {
    const { places, expires } = this.#table;
    const number = places[placeIn(this.#table, digest)]! - 1;
    return number >= 0 && expires[number]! > this.#now ? number : -1;
  }

  #holderByDigest(digest: Buffer): KeyHolder | undefined {
    const number = this.#numberOf(digest);
    if (number < 0) return undefined;
    const used = this.#used.get(number);
    if (used !== undefined) return used;
    const { names, nameEnds, limits } = this.#table;
    const name = Buffer.from(names.subarray(number === 0 ? 0 : nameEnds[number - 1], nameEnds[number]));
    const holder = this.#holder(name.toString(), idOfDigest(digest.toString("hex")));
    const [maxConcurrent = 0, maxPerSecond = 0] = limits.subarray(number * 2, number * 2 + 2);
    holder.limits = {
      ...(maxConcurrent > 0 && { maxConcurrent }),
      ...(maxPerSecond > 0 && { maxPerSecond }),
    };
    this.#used.set(number, holder);
    this.#digests.set(holder, digest);
    return holder;
  }

  #holder(name: string, id: string): KeyHolder {
    const known = this.#holders.get(`${name}/${id}`);
    if (known !== undefined) return known;
    const holder: KeyHolder = { name, id, used: 0 };
    this.#holders.set(`${name}/${id}`, holder);
    return holder;
  }
}
