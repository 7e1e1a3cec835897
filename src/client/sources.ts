/** Maximum number of items that are read and not taken: enough to keep the service busy, and a bound for the memory. */
const maxHeld = 16_384;
/** Items that are sent as one piece: some 32 KB of IBANs. */
const pieceItems = 1_024;

/** Lets one side wait until another has changed something. */
export class Change {
  #wake = () => {};

  happened(): void {
    this.#wake();
  }

  /** Resolves at the next change, or after `maxMs` milliseconds. */
  async next(maxMs?: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (maxMs !== undefined) timer = setTimeout(resolve, maxMs);
    });
    clearTimeout(timer);
  }
}

/** Reads a source ahead, at most 16,384 items beyond those that were taken, and keeps what has no answer. */
export class ReadAhead<Item> {
  readonly #source: AsyncIterator<Item> | Iterator<Item>;
  readonly #lineOf: (item: Item) => string;
  readonly #maxWait: number;
  /** Called when a request may begin, and when the source ends. */
  readonly #changed: () => void;
  /** Items without an answer, from `#first` on, of which the current request carries the first `#sent`. */
  #items: Item[] = [];
  #lines: string[] = [];
  #first = 0;
  #sent = 0;
  #requests = 0;
  /** How many are read and not taken. */
  #held = 0;
  readonly #room = new Change();
  readonly #toSend = new Change();
  /** Whether the item that waits longest has waited for long enough. */
  #isDue = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the source has yet to yield the next item. */
  #isAsked = false;
  #isEnded = false;
  /** Whether the source itself has ended or failed. */
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;

  /**
   * @param lineOf a JSON document without line breaks; what it throws is as if the source had thrown it.
   * @param maxWait the longest time that an item waits for others to be sent with, in milliseconds.
   */
  constructor(
    source: AsyncIterable<Item> | Iterable<Item>,
    lineOf: (item: Item) => string,
    maxWait: number,
    changed: () => void,
  ) {
    this.#source =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    this.#lineOf = lineOf;
    this.#maxWait = maxWait;
    this.#changed = changed;
    void this.#read();
  }

  /** How many items have no answer. */
  get unanswered(): number {
    return this.#items.length - this.#first;
  }

  /** How many of them the current request carries. */
  get sent(): number {
    return this.#sent;
  }

  /** Whether nothing more is read. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Throws what the source has thrown, or what is wrong with an item of it. */
  expectSource(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Begins a request, which carries all that has no answer, and ends the one before; returns its number. */
  begin(): number {
    this.#sent = 0;
    this.#isDue = this.unanswered > 0;
    this.#toSend.happened();
    return ++this.#requests;
  }

  /** Has a request carry as many of the next items as fit a body, but at least one; returns it. */
  nextBody(maxLength: number): string {
    let body = "";
    for (; this.#unsent > 0; this.#sent++) {
      const line = this.#lines[this.#first + this.#sent]!;
      if (body !== "" && body.length + line.length > maxLength) break;
      body += line;
    }
    this.#isDue &&= this.#unsent > 0;
    return body;
  }

  /** Whether a request may begin: enough items, or one that has waited for long enough, or the last ones. */
  get isReady(): boolean {
    return this.#unsent >= pieceItems || (this.#unsent > 0 && (this.#isDue || this.#isEnded));
  }

  /** Resolves with the next lines of a request; undefined if there are none within a time, or no more at all. */
  async nextPiece(request: number, maxQuietMs: number): Promise<string | undefined> {
    if (request === this.#requests && !this.isReady && !this.#isEnded) await this.#toSend.next(maxQuietMs);
    if (request !== this.#requests || !this.isReady) return undefined;
    const from = this.#first + this.#sent;
    const piece = this.#lines.slice(from, from + pieceItems);
    this.#sent += piece.length;
    this.#isDue &&= this.#unsent > 0;
    return piece.join("");
  }

  /** Removes the first items, which are answered. */
  answered(count: number): readonly Item[] {
    const items = this.#items.slice(this.#first, this.#first + count);
    this.#first += count;
    this.#sent -= count;
    if (this.#first >= maxHeld) {
      this.#items = this.#items.slice(this.#first);
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
    return items;
  }

  /** Makes room for further items. */
  taken(count: number): void {
    this.#held -= count;
    if (this.#held <= maxHeld - pieceItems) this.#room.happened();
  }

  /** Stops reading and lets the source go. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#requests++;
    if (!this.#isEnded) this.#end();
    if (this.#isOver) return;
    const returned = Promise.resolve(this.#source.return?.());
    // A source that was asked for its next item may never yield it.
    if (this.#isAsked) returned.catch(() => {});
    else await returned;
  }

  get #unsent(): number {
    return this.unanswered - this.#sent;
  }

  #end(): void {
    this.#isEnded = true;
    this.#room.happened();
    this.#toSend.happened();
    this.#changed();
  }

  async #read(): Promise<void> {
    try {
      while (!this.#isEnded) {
        this.#isAsked = true;
        const next = this.#source.next();
        const { done, value } = "then" in next ? await next : next;
        this.#isAsked = false;
        this.#isOver = done === true;
        if (this.#isOver || this.#isEnded) break;
        this.#add(value);
        while (this.#held >= maxHeld && !this.#isEnded) await this.#room.next();
      }
    } catch (error) {
      this.#isOver = this.#isAsked;
      this.#failure = { error };
    }
    if (!this.#isEnded) this.#end();
  }

  #add(item: Item): void {
    if (item === undefined || item === null) throw new TypeError(`An item of the source is ${item}.`);
    this.#lines.push(`${this.#lineOf(item)}\n`);
    this.#items.push(item);
    this.#held++;
    if (this.unanswered === 1) this.#changed();
    if (this.#unsent >= pieceItems) this.#mayBeSent();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#unsent === 0) return;
      this.#isDue = true;
      this.#mayBeSent();
    }, this.#maxWait);
  }

  #mayBeSent(): void {
    this.#toSend.happened();
    this.#changed();
  }
}
