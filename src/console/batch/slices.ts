/** How long the page works before it answers to its user, in milliseconds. */
const sliceMs = 8;
let rested = 0;

/** Divides work into slices: awaited every so often, it lets the page answer to its user once a slice has passed. */
export async function rest(): Promise<void> {
  if (performance.now() - rested < sliceMs) return;
  // Unlike a timer, a message comes without a pause.
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(undefined);
  await new Promise((resolve) => {
    port2.addEventListener("message", resolve);
    port2.start();
  });
  port1.close();
  rested = performance.now();
}

/** Sorted, or merged, in a few milliseconds. */
const itemsPerSlice = 2_048;

/** Sorts as `Array.sort` does, in slices of some milliseconds: parts first, which are then merged. */
export async function sortedInSlices(
  rows: readonly number[],
  compare: (one: number, other: number) => number,
): Promise<number[]> {
  let parts: number[][] = [];
  for (let first = 0; first < rows.length; first += itemsPerSlice) {
    parts.push(rows.slice(first, first + itemsPerSlice).sort(compare));
    await rest();
  }
  while (parts.length > 1) {
    const merged: number[][] = [];
    for (let first = 0; first < parts.length; first += 2)
      merged.push(await mergedInSlices(parts[first]!, parts[first + 1] ?? [], compare));
    parts = merged;
  }
  return parts[0] ?? [];
}

async function mergedInSlices(
  one: readonly number[],
  other: readonly number[],
  compare: (one: number, other: number) => number,
): Promise<number[]> {
  const merged: number[] = [];
  for (let [first, second] = [0, 0]; first < one.length || second < other.length; ) {
    const isOther =
      first === one.length || (second < other.length && compare(other[second]!, one[first]!) < 0);
    merged.push(isOther ? other[second++]! : one[first++]!);
    if (merged.length % itemsPerSlice === 0) await rest();
  }
  return merged;
}
