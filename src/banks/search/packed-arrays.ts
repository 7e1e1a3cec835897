const kinds = { Uint8Array, Uint16Array, Uint32Array } as const;

/** An array in a block of packed arrays: `at` bytes after their beginning. */
interface PlacedArray {
  readonly kind: keyof typeof kinds;
  readonly at: number;
  readonly length: number;
}

const alignment = 8;
const lengthBytes = Uint32Array.BYTES_PER_ELEMENT;

/**
 * Packs an object of arrays of numbers, of values as in JSON, and of such objects into one block, which every thread reads
 * in place: the length of the object as JSON, this JSON with the places of the arrays, and the arrays in their order.
 */
export function packArrays(value: object): Uint8Array {
  const arrays: (readonly [at: number, bytes: Uint8Array])[] = [];
  let end = 0;
  const placed = (one: unknown): unknown => {
    if (typeof one !== "object" || one === null) return one;
    if (Array.isArray(one)) return one.map(placed);
    const kind = Object.entries(kinds).find(([, Kind]) => one instanceof Kind)?.[0];
    if (kind === undefined) {
      return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, placed(inner)]));
    }
    const { buffer, byteOffset, byteLength, length } = one as Uint8Array;
    const place = { kind, at: end, length };
    arrays.push([end, new Uint8Array(buffer, byteOffset, byteLength)]);
    end = aligned(end + byteLength);
    return place;
  };
  const json = Buffer.from(JSON.stringify(placed(value)));
  const start = aligned(lengthBytes + json.length);
  const packed = new Uint8Array(start + end);
  new DataView(packed.buffer).setUint32(0, json.length, true);
  packed.set(json, lengthBytes);
  for (const [at, bytes] of arrays) packed.set(bytes, start + at);
  return packed;
}

/**
 * Opens, in place, the object that `packArrays` packed; `packed` may be longer and must begin at a multiple of 8. Throws a
 * RangeError where there is none.
 */
export function openArrays<Packed extends object>({ buffer, byteOffset, byteLength }: Uint8Array): Packed {
  const length = new DataView(buffer, byteOffset, byteLength).getUint32(0, true);
  if (length === 0) throw new RangeError(`nothing is packed at byte ${byteOffset}`);
  const start = byteOffset + aligned(lengthBytes + length);
  const json = Buffer.from(buffer, byteOffset + lengthBytes, length).toString();
  return JSON.parse(json, (_, value: PlacedArray | null) => {
    const Kind = kinds[value?.kind as PlacedArray["kind"]];
    return Kind === undefined ? value : new Kind(buffer as ArrayBuffer, start + value!.at, value!.length);
  });
}

function aligned(offset: number): number {
  return Math.ceil(offset / alignment) * alignment;
}

/** Returns the first of `count` places in order that `isBefore` denies; `count` where it denies none. */
function binarySearch(count: number, isBefore: (place: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Numbers from `first` to before `end`. */
export interface Range {
  readonly first: number;
  readonly end: number;
}

/** Finds the places of a range in order for which `compare` is 0: negative before them, positive after them. */
export function equalRange({ first, end }: Range, compare: (place: number) => number): Range {
  const from = first + binarySearch(end - first, (at) => compare(first + at) < 0);
  return { first: from, end: from + binarySearch(end - from, (at) => compare(from + at) === 0) };
}
