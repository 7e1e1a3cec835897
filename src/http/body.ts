import { maxBodyBytes } from "../contract/limits.ts";
import { message } from "../contract/message.ts";
import type { BoundedBytes } from "./bounded-bytes.ts";
import type { Exchange } from "./exchange.ts";
import { ReceivedBytes } from "./received-bytes.ts";

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

/**
 * A chunked body that stops for longer than a round trip around the world is looked at whether its framing was misread: at
 * a pause in its middle, and once more at its end. Each look parses all of it, so that a client that sends it byte by byte
 * must not cause more.
 */
const stallMs = 300;
const maxLooks = 2;

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
  const body = new ReceivedBytes();
  let stalled: NodeJS.Timeout | undefined;
  let looks = 0;
  const refuseMisread = () => {
    looks++;
    if (!exchange.closed && isWholeDespiteFraming(Buffer.from(body.bytes))) {
      exchange.refuse("invalid_request", { message: message("framing_chunks") }, undefined, true);
    }
  };
  exchange.onData((piece, isLast) => {
    if (exchange.closed) return;
    clearTimeout(stalled);
    if (body.length + piece.length > maxBodyBytes) exchange.refuse("payload_too_large");
    else if (isLast) {
      incoming.end(exchange);
      if (body.length === 0) done(piece);
      else {
        body.add(piece);
        done(body.bytes);
        body.clear();
      }
    } else if (incoming.keep(exchange, piece.length)) {
      body.add(piece);
      if (exchange.lastBody !== undefined && looks < maxLooks) stalled = setTimeout(refuseMisread, stallMs);
    } else noRoom();
  });
  exchange.onClosed(() => {
    clearTimeout(stalled);
    incoming.end(exchange);
    body.clear();
  });
  incoming.begin(exchange);
}
