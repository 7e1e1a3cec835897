const tasks = new MessageChannel();
const waiting: (() => void)[] = [];
tasks.port1.addEventListener("message", () => waiting.shift()?.());
tasks.port1.start();

/** Lets the page answer to its user before what follows; unlike a timer, without a pause. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    tasks.port2.postMessage(undefined);
  });
}

const itemsPerSlice = 8_192;

/** Sorts as `Array.sort` does, in slices of some milliseconds: parts first, which are then merged. */
export async function sortedInSlices(
  rows: readonly number[],
  compare: (one: number, other: number) => number,
): Promise<number[]> {
  let parts: number[][] = [];
  for (let first = 0; first < rows.length; first += itemsPerSlice) {
    parts.push(rows.slice(first, first + itemsPerSlice).sort(compare));
    await nextTask();
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
    if (merged.length % (4 * itemsPerSlice) === 0) await nextTask();
  }
  return merged;
}
