import { RequestError } from "../../contract/errors.ts";
import { qualityOf } from "../../contract/language.ts";
import { message } from "../../contract/message.ts";
import { streamMediaTypes } from "../../contract/schema/answer-schemas.ts";
import { streamOptionsOf } from "../../pool/stream/stream-options.ts";
import type { StreamInput, StreamOutput } from "../../pool/stream/stream-task.ts";
import type { Exchange } from "../exchange.ts";
import { Pace } from "./pace.ts";
import { Stream } from "./stream.ts";
import { forgetSpare } from "./stream-body.ts";
import type { StreamContext } from "./stream-request.ts";

/** How often clients are looked at; the native layer allows them 8 seconds. */
const maxLookMs = 1_000;

/** The media types of bodies and answers, the registered or usual one first. */
const mediaTypes: Readonly<Record<StreamInput, readonly string[]>> = {
  ndjson: [streamMediaTypes.ndjson, "application/ndjson", "application/jsonl", "application/x-jsonlines"],
  csv: [streamMediaTypes.csv, "application/csv"],
  text: ["text/plain"],
};
const packings = ["gzip", "x-gzip"];
const inputs = Object.keys(mediaTypes) as StreamInput[];

/** The open streams, bounded in number. */
export class Streams {
  readonly #open = new Set<Stream>();
  readonly #max: number;
  readonly #pace: Pace;
  readonly #context: StreamContext;
  #timer: NodeJS.Timeout | undefined;

  /** At most `max` streams are open at once. */
  constructor(max: number, context: Omit<StreamContext, "pace">) {
    this.#max = max;
    this.#pace = new Pace(context.pool, () => this.#heldBytes);
    this.#context = { ...context, pace: this.#pace };
  }

  get size(): number {
    return this.#open.size;
  }

  /** Opens a stream over a request. Throws the RequestError of the first fault, server_busy where too many are open. */
  open(exchange: Exchange): void {
    const { contentType, contentEncoding, accept, acceptEncoding } = exchange.headers;
    const mediaType = contentType.split(";", 1)[0]!.trim().toLowerCase();
    const input = inputs.find((kind) => mediaTypes[kind].includes(mediaType));
    const packing = contentEncoding.trim().toLowerCase();
    const isPacked = packings.includes(packing);
    if (input === undefined || !(isPacked || packing === "" || packing === "identity")) {
      throw new RequestError("invalid_content_type", { message: message("stream_content_type") });
    }
    if (this.#open.size >= this.#max) this.#cutGone();
    if (this.#open.size >= this.#max) this.#context.pool.admission.refuse("streams");
    const { flags, question } = streamOptionsOf(exchange, { input, output: outputOf(input, accept) });
    const packs = qualityOf(acceptEncoding, packings) > 0;
    const request = { flags, question, isPacked, packs };
    if (this.#open.size === 0) this.#pace.begin();
    const stream: Stream = new Stream(exchange, this.#context, request, () => this.#open.delete(stream));
    this.#open.add(stream);
    const everyMs = Math.min(maxLookMs, this.#context.idleMs / 4, this.#context.answerMs / 4);
    this.#timer ??= setInterval(() => this.#look(), everyMs).unref();
  }

  stop(): void {
    for (const stream of this.#open) stream.stop();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  get #heldBytes(): number {
    let sum = 0;
    for (const { bodyBytes } of this.#open) sum += bodyBytes;
    return sum;
  }

  /** Makes room: of a client that was killed the native layer says nothing as long as its socket is paused. */
  #cutGone(): void {
    for (const stream of this.#open) stream.cutIfGone();
  }

  #look(): void {
    const now = performance.now();
    for (const stream of this.#open) stream.look(now);
    // Those that hold the memory may be waiting for clients that do not read.
    this.#pace.reads.beginNext(true);
    forgetSpare();
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Returns the output format: that of the body, NDJSON for plain text, unless `Accept` prefers the other. */
function outputOf(input: StreamInput, accept: string): StreamOutput {
  const [own, other] = input === "csv" ? (["csv", "ndjson"] as const) : (["ndjson", "csv"] as const);
  return qualityOf(accept, ...rangesOf(other)) > qualityOf(accept, ...rangesOf(own)) ? other : own;
}

/** The media ranges that mean a kind of answer; the most specific one counts. Source: RFC 9110, section 12.5.1. */
function rangesOf(output: StreamOutput): readonly (readonly string[])[] {
  const [main] = streamMediaTypes[output].split("/");
  return [mediaTypes[output], [`${main}/*`], ["*/*"]];
}
