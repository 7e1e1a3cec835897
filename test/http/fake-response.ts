import assert from "node:assert/strict";

/** A native response that behaves like the real one: it may be used until it is answered or aborted, and not after. */
export class FakeResponse {
  readonly written = {
    status: "200 OK",
    headers: [] as string[],
    body: undefined as string | undefined,
    closes: undefined as boolean | undefined,
    /** The length that the head reports. */
    length: undefined as number | undefined,
  };
  answers = 0;
  cut = false;
  #isDead = false;
  #abort: (() => void) | undefined;
  #data: ((chunk: ArrayBuffer, isLast: boolean) => void) | undefined;

  #use(): void {
    if (this.#isDead) throw new Error("the response was used after its end");
  }
  writeStatus(status: string): this {
    this.#use();
    this.written.status = status;
    return this;
  }
  writeHeader(name: string, value: string): this {
    this.#use();
    this.written.headers.push(...`${name}: ${value}`.split("\r\n"));
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
    this.written.length = total;
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
    this.#use();
    this.#writable = handler;
    return this;
  }
  getWriteOffset(): number {
    this.#use();
    return this.#offset;
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
    this.#use();
    this.#abort = handler;
    return this;
  }
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): this {
    this.#use();
    this.#data = handler;
    return this;
  }
  getRemoteAddressAsText(): ArrayBuffer {
    this.#use();
    return Uint8Array.from(Buffer.from("192.0.2.1")).buffer;
  }
  close(): this {
    this.#use();
    this.cut = true;
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
