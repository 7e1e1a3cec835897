import { digestOfKey, idOfDigest, type KeyHolder, type KeyTable, numberIn } from "./key-table.ts";

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
  readonly #numbers = new Int32Array(places).fill(-1);

  /** Returns the number of a key that is remembered; -1 of another. */
  numberOf(key: string): number {
    const { length } = key;
    if (length > maxLength) return -1;
    const place = placeOf(key);
    const units = this.#units;
    const begin = place * maxLength;
    let difference = length ^ this.#lengths[place]!;
    for (let at = 0; at < length; at++) difference |= key.charCodeAt(at) ^ units[begin + at]!;
    return difference === 0 ? this.#numbers[place]! : -1;
  }

  /** Remembers a key in the place of another. */
  add(key: string, number: number): void {
    if (key.length > maxLength) return;
    const place = placeOf(key);
    for (let at = 0; at < key.length; at++) this.#units[place * maxLength + at] = key.charCodeAt(at);
    this.#lengths[place] = key.length;
    this.#numbers[place] = number;
  }

  clear(): void {
    this.#units.fill(0);
    this.#lengths.fill(0);
    this.#numbers.fill(-1);
  }
}

function placeOf(key: string): number {
  const last = key.length - 1;
  return last < 1 ? 0 : (key.charCodeAt(last) * 31 + key.charCodeAt(last - 1)) & (places - 1);
}

/** The keys that open the service, each until it expires; holds digests only. */
export class KeyRing {
  #table: KeyTable;
  /** By number of the key in the table: holders of the keys that were used since it is there. */
  #used = new Map<number, KeyHolder>();
  /** Holders of all keys there ever were, and the digests of their keys: one that opens again is the same caller. */
  readonly #holders = new Map<string, KeyHolder>();
  readonly #digests = new Map<KeyHolder, Buffer>();
  readonly #accepted = new AcceptedKeys();

  constructor(table: KeyTable) {
    this.#table = table;
  }

  /** Replaces all keys at once: only these are valid from now on. */
  replace(table: KeyTable): void {
    this.#accepted.clear();
    this.#used = new Map();
    this.#table = table;
  }

  /**
   * Returns the key's holder, or undefined for a key that opens nothing.
   *
   * Digests are compared in constant time; about 1 µs, a tenth of it for a key that was accepted lately, which is compared
   * in constant time as it is.
   */
  holderOf(key: string): KeyHolder | undefined {
    const known = this.#accepted.numberOf(key);
    if (known >= 0) return this.#opens(known) ? this.#used.get(known) : undefined;
    const digest = digestOfKey(key);
    const number = numberIn(this.#table, digest);
    if (!this.#opens(number)) return undefined;
    this.#accepted.add(key, number);
    return this.#holderAt(number, digest);
  }

  /** Whether the key of a holder is still valid; for requests that last long. About 1 µs. */
  isValid(holder: KeyHolder): boolean {
    const digest = this.#digests.get(holder);
    return digest !== undefined && this.#opens(numberIn(this.#table, digest));
  }

  /** Whether the key with a number has not expired; false for -1. */
  #opens(number: number): boolean {
    return number >= 0 && this.#table.expires[number]! > Date.now();
  }

  #holderAt(number: number, digest: Buffer): KeyHolder {
    const used = this.#used.get(number);
    if (used !== undefined) return used;
    const { names, nameEnds, limits } = this.#table;
    const name = Buffer.from(
      names.subarray(number === 0 ? 0 : nameEnds[number - 1], nameEnds[number]),
    ).toString();
    const id = idOfDigest(digest.toString("hex"));
    const holder = this.#holders.get(`${name}/${id}`) ?? { name, id, used: 0 };
    const [maxConcurrent = 0, maxPerSecond = 0] = limits.subarray(number * 2, number * 2 + 2);
    holder.limits = {
      ...(maxConcurrent > 0 && { maxConcurrent }),
      ...(maxPerSecond > 0 && { maxPerSecond }),
    };
    this.#used.set(number, holder);
    this.#holders.set(`${name}/${id}`, holder);
    this.#digests.set(holder, digest);
    return holder;
  }
}
