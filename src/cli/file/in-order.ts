import { setMaxListeners } from "node:events";
import { Change } from "../../client/change.ts";

interface Bounds {
  /** Maximum number of items at work, and of results held while an earlier one is pending. */
  readonly most: number;
  /** Whether a further item could go on at once; asked when one is done. One that waits longer takes memory. */
  readonly hasRoom: () => boolean;
  readonly signal: AbortSignal;
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
  signal.throwIfAborted();
  const ending = new AbortController();
  // Each item at work listens to it.
  setMaxListeners(0, ending.signal);
  const queue: Promise<Result>[] = [];
  const news = new Change();
  const changed = () => news.happened();
  const add = (result: Promise<Result>) => {
    // A failure is thrown where its turn comes; until then it is not unhandled.
    result.then(changed, changed);
    queue.push(result);
    changed();
  };
  const end = () => {
    ending.abort(signal.reason);
    changed();
  };
  let isAsked = true;
  let isOver = false;
  const read = async () => {
    for await (const item of source) {
      isAsked = false;
      add(work(item, ending.signal));
      while (queue.length > 0 && !(queue.length < most && hasRoom()) && !ending.signal.aborted)
        await news.next();
      if (ending.signal.aborted) return;
      isAsked = true;
    }
  };
  signal.addEventListener("abort", end, { once: true });
  const reading = read()
    .catch((error) => add(Promise.reject(error)))
    .finally(() => {
      isOver = true;
      changed();
    });
  try {
    while (queue.length > 0 || !isOver) {
      signal.throwIfAborted();
      if (queue.length === 0) await news.next();
      else {
        yield await queue[0]!;
        queue.shift();
        changed();
      }
    }
  } finally {
    signal.removeEventListener("abort", end);
    end();
    // A source that was asked for its next item may never yield it.
    if (!isAsked) await reading;
  }
}
