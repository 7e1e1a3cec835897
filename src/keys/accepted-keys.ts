import type { KeyHolder } from "./key-ring.ts";

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
