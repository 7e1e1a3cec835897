/** What a unit is taken to cost before the first of its kind has come back, in microseconds. */
const initialCost = 5;

/** Share of the last task in the expected cost. */
const lastShare = 1 / 16;

/** A task that took longer than this many times what was expected counts as so many times: it lost the processor. */
const maxSurprise = 4;

/** Input of so many bytes counts as one unit more. */
const bytesPerUnit = 512;

/** What tasks will cost, learnt from what those of the same kind have cost of late. */
export class TaskCosts {
  /** By kind: microseconds for each unit. */
  readonly #perUnit: number[] = [];

  /** Expected cost of a task of a kind with so many bytes of input, in microseconds. */
  expected(kind: number, inputLength: number): number {
    return (this.#perUnit[kind] ?? initialCost) * unitsOf(inputLength);
  }

  /** Records what a task has cost, in microseconds. */
  learn(kind: number, inputLength: number, cost: number): void {
    const expected = this.#perUnit[kind] ?? initialCost;
    const last = Math.min(cost / unitsOf(inputLength), maxSurprise * expected);
    this.#perUnit[kind] = expected + (last - expected) * lastShare;
  }
}

function unitsOf(inputLength: number): number {
  return 1 + Math.floor(inputLength / bytesPerUnit);
}
