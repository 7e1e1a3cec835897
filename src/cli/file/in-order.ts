import { setMaxListeners } from "node:events";
import { Change } from "../../client/change.ts";

interface Bounds {
  /** Maximum number of items at work, and of results held while an earlier one is pending. */
  readonly most: number;
  /** Whether a further item could go on at once; asked when one is done. One that waits longer takes memory. */
  readonly hasRoom: () => boolean;
  readonly signal: AbortSignal;
}

interface Running<Result> {
  readonly result: Promise<Result>;
  isSettled: boolean;
}

/**
 * Does work on the items of a source, several at a time, and yields the results in the order of the items.
 *
 * A slow consumer and a slow item hold the source back. The first failure, of the source too, is thrown after the results
 * before it. It, the signal, or the consumer's leaving ends all that runs by the signal that `work` is given.
 */
export async function* inOrder<Item, Result>(
  source: AsyncIterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  { most, hasRoom, signal }: Bounds,
): AsyncGenerator<Result, void, void> {
  const items = source[Symbol.asyncIterator]();
  const ending = new AbortController();
  // Each item at work listens to it.
  setMaxListeners(0, ending.signal);
  const queue: Running<Result>[] = [];
  const news = new Change();
  let isReading = false;
  let isOver = false;
  const add = (result: Promise<Result>) => {
    const running = { result, isSettled: false };
    const settle = () => {
      running.isSettled = true;
      news.happened();
    };
    // A failure is thrown where its turn comes; until then it is not unhandled.
    result.then(settle, settle);
    queue.push(running);
  };
  const read = async () => {
    isReading = true;
    try {
      const { done, value } = await items.next();
      isOver = done === true;
      if (!isOver) add(work(value, ending.signal));
    } catch (error) {
      isOver = true;
      add(Promise.reject(error));
    }
    isReading = false;
    news.happened();
  };
  const end = () => {
    ending.abort(signal.reason);
    news.happened();
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const mayRead = queue.length === 0 || (queue.length < most && hasRoom());
      if (!isReading && !isOver && mayRead) void read();
      if (queue[0]?.isSettled) yield await queue.shift()!.result;
      else if (isReading || queue.length > 0) await news.next();
      else return;
    }
  } finally {
    signal.removeEventListener("abort", end);
    ending.abort();
    // A source that was asked for its next item may never yield it.
    if (!isReading) await items.return?.();
  }
}
