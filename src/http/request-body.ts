import { maxBodyBytes } from "../contract/limits.ts";
import { message } from "../contract/message.ts";
import type { BoundedBytes } from "./bounded-bytes.ts";
import type { Exchange } from "./exchange.ts";
import { maxDiscardedBytes } from "./open-response.ts";

/** A last chunk, with all that follows it. */
const lastChunk = /\r\n0+[ \t]*(?:;[^\r\n]*)?\r\n.*$/s;
/** The line before a chunk. */
const chunkLine = /\r\n[\da-f]+[ \t]*(?:;[^\r\n]*)?\r\n/gi;

/**
 * Returns whether the received part of a chunked body is a whole JSON text, though its framing promises more: chunk
 * extensions, which the native parser reads as part of the chunk's size.
 */
function isWholeDespiteFraming(body: Buffer): boolean {
  const text = body.toString("latin1").replace(lastChunk, "").replaceAll(chunkLine, "");
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A chunked body that stops for so long is looked at whether its framing was misread. */
const stallMs = 300;

/** Whether a Content-Type is JSON: `application/json`, in any case and with any parameters. */
export function isJsonContentType(contentType: string): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType);
}

/** Answers with payload_too_large where the declared length is beyond 128 KB, and says whether it did. */
export function refuseTooLarge(exchange: Exchange, declaredLength: number | undefined): boolean {
  if (declaredLength === undefined || declaredLength <= maxBodyBytes) return false;
  exchange.refuse("payload_too_large", undefined, undefined, declaredLength > maxDiscardedBytes);
  return true;
}

/**
 * Reads a body of at most 128 KB and hands it over in one piece, valid only during the call.
 *
 * One that turns out larger while it is read is answered with payload_too_large; `noRoom` is to answer one for which no
 * memory is left. What the client still sends is thrown away, since a cut could cost it the answer.
 */
export function readBody(
  exchange: Exchange,
  incoming: BoundedBytes<Exchange>,
  done: (body: Uint8Array) => void,
  noRoom: () => void,
): void {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let stalled: NodeJS.Timeout | undefined;
  const refuseMisread = () => {
    if (!exchange.closed && isWholeDespiteFraming(Buffer.concat(pieces))) {
      exchange.refuse("invalid_request", { message: message("framing_chunks") }, undefined, true);
    }
  };
  exchange.onData((piece, isLast) => {
    if (exchange.closed) return;
    clearTimeout(stalled);
    length += piece.length;
    if (length > maxBodyBytes) {
      pieces = [];
      exchange.refuse("payload_too_large");
    } else if (isLast) {
      done(pieces.length === 0 ? piece : Buffer.concat([...pieces, piece], length));
    } else if (incoming.keep(exchange, piece.length)) {
      pieces.push(piece.slice());
      if (exchange.isChunked) stalled = setTimeout(refuseMisread, stallMs);
    } else {
      pieces = [];
      noRoom();
    }
  });
}
