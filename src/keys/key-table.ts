import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** Upper limits of a key, in each process; an absent one does not apply. */
export interface KeyLimits {
  /** Requests inside the pool at a time. */
  readonly maxConcurrent?: number | undefined;
  /** Checks per second; an IBAN of a batch is one. A key that was quiet may do those of one second at once. */
  readonly maxPerSecond?: number | undefined;
}

export interface KeyEntry extends KeyLimits {
  /** Whose key it is; one holder may have several. */
  readonly name: string;
  /** Digest of the key itself, in hexadecimal digits. */
  readonly sha256: string;
  /** Time in ISO 8601 from which on it opens nothing; absent for a key that does not expire. */
  readonly expires?: string;
}

type KeyFacts = Omit<KeyEntry, "sha256">;

/** Who calls: one for each key, the same object as long as the process runs. */
export interface KeyHolder {
  readonly name: string;
  /** Distinguishes the holder's keys without giving anything of them away: 16 hexadecimal digits of the digest. */
  readonly id: string;
  limits?: KeyLimits | undefined;
}

const digestBytes = 32;

/**
 * Keys as a thread hands them over: bytes and numbers, so that however many there are, this thread has no objects to make
 * or to collect. The facts of a key are parsed when it is used for the first time.
 */
export interface KeyTable {
  readonly digests: Uint8Array;
  /** `KeyFacts` of each key as JSON, one after the other. */
  readonly facts: Uint8Array;
  /** By key: where its facts end; they begin where those of the previous one end. */
  readonly factsEnds: Uint32Array;
  /** By hash: one more than the number of the key, 0 if there is none. A power of two, at least twice the keys. */
  readonly places: Uint32Array;
}

/** Builds the table of keys, in about 2 µs each; of two with one digest the later one counts. */
export function tableOf(keys: readonly KeyEntry[]): KeyTable {
  const facts = keys.map(({ name, expires, maxConcurrent, maxPerSecond }) =>
    Buffer.from(JSON.stringify({ name, expires, maxConcurrent, maxPerSecond })),
  );
  const table: KeyTable = {
    digests: new Uint8Array(Buffer.from(keys.map(({ sha256 }) => sha256).join(""), "hex")),
    facts: new Uint8Array(Buffer.concat(facts)),
    factsEnds: new Uint32Array(keys.length),
    places: new Uint32Array(2 ** Math.ceil(Math.log2(2 * keys.length + 1))),
  };
  let factsEnd = 0;
  for (const [number, { length }] of facts.entries()) {
    factsEnd += length;
    table.factsEnds[number] = factsEnd;
    table.places[placeIn(table, digestAt(table, number))] = number + 1;
  }
  return table;
}

/** Returns the number of the key with a digest; -1 if there is none. */
export function numberIn(table: KeyTable, digest: Uint8Array): number {
  return table.places[placeIn(table, digest)]! - 1;
}

/** Returns the place of a digest, or the one that it would take. */
function placeIn(table: KeyTable, digest: Uint8Array): number {
  const { places } = table;
  const mask = places.length - 1;
  const hash = digest[0]! | (digest[1]! << 8) | (digest[2]! << 16) | (digest[3]! << 24);
  let place = hash & mask;
  for (; places[place] !== 0; place = (place + 1) & mask) {
    if (timingSafeEqual(digestAt(table, places[place]! - 1), digest)) break;
  }
  return place;
}

function digestAt({ digests }: KeyTable, number: number): Uint8Array {
  return digests.subarray(number * digestBytes, (number + 1) * digestBytes);
}

export function factsAt({ facts, factsEnds }: KeyTable, number: number): KeyFacts {
  const json = facts.subarray(factsEnds[number - 1] ?? 0, factsEnds[number]);
  return JSON.parse(Buffer.from(json).toString()) as KeyFacts;
}

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
