/** Items that are sent as one piece: some 32 KB of IBANs. */
export const pieceItems = 1_024;

/** Items without an answer, in order, of which the current request carries the first ones. */
export class Unanswered<Item> {
  readonly #items: Item[] = [];
  readonly #lines: string[] = [];
  /** How many the current request carries. */
  sent = 0;
  /** When the item was added that waits longest to be sent. */
  #unsentSince = 0;

  get size(): number {
    return this.#items.length;
  }

  /** How many are still to be sent. */
  get unsent(): number {
    return this.size - this.sent;
  }

  /** How long the next one has waited to be sent, in milliseconds. */
  get waitedMs(): number {
    return performance.now() - this.#unsentSince;
  }

  add(item: Item, line: string): void {
    if (this.unsent === 0) this.#unsentSince = performance.now();
    this.#items.push(item);
    this.#lines.push(`${line}\n`);
  }

  /** Begins a request, which carries all of them; none is to wait any longer. */
  begin(): void {
    this.sent = 0;
    this.#unsentSince = Number.NEGATIVE_INFINITY;
  }

  /** Has the request carry as many of the next ones as are allowed, but at least one; returns their lines. */
  next({ maxItems = Number.POSITIVE_INFINITY, maxLength = Number.POSITIVE_INFINITY }): string {
    let lines = "";
    for (const end = Math.min(this.size, this.sent + maxItems); this.sent < end; this.sent++) {
      const line = this.#lines[this.sent]!;
      if (lines !== "" && lines.length + line.length > maxLength) break;
      lines += line;
    }
    return lines;
  }

  /** Removes the first ones, which are answered, and returns them. */
  remove(count: number): readonly Item[] {
    this.sent -= count;
    this.#lines.splice(0, count);
    return this.#items.splice(0, count);
  }
}
