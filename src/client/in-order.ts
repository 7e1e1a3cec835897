import type { ConcurrencyLimit } from "./concurrency-limit.ts";
import { Change, iteratorOf } from "./sources.ts";

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

/** Maximum items in progress: if one batch in a hundred is refused, about ten of them wait. */
const maxAtWork = 32;

/** Returns the bounds for work that sends requests. */
export function boundsOf(limit: ConcurrencyLimit): Pick<InOrderOptions, "limit" | "atWork"> {
  return { limit, atWork: Math.max(maxAtWork, 2 * limit.max) };
}

interface Running<Result> {
  readonly result: Promise<Result>;
  settled: boolean;
}

/**
 * Does work on the items of a source, several at a time, and yields the results in the order of the items.
 *
 * The next item is taken when the limit has room, fewer than `ahead` results are held and fewer than `atWork` items are
 * at work, so a slow consumer, a slow item or a service that is away holds the source back. The first failure, or the
 * consumer's leaving, ends all that runs by the signal `work` is given; `work` must enter the limit before it first waits.
 */
export async function* inOrder<Item, Result>(
  source: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  { limit, ahead, atWork, signal }: InOrderOptions,
): AsyncGenerator<Result, void, void> {
  const items = iteratorOf(source);
  const queue: Running<Result>[] = [];
  const running = new Set<AbortController>();
  const news = new Change();
  const end = () => {
    for (const controller of running) controller.abort(signal?.reason);
    news.happened();
  };
  const begin = async (item: Item) => {
    const controller = new AbortController();
    running.add(controller);
    try {
      return await work(item, controller.signal);
    } finally {
      running.delete(controller);
      news.happened();
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
      turns.push(news.next());
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
