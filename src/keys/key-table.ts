import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** Upper limits of a key, in each process; an absent one does not apply. */
export interface KeyLimits {
  /** Requests inside the pool at a time. */
  readonly maxConcurrent?: number | undefined;
  /** Checks per second; an IBAN of a batch is one. A key that was quiet may do those of one second at once. */
  readonly maxPerSecond?: number | undefined;
}

/** A key as the ring takes it. */
export interface KeyEntry extends KeyLimits {
  /** Whose key it is; one holder may have several. */
  readonly name: string;
  /** Digest of the key itself, in hexadecimal digits. */
  readonly sha256: string;
  /** Time in ISO 8601 from which on it opens nothing; absent for a key that does not expire. */
  readonly expires?: string;
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
    expires: Float64Array.from(keys, ({ expires }) =>
      expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires),
    ),
    limits: Float64Array.from(
      keys.flatMap(({ maxConcurrent = 0, maxPerSecond = 0 }) => [maxConcurrent, maxPerSecond]),
    ),
    names: new Uint8Array(Buffer.concat(names)),
    nameEnds: new Uint32Array(keys.length),
    places: new Uint32Array(2 ** Math.ceil(Math.log2(2 * keys.length + 1))),
  };
  let nameEnd = 0;
  for (const [number, { sha256 }] of keys.entries()) {
    const digest = Buffer.from(sha256, "hex");
    nameEnd += names[number]!.length;
    table.nameEnds[number] = nameEnd;
    table.digests.set(digest, number * digestBytes);
    table.places[placeIn(table, digest)] = number + 1;
  }
  return table;
}

/** Returns the number of the key with a digest; -1 if there is none. */
export function numberIn(table: KeyTable, digest: Uint8Array): number {
  return table.places[placeIn(table, digest)]! - 1;
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

/** Returns a new API key: 32 random bytes as base64url, 43 characters. */
export function newApiKey(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the SHA-256 digest of an API key; only digests are ever stored or compared. */
export function digestOfKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}
