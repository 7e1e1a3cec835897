/** Items that are sent as one piece: some 32 KB of IBANs. */
export const pieceItems = 1_024;

/** Answered items beyond this many are removed from the memory. */
const maxAnswered = 16_384;

/** Items without an answer, in order, of which the current request carries the first ones. */
export class Unanswered<Item> {
  #items: Item[] = [];
  #lines: string[] = [];
  /** Where they begin. */
  #first = 0;
  #sent = 0;
  /** When the item was added that waits longest to be sent. */
  #unsentSince = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  /** How many the current request carries. */
  get sent(): number {
    return this.#sent;
  }

  /** How many are still to be sent. */
  get unsent(): number {
    return this.size - this.#sent;
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
    this.#sent = 0;
    this.#unsentSince = Number.NEGATIVE_INFINITY;
  }

  /** Has the request carry the next ones, at most 1,024; returns their lines. */
  nextPiece(): string {
    const from = this.#first + this.#sent;
    const piece = this.#lines.slice(from, from + pieceItems);
    this.#sent += piece.length;
    return piece.join("");
  }

  /** Has the request carry as many of the next ones as fit a body, but at least one; returns their lines. */
  nextBody(maxLength: number): string {
    let body = "";
    for (; this.unsent > 0; this.#sent++) {
      const line = this.#lines[this.#first + this.#sent]!;
      if (body !== "" && body.length + line.length > maxLength) break;
      body += line;
    }
    return body;
  }

  /** Removes the first ones, which are answered, and returns them. */
  remove(count: number): readonly Item[] {
    const items = this.#items.slice(this.#first, this.#first + count);
    this.#first += count;
    this.#sent -= count;
    if (this.#first >= maxAnswered) {
      this.#items = this.#items.slice(this.#first);
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
    return items;
  }
}
