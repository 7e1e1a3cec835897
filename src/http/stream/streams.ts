import { RequestError } from "../../contract/errors.ts";
import { qualityOf } from "../../contract/language.ts";
import { message } from "../../contract/message.ts";
import { streamMediaTypes } from "../../contract/schema/answer-schemas.ts";
import { streamOptionsOf } from "../../pool/stream/stream-options.ts";
import type { StreamInput, StreamOutput } from "../../pool/stream/stream-task.ts";
import type { Exchange } from "../exchange.ts";
import { openPace } from "./pace.ts";
import { openStream, type Stream, type StreamContext } from "./stream.ts";
import { forgetSpare } from "./stream-body.ts";

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

/** The open streams, at most `max` at once. */
export function openStreams(max: number, options: Omit<StreamContext, "pace">) {
  const open = new Set<Stream>();
  const { pool, idleMs, answerMs } = options;
  const pace = openPace(pool, () => [...open].reduce((sum, { bodyBytes }) => sum + bodyBytes(), 0));
  const context = { ...options, pace };
  const everyMs = Math.min(maxLookMs, idleMs / 4, answerMs / 4);
  let timer: NodeJS.Timeout | undefined;

  function lookAtAll(): void {
    const now = performance.now();
    for (const stream of open) stream.look(now);
    // Those that hold the memory may be waiting for clients that do not read.
    pace.reads.beginNext(true);
    forgetSpare();
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    get size() {
      return open.size;
    },

    /** Opens a stream over a request. Throws the RequestError of the first fault, server_busy where too many are open. */
    open: (exchange: Exchange) => {
      const { contentType, contentEncoding, accept, acceptEncoding } = exchange.headers;
      const mediaType = contentType.split(";", 1)[0]!.trim().toLowerCase();
      const input = inputs.find((kind) => mediaTypes[kind].includes(mediaType));
      const packing = contentEncoding.trim().toLowerCase();
      const isPacked = packings.includes(packing);
      if (input === undefined || !(isPacked || packing === "" || packing === "identity")) {
        throw new RequestError("invalid_content_type", { message: message("stream_content_type") });
      }
      // Of a client that was killed the native layer says nothing as long as its socket is paused.
      if (open.size >= max) for (const stream of open) stream.cutIfGone();
      if (open.size >= max) pool.admission.refuse("streams");
      const asked = streamOptionsOf(exchange, { input, output: outputOf(input, accept) });
      const packs = qualityOf(acceptEncoding, packings) > 0;
      if (open.size === 0) pace.begin();
      const closed = () => open.delete(stream);
      const stream: Stream = openStream(exchange, context, asked, { isPacked, packs }, closed);
      open.add(stream);
      timer ??= setInterval(lookAtAll, everyMs).unref();
    },

    stop: () => {
      for (const stream of open) stream.stop();
    },

    close: () => clearInterval(timer),
  };
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
