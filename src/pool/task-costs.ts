/** Assumed cost of a unit before the first task of its kind is finished, in microseconds. */
const initialCost = 5;

/** Weight of the last task in the expected cost. */
const lastTaskShare = 1 / 16;

/** A task that took longer than this many times the expected cost counts as exactly that: it lost the processor. */
const outlierFactor = 4;

/**
 * Cost of a task that ends its thread, in microseconds: the start of another one. Tasks of its form are dear until some
 * thirty of them have been answered, so that they leave a worker to others, and little waits behind them.
 */
export const costOfCrash = 30_000;

/** Bytes of input that count as one unit more. */
const bytesPerUnit = 512;

/** Predicts the cost of tasks from the recent cost of tasks of the same form: kind and options. */
export class TaskCosts {
  /** By form: microseconds for each unit. */
  readonly #perUnit = new Map<number, number>();

  /** Expected cost of a task of a form with `inputLength` bytes of input, in microseconds. */
  expected(form: number, inputLength: number): number {
    return (this.#perUnit.get(form) ?? initialCost) * unitsOf(inputLength);
  }

  /** Records what a task has cost, in microseconds. */
  learn(form: number, inputLength: number, cost: number): void {
    const expected = this.#perUnit.get(form) ?? initialCost;
    const last = Math.min(cost / unitsOf(inputLength), outlierFactor * expected);
    this.#perUnit.set(form, expected + (last - expected) * lastTaskShare);
  }

  /** Records that a task has ended its thread. */
  crashed(form: number): void {
    this.#perUnit.set(form, Math.max(costOfCrash, this.expected(form, 0)));
  }
}

function unitsOf(inputLength: number): number {
  return 1 + Math.floor(inputLength / bytesPerUnit);
}
