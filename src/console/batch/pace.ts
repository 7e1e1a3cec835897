/** How many rows are checked in a second, over the last few seconds. */
export class Pace {
  readonly #moments: { readonly at: number; readonly count: number }[] = [];
  #count = 0;

  count(rows: number): void {
    const at = performance.now();
    this.#count += rows;
    this.#moments.push({ at, count: this.#count });
    while (at - this.#moments[0]!.at > 3_000) this.#moments.shift();
  }

  /** To two digits; 0 as long as it cannot be told. */
  get perSecond(): number {
    const [first] = this.#moments;
    const last = this.#moments.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < 250) return 0;
    return Number((((last.count - first.count) * 1_000) / (last.at - first.at)).toPrecision(2));
  }
}
