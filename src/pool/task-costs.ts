import { smallRoom } from "./slots.ts";

/**
 * How long a block of a stream may keep a worker, in milliseconds. A task that takes as long is heavy: such ones leave one
 * worker free, where there are two or more, so that short ones never wait for them. Searches take up to 1 ms
 * (bench/README.md), corrections of a whole batch more.
 */
export const longTaskMs = 5;
export const costOfHeavyTask = longTaskMs * 1_000;

/**
 * Weight of the last task in the expected cost: one task in a hundred that loses the processor for 4 ms lets a single
 * check of 5 µs count for 45 on average, far from heavy.
 */
const lastTaskShare = 1 / 16;

/**
 * Predicts the cost of tasks from the recent cost of tasks of the same form: kind and options.
 *
 * Until one of its form is done a task is taken to be heavy: a crowd of a form that is not known may not take all workers.
 */
export class TaskCosts {
  /** By form: microseconds for each unit. */
  readonly #perUnit = new Map<number, number>();

  /** Expected cost of a task of a form with `inputLength` bytes of input, in microseconds. */
  expected(form: number, inputLength: number): number {
    const perUnit = this.#perUnit.get(form);
    return perUnit === undefined ? costOfHeavyTask : perUnit * unitsOf(inputLength);
  }

  /** Forgets a form of which a task has ended its thread: the next one is taken to be heavy again. */
  forget(form: number): void {
    this.#perUnit.delete(form);
  }

  learn(form: number, inputLength: number, cost: number): void {
    const last = cost / unitsOf(inputLength);
    const known = this.#perUnit.get(form) ?? last;
    this.#perUnit.set(form, known + (last - known) * lastTaskShare);
  }
}

/** A single check is one unit, a batch of 500 some thirteen. */
function unitsOf(inputLength: number): number {
  return 1 + Math.floor(inputLength / smallRoom.input);
}
