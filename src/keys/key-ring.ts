import { hash, randomBytes, timingSafeEqual } from "node:crypto";

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

/** A key as the ring takes it. */
export interface KeyEntry {
  /** Whose key it is; one holder may have several. */
  readonly name: string;
  readonly digest: Buffer;
  /** Milliseconds since 1970 from which on it opens nothing; Infinity for a key that does not expire. */
  readonly expires: number;
  readonly limits?: KeyLimits | undefined;
}

/** Upper limits of a key, in each process; an absent one does not apply. */
export interface KeyLimits {
  /** Requests inside the pool at a time. */
  readonly maxConcurrent?: number | undefined;
  /** Checks per second; an IBAN of a batch is one. A key that was quiet may do those of one second at once. */
  readonly maxPerSecond?: number | undefined;
}

/** Who calls: one for each key, the same object as long as the process runs. */
export interface KeyHolder {
  readonly name: string;
  /** Distinguishes the holder's keys without giving anything of them away: 16 hexadecimal digits of the digest. */
  readonly id: string;
  /** Checks that were answered for this key and are not yet recorded as usage. */
  used: number;
  limits?: KeyLimits | undefined;
}

const digestBytes = 32;

/**
 * Keys as a thread hands them over: bytes and numbers, so that however many there are, this thread has no objects to make
 * or to collect. A holder is made when its key is used for the first time.
 */
export interface KeyTable {
  readonly digests: Uint8Array;
  readonly expires: Float64Array;
  /** `maxConcurrent` and `maxPerSecond` in turn, 0 for none. */
  readonly limits: Float64Array;
  readonly names: Uint8Array;
  /** By key: where its name ends; it begins where the previous one ends. */
  readonly nameEnds: Uint32Array;
  /** By hash: one more than the number of the key, 0 if there is none. A power of two, at least twice the keys. */
  readonly places: Uint32Array;
}

/** Builds the table of keys, in about 2 µs each; of two with one digest the later one counts. */
export function tableOf(keys: readonly KeyEntry[]): KeyTable {
  const names = keys.map(({ name }) => Buffer.from(name));
  const table: KeyTable = {
    digests: new Uint8Array(keys.length * digestBytes),
    expires: Float64Array.from(keys, ({ expires }) => expires),
    limits: Float64Array.from(
      keys.flatMap(({ limits }) => [limits?.maxConcurrent ?? 0, limits?.maxPerSecond ?? 0]),
    ),
    names: new Uint8Array(Buffer.concat(names)),
    nameEnds: new Uint32Array(keys.length),
    places: new Uint32Array(2 ** Math.ceil(Math.log2(2 * keys.length + 1))),
  };
  let nameEnd = 0;
  for (const [number, { digest }] of keys.entries()) {
    nameEnd += names[number]!.length;
    table.nameEnds[number] = nameEnd;
    table.digests.set(digest, number * digestBytes);
    table.places[placeIn(table, digest)] = number + 1;
  }
  return table;
}

/** Returns the place of a digest, or the one that it would take. */
function placeIn({ digests, places }: KeyTable, digest: Uint8Array): number {
  const mask = places.length - 1;
  const hash = digest[0]! | (digest[1]! << 8) | (digest[2]! << 16) | (digest[3]! << 24);
  let place = hash & mask;
  for (; places[place] !== 0; place = (place + 1) & mask) {
    if (timingSafeEqual(digestAt(digests, places[place]! - 1), digest)) break;
  }
  return place;
}

function digestAt(digests: Uint8Array, number: number): Uint8Array {
  return digests.subarray(number * digestBytes, (number + 1) * digestBytes);
}

/** Returns the id of a key out of its hexadecimal digest. */
export function idOfDigest(sha256: string): string {
  return sha256.slice(0, 16);
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

/** Returns a new API key: 32 random bytes as base64url, 43 characters. */
export function newApiKey(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the SHA-256 digest of an API key; only digests are ever stored or compared. */
export function digestOfKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}
