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

/** Sorts as `Array.sort` does, in slices of some milliseconds: both halves first, which are then merged. */
export async function sortedInSlices(
  rows: readonly number[],
  compare: (one: number, other: number) => number,
): Promise<readonly number[]> {
  if (rows.length <= itemsPerSlice) {
    await rest();
    return rows.toSorted(compare);
  }
  const middle = rows.length >> 1;
  const one = await sortedInSlices(rows.slice(0, middle), compare);
  const other = await sortedInSlices(rows.slice(middle), compare);
  const merged: number[] = [];
  for (let [first, second] = [0, 0]; first < one.length || second < other.length; ) {
    const isOther =
      first === one.length || (second < other.length && compare(other[second]!, one[first]!) < 0);
    merged.push(isOther ? other[second++]! : one[first++]!);
    if (merged.length % itemsPerSlice === 0) await rest();
  }
  return merged;
}
