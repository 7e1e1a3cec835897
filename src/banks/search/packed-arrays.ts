/** Names and kinds of the arrays of a block, in the order in which they are in it. */
type ArrayLayout = Readonly<
  Record<string, Uint8ArrayConstructor | Uint16ArrayConstructor | Uint32ArrayConstructor>
>;

export type ArraysOf<L extends ArrayLayout> = { readonly [Name in keyof L]: L[Name]["prototype"] };

const alignment = 8;
const lengthBytes = Uint32Array.BYTES_PER_ELEMENT;

/** Packs the arrays of a layout into one block, which every thread reads in place. */
export function packArrays<const L extends ArrayLayout>(layout: L, arrays: ArraysOf<L>): Uint8Array {
  const blocks = Object.keys(layout).map((name) => {
    const { buffer, byteOffset, byteLength } = arrays[name]!;
    return new Uint8Array(buffer, byteOffset, byteLength);
  });
  const places = placesOf(blocks.map(({ length }) => length));
  const packed = new Uint8Array(places.at(-1)!);
  const view = new DataView(packed.buffer);
  for (const [index, block] of blocks.entries()) {
    view.setUint32(index * lengthBytes, block.length, true);
    packed.set(block, places[index]!);
  }
  return packed;
}

/** Opens, in place, the arrays that `packArrays` packed; `packed` may be longer and must begin at a multiple of 8. */
export function openArrays<const L extends ArrayLayout>(layout: L, packed: Uint8Array): ArraysOf<L> {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const kinds = Object.entries(layout);
  const lengths = kinds.map((_, index) => view.getUint32(index * lengthBytes, true));
  const places = placesOf(lengths);
  return Object.fromEntries(
    kinds.map(([name, Kind], index) => {
      const length = lengths[index]! / Kind.BYTES_PER_ELEMENT;
      return [name, new Kind(packed.buffer as ArrayBuffer, packed.byteOffset + places[index]!, length)];
    }),
  ) as unknown as ArraysOf<L>;
}

/** Where each block begins, and where the last one ends. */
function placesOf(lengths: readonly number[]): number[] {
  const places = [aligned(lengths.length * lengthBytes)];
  for (const length of lengths) places.push(aligned(places.at(-1)! + length));
  return places;
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
