/** Tasks of this expected cost in µs leave one worker free, where there are two or more: short ones never wait for them. */
export const costOfHeavyTask = 5_000;

/** Cost of a task that ends its thread, in microseconds: the start of another one. */
export const costOfCrash = 30_000;

/** Weight of the last task in the expected cost: one in a hundred that lost the processor changes little. */
const lastTaskShare = 1 / 16;

/** Bytes of input that count as one unit more: a single check is one, a batch of 500 some twenty-five. */
const bytesPerUnit = 512;

/**
 * Predicts the cost of tasks from the recent cost of tasks of the same form: kind and options.
 *
 * Until one of its form is done a task is taken to be heavy: a crowd of a form that is not known may not take all workers.
 */
export class TaskCosts {
  /** By form: microseconds for each unit. */
  readonly #forms = new Map<number, { perUnit: number }>();

  /** Expected cost of a task of a form with `inputLength` bytes of input, in microseconds. */
  expected(form: number, inputLength: number): number {
    const known = this.#forms.get(form);
    return known === undefined ? costOfHeavyTask : known.perUnit * unitsOf(inputLength);
  }

  /** Records what a task has cost, in microseconds. */
  learn(form: number, inputLength: number, cost: number): void {
    const last = cost / unitsOf(inputLength);
    const known = this.#forms.get(form);
    if (known === undefined) this.#forms.set(form, { perUnit: last });
    else known.perUnit += (last - known.perUnit) * lastTaskShare;
  }
}

function unitsOf(inputLength: number): number {
  return 1 + Math.floor(inputLength / bytesPerUnit);
}
