import assert from "node:assert/strict";

/** A native response that behaves like the real one: it may be used until it is answered or aborted, and not after. */
export class FakeResponse {
  readonly written = {
    headers: [] as string[],
    body: undefined as string | undefined,
    closes: undefined as boolean | undefined,
  };
  answers = 0;
  cut = false;
  #isDead = false;
  #abort: (() => void) | undefined;
  #data: ((chunk: ArrayBuffer, isLast: boolean) => void) | undefined;

  #use(): this {
    if (this.#isDead) throw new Error("the response was used after its end");
    return this;
  }
  writeStatus(): this {
    return this.#use();
  }
  writeHeader(name: string, value: string): this {
    this.#use().written.headers.push(...`${name}: ${value}`.split("\r\n"));
    return this;
  }
  end(body?: string | Uint8Array, closes?: boolean): this {
    this.#use();
    this.written.body = body === undefined ? undefined : Buffer.from(body).toString();
    this.written.closes = closes;
    this.answers++;
    this.#isDead = true;
    return this;
  }
  /** Takes as much of a body as `takes` says, all of it by default. */
  tryEnd(body: Uint8Array, total: number): readonly [boolean, boolean] {
    this.#use();
    if (body.length === 0) return [true, false];
    const text = Buffer.from(body.subarray(0, this.takes)).toString();
    this.written.body = (this.written.body ?? "") + text;
    this.#offset += Math.min(body.length, this.takes);
    if (this.#offset < total) return [false, false];
    this.written.closes = false;
    this.answers++;
    this.#isDead = true;
    return [true, true];
  }
  takes = Number.POSITIVE_INFINITY;
  #offset = 0;
  #writable: ((offset: number) => boolean) | undefined;
  onWritable(handler: (offset: number) => boolean): this {
    this.#use().#writable = handler;
    return this;
  }
  getWriteOffset(): number {
    return this.#use().#offset;
  }
  /** The client reads; says whether it can take more at once. */
  read(): boolean {
    assert.ok(this.#writable, "the rest of the answer is forgotten");
    return this.#writable(this.#offset);
  }
  cork(write: () => void): this {
    this.#use();
    write();
    return this;
  }
  onAborted(handler: () => void): this {
    this.#use().#abort = handler;
    return this;
  }
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): this {
    this.#use().#data = handler;
    return this;
  }
  getRemoteAddressAsText(): ArrayBuffer {
    this.#use();
    return Uint8Array.from(Buffer.from("192.0.2.1")).buffer;
  }
  close(): this {
    this.#use().cut = true;
    this.#isDead = true;
    return this;
  }

  /** The client goes away. */
  abort(): void {
    this.#isDead = true;
    assert.ok(this.#abort, "a response that stays open must be reported of aborts, or the process ends");
    this.#abort();
  }
  /** A piece of the body comes. */
  send(text: string, isLast: boolean): void {
    this.#data?.(Uint8Array.from(Buffer.from(text)).buffer, isLast);
  }
}
