import { maxBatchIbans, maxBodyBytes } from "../contract/limits.ts";

const frameBytes = '{"ibans":[]}'.length;
const plain = /^[ !#-[\]-~]*$/;

/**
 * Cuts a source of IBANs into batches that one request can carry: at most 500 entries and 128 KB.
 *
 * @param maxWait milliseconds after its first IBAN at which a batch goes although it is not full.
 */
export async function* batchesOf(
  source: AsyncIterable<string> | Iterable<string>,
  maxWait?: number,
): AsyncGenerator<string[], void, void> {
  let batch: string[] = [];
  let bytes = frameBytes;
  for await (const iban of maxWait === undefined ? source : withPauses(source, maxWait)) {
    const more = iban === undefined ? 0 : entryBytes(iban);
    const isFull = batch.length === maxBatchIbans || bytes + more > maxBodyBytes;
    if (batch.length > 0 && (isFull || iban === undefined)) {
      yield batch;
      batch = [];
      bytes = frameBytes;
    }
    if (iban === undefined) continue;
    batch.push(iban);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}

/** Cuts a source into groups of at most 500; one goes `maxWait` milliseconds after its first item at the latest. */
export async function* groupsOf<Item>(
  source: AsyncIterable<Item> | Iterable<Item>,
  maxWait: number,
): AsyncGenerator<Item[], void, void> {
  let group: Item[] = [];
  for await (const item of withPauses(source, maxWait)) {
    if (item !== undefined) group.push(item);
    if (group.length === 0 || (item !== undefined && group.length < maxBatchIbans)) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Yields what a source yields, and undefined `maxWait` milliseconds after the first item that follows the last undefined. */
async function* withPauses<Item>(
  source: AsyncIterable<Item> | Iterable<Item>,
  maxWait: number,
): AsyncGenerator<Item | undefined, void, void> {
  const items = (async function* () {
    yield* source;
  })();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over: Promise<undefined> | undefined;
  let next = items.next();
  try {
    for (;;) {
      const found = await (over === undefined ? next : Promise.race([next, over]));
      if (found === undefined) {
        over = undefined;
        yield undefined;
        continue;
      }
      if (found.done === true) return;
      over ??= new Promise((resolve) => {
        timer = setTimeout(() => resolve(undefined), maxWait);
      });
      next = items.next();
      // A failure is thrown where it is its turn; until then it is not unhandled.
      next.catch(() => {});
      yield found.value;
    }
  } finally {
    clearTimeout(timer);
    void items.return();
  }
}

/** Whether one request can carry all of these, as far as its size goes. */
export function fitsOneBody(ibans: readonly string[]): boolean {
  return ibans.reduce((bytes, iban) => bytes + entryBytes(iban), frameBytes) <= maxBodyBytes;
}

/** The most bytes an entry takes in the body, with its quotes and comma: any other character may be escaped in six. */
function entryBytes(iban: string): number {
  return (plain.test(iban) ? iban.length : iban.length * 6) + 3;
}
