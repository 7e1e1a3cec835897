import { maxBatchIbans, maxBodyBytes } from "../contract/limits.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";

const frameBytes = '{"ibans":[]}'.length;
const plain = /^[ !#-[\]-~]*$/;

/**
 * Cuts a source into groups that one request can carry: at most 500 items, and 128 KB where `bytesOf` says what one takes.
 *
 * @param maxWait milliseconds after its first item at which a group goes although it is not full.
 */
export async function* groupsOf<Item>(
  source: AsyncIterable<Item> | Iterable<Item>,
  maxWait: number | undefined,
  bytesOf: (item: Item) => number = () => 0,
): AsyncGenerator<Item[], void, void> {
  let group: Item[] = [];
  let bytes = frameBytes;
  const taken = () => {
    const whole = group;
    group = [];
    bytes = frameBytes;
    return whole;
  };
  for await (const item of maxWait === undefined ? source : withPauses(source, maxWait)) {
    const more = item === undefined ? 0 : bytesOf(item);
    if (group.length > 0 && (item === undefined || bytes + more > maxBodyBytes)) yield taken();
    if (item === undefined) continue;
    bytes += more;
    if (group.push(item) === maxBatchIbans) yield taken();
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

/** The most bytes an IBAN takes in the body, with its quotes and comma: any other character may be escaped in six. */
export function entryBytes(iban: string): number {
  return (plain.test(iban) ? iban.length : iban.length * 6) + 3;
}

/** Options of `inOrder`. */
export interface InOrderOptions {
  readonly limit: ConcurrencyLimit;
  /** Maximum number of results held while an earlier one is pending. */
  readonly ahead: number;
  /** Maximum number of items in progress, including those that wait for a retry; bounds the memory. */
  readonly atWork: number;
  /** Ends everything that runs; the next result asked for rejects with its reason. */
  readonly signal: AbortSignal | undefined;
}

interface Running<Result> {
  readonly result: Promise<Result>;
  settled: boolean;
}

/**
 * Does work on the items of a source, several at a time, and yields the results in the order of the items.
 *
 * The next item is taken when the limit has room, fewer than `ahead` results are held and fewer than `atWork` items are
 * at work, so a slow consumer, a slow item or a service that is away holds the source back. The first failure, or the consumer's leaving, ends all that runs by the signal `work`
 * is given; `work` must enter the limit before it first waits.
 */
export async function* inOrder<Item, Result>(
  source: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  { limit, ahead, atWork, signal }: InOrderOptions,
): AsyncGenerator<Result, void, void> {
  const items = iteratorOf(source);
  const queue: Running<Result>[] = [];
  const running = new Set<AbortController>();
  let wake = () => {};
  const end = () => {
    for (const controller of running) controller.abort(signal?.reason);
    wake();
  };
  const begin = async (item: Item) => {
    const controller = new AbortController();
    running.add(controller);
    try {
      return await work(item, controller.signal);
    } finally {
      running.delete(controller);
      wake();
    }
  };
  let next: Promise<void> | undefined;
  let ended = false;
  const take = async () => {
    const { done, value } = await items.next();
    next = undefined;
    if (done === true) ended = true;
    else queue.push(start(begin(value)));
  };
  signal?.addEventListener("abort", end, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      if (queue[0]?.settled) {
        yield await queue.shift()!.result;
        continue;
      }
      const mayTake = !ended && queue.length < ahead && running.size < atWork;
      if (mayTake && next === undefined && limit.hasRoom) {
        next = take();
        next.catch(() => {});
      }
      const turns: Promise<unknown>[] = [];
      if (queue.length > 0) turns.push(queue[0]!.result);
      if (next !== undefined) turns.push(next);
      else if (mayTake) turns.push(limit.room());
      if (turns.length === 0) return;
      turns.push(
        new Promise<void>((resolve) => {
          wake = resolve;
        }),
      );
      await Promise.race(turns);
    }
  } finally {
    signal?.removeEventListener("abort", end);
    end();
    const returned = items.return?.();
    // A source that was asked for its next item may never yield it.
    if (next === undefined) await returned;
  }
}

function start<Result>(result: Promise<Result>): Running<Result> {
  const running = { result, settled: false };
  const settle = () => {
    running.settled = true;
  };
  // A failure is thrown where its turn comes; until then it is not unhandled.
  result.then(settle, settle);
  return running;
}

/** Returns the iterator of a source, asynchronous where it has one. */
export function iteratorOf<Item>(
  source: AsyncIterable<Item> | Iterable<Item>,
): AsyncIterator<Item> | Iterator<Item> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
}
