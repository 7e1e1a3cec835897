import { RequestError } from "../../contract/errors.ts";
import { message } from "../../contract/message.ts";
import { streamOptionsOf } from "../../pool/requests.ts";
import { newStreamState, type StreamInput } from "../../pool/stream/stream-task.ts";
import { Turns } from "../../pool/turns.ts";
import type { Exchange } from "../exchange.ts";
import { Stream, type StreamContext } from "./stream.ts";

/** How often clients are looked at; the native layer gives them 8 seconds. */
const maxLookMs = 1_000;

const inputs: readonly (readonly [RegExp, StreamInput])[] = [
  [/^(application\/(x-ndjson|ndjson|jsonl|x-jsonlines))\s*(;|$)/i, "ndjson"],
  [/^text\/plain\s*(;|$)/i, "text"],
];

/** The open streams, bounded in number. */
export class Streams {
  readonly #open = new Set<Stream>();
  readonly #max: number;
  readonly #context: StreamContext;
  #timer: NodeJS.Timeout | undefined;

  /** At most `max` streams are open at once. */
  constructor(max: number, context: Omit<StreamContext, "turns">) {
    this.#max = max;
    this.#context = { ...context, turns: new Turns(context.pool.size) };
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Opens a stream over a request. Throws the RequestError of the first fault, server_busy where too many are open. */
  open(exchange: Exchange, contentType: string, contentEncoding: string): void {
    const input = inputs.find(([type]) => type.test(contentType))?.[1];
    if (input === undefined || !/^(identity)?$/i.test(contentEncoding)) {
      throw new RequestError("invalid_content_type", { message: message("stream_content_type") });
    }
    if (this.#open.size >= this.#max) this.#context.pool.refuse("streams");
    const { flags, fields } = streamOptionsOf(exchange);
    const request = { flags, state: newStreamState(input, fields) };
    const stream: Stream = new Stream(exchange, this.#context, request, () => this.#open.delete(stream));
    this.#open.add(stream);
    const everyMs = Math.min(maxLookMs, this.#context.idleMs / 4, this.#context.answerMs / 4);
    this.#timer ??= setInterval(() => this.#look(), everyMs).unref();
  }

  /** Lets each stream answer what is at work and end. */
  stop(): void {
    for (const stream of this.#open) stream.stop();
  }

  /** Ends the watch over time. */
  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    for (const stream of this.#open) stream.look(now);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
