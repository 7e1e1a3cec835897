import { Ticks } from "../pool/ticks.ts";
import { memoryBudget } from "./memory-budget.ts";

export type BoundedBytes<Item> = ReturnType<typeof boundedBytes<Item>>;

/**
 * Bounds bytes that are kept for many clients at once in time for each item and in total size: `expire` is called once for
 * each item that stays longer than `milliseconds`, whose bytes are gone by then, and at most `maxBytes` are kept over all.
 *
 * An item for which no bytes are kept costs no more than a map entry. Since all may stay equally long, they expire in the
 * order in which they began, and only the oldest are looked at. Nothing asks for the clock when an item begins.
 */
export function boundedBytes<Item>(milliseconds: number, maxBytes: number, expire: (item: Item) => void) {
  const ticks = new Ticks(milliseconds, look);
  const maxTicks = ticks.in(milliseconds);
  /** By item: the tick in which its time began. */
  const begun = new Map<Item, number>();
  /** The item that was kept first comes first. */
  const kept = new Map<Item, number>();
  let total = 0;

  /** Ends an item's time and lets its bytes go; unknown items are ignored. */
  function end(item: Item): void {
    begun.delete(item);
    const bytes = kept.get(item);
    if (bytes === undefined) return;
    kept.delete(item);
    total -= bytes;
  }

  function look(): boolean {
    for (const [item, since] of begun) {
      if (ticks.now - since < maxTicks) break;
      end(item);
      expire(item);
    }
    return begun.size > 0;
  }

  return {
    end,
    get size() {
      return begun.size;
    },
    get oldest(): Item | undefined {
      return kept.keys().next().value;
    },
    begin: (item: Item) => {
      ticks.start();
      begun.set(item, ticks.now);
    },
    /** Keeps more bytes for an item; false, and nothing is kept, where there is no room for them. */
    keep: (item: Item, bytes: number) => {
      if (total + bytes > maxBytes) return false;
      total += bytes;
      kept.set(item, (kept.get(item) ?? 0) + bytes);
      return true;
    },
    /** Ends the watch over time: nothing expires any more. */
    close: () => {
      ticks.stop();
      begun.clear();
    },
  };
}

interface UnsentAnswer {
  readonly holder: object | undefined;
  cut(): void;
}

export type UnsentAnswers = ReturnType<typeof unsentAnswers>;

/**
 * Answers kept for slow readers: the rest of one answer for each connection, bounded in total and in time.
 *
 * A connection whose answer is not taken in `milliseconds` is cut. Beyond the total the connections that have waited
 * longest are.
 */
export function unsentAnswers(
  milliseconds: number,
  budget: Pick<typeof memoryBudget, "keyedAnswers" | "keylessAnswers"> = memoryBudget,
) {
  const cut = (answer: UnsentAnswer) => answer.cut();
  const keyed = boundedBytes(milliseconds, budget.keyedAnswers, cut);
  const keyless = boundedBytes(milliseconds, budget.keylessAnswers, cut);
  const answersLike = ({ holder }: UnsentAnswer) => (holder === undefined ? keyless : keyed);
  return {
    get size() {
      return keyed.size + keyless.size;
    },
    /** Keeps bytes of an answer, 0 for bytes that exist anyway; cuts connections where there are too many. */
    add: (answer: UnsentAnswer, bytes: number) => {
      const answers = answersLike(answer);
      answers.begin(answer);
      if (bytes === 0) return;
      while (!answers.keep(answer, bytes)) {
        const { oldest = answer } = answers;
        answers.end(oldest);
        oldest.cut();
        if (oldest === answer) return;
      }
    },
    /** An answer has been taken or its client has gone; unknown answers are ignored. */
    delete: (answer: UnsentAnswer) => answersLike(answer).end(answer),
    close: () => {
      keyed.close();
      keyless.close();
    },
  };
}
