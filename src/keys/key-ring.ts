import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { inSlices } from "../process/waiting.ts";

/** Longer keys are never remembered in clear; none that the service makes is. */
const maxLength = 128;
/** How many keys are remembered at most: a power of two. */
const places = 64;

/**
 * Keys that were accepted lately, in clear, so that their next requests are spared the digest.
 *
 * A key's place follows from its last characters. All its characters are compared with those of the key that is there,
 * whatever comes of the first ones: the time tells the length of the key that was sent and nothing of the one it is
 * compared with.
 */
export class AcceptedKeys {
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

  /** Forgets all keys. */
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

/** What a key may do at most, in each process; what is absent has no limit of its own. */
export interface KeyLimits {
  /** Checks, batches and searches in progress at a time. */
  readonly maxConcurrent?: number;
  /** Checks per second; an IBAN of a batch is one. */
  readonly maxPerSecond?: number;
}

/** Who calls: one for each key, the same object as long as the process runs. */
export interface KeyHolder {
  readonly name: string;
  /** Tells the holder's keys apart without giving anything of them away: 16 hexadecimal digits of the digest. */
  readonly id: string;
  /** What was answered for this key and not yet taken down as usage. */
  used: number;
  limits?: KeyLimits | undefined;
}

interface RingKey {
  readonly holder: KeyHolder;
  readonly digest: Buffer;
}

const noHolder: KeyHolder = { name: "", id: "", used: 0 };
const noKey: RingKey = { holder: noHolder, digest: Buffer.alloc(32) };

/** Returns the id of a key out of its hexadecimal digest. */
export function idOfDigest(sha256: string): string {
  return sha256.slice(0, 16);
}

/** The keys that open the service; holds digests only. */
export class KeyRing {
  #keys: ReadonlyMap<string, RingKey> = new Map();
  /** Holders of all keys there ever were: one that opens again is the same caller. */
  readonly #holders = new Map<string, KeyHolder>();
  readonly #accepted = new AcceptedKeys();

  constructor(keys: readonly KeyEntry[]) {
    this.#keys = new Map(keys.map((key) => this.#ringKey(key)));
  }

  /** How many keys open the service. */
  get size(): number {
    return this.#keys.size;
  }

  /**
   * Replaces all keys at once: when it resolves, these and no others open the service.
   *
   * Until then those before do. Requests are answered meanwhile, however many keys there are. One at a time.
   */
  async replace(keys: readonly KeyEntry[]): Promise<void> {
    const fresh = new Map<string, RingKey>();
    await inSlices(keys, (key) => fresh.set(...this.#ringKey(key)));
    this.#accepted.clear();
    this.#keys = fresh;
  }

  /**
   * Returns the key's holder, or undefined for a key that opens nothing.
   *
   * Digests are compared in constant time, for unknown keys too; about 1 µs, a tenth of it for a key that was accepted
   * lately, which is compared in constant time as it is.
   */
  holderOf(key: string): KeyHolder | undefined {
    const known = this.#accepted.holderOf(key);
    if (known !== undefined) return known;
    const holder = this.#keyByDigest(key)?.holder;
    if (holder !== undefined) this.#accepted.add(key, holder);
    return holder;
  }

  #keyByDigest(key: string): RingKey | undefined {
    const digest = digestOfKey(key);
    const candidate = this.#keys.get(digest.toString("latin1")) ?? noKey;
    return timingSafeEqual(candidate.digest, digest) ? candidate : undefined;
  }

  #ringKey({ name, digest, limits }: KeyEntry): [digest: string, key: RingKey] {
    const holder = this.#holder(name, idOfDigest(digest.toString("hex")));
    holder.limits = limits;
    return [digest.toString("latin1"), { digest, holder }];
  }

  #holder(name: string, id: string): KeyHolder {
    const known = this.#holders.get(`${name}/${id}`);
    if (known !== undefined) return known;
    const holder: KeyHolder = { name, id, used: 0 };
    this.#holders.set(`${name}/${id}`, holder);
    return holder;
  }
}

/** Makes a new API key: 32 random bytes as base64url, 43 characters. */
export function newApiKey(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 digest of an API key; only digests are ever stored or compared. */
export function digestOfKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}
