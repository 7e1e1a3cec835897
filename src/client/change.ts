/** Lets several sides wait until one of them has changed something. */
export class Change {
  #waiting: (() => void)[] = [];

  happened(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves at the next change, or after `maxMs` milliseconds. */
  async next(maxMs = Number.POSITIVE_INFINITY): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      if (maxMs < Number.POSITIVE_INFINITY) timer = setTimeout(resolve, maxMs);
    });
    clearTimeout(timer);
  }
}
