import { inChunks, requestBytes } from "./raw-socket.ts";

/** A check by POST, as framings cut it up. */
export const json = "Content-Type: application/json";
export const body = '{"iban":"DE89370400440532013000"}';
export const length = `Content-Length: ${body.length}`;
const chunked = "Transfer-Encoding: chunked";
export const chunkedBody = inChunks(body);

/** What follows a request on its connection, and must not be answered. */
export const next = requestBytes("GET", "/v1/ping", { headers: ["X-Request-Id: smuggled"] });

/** Framings that two readers could understand differently. */
export const conflicting: Readonly<Record<string, readonly [headers: readonly string[], body: string]>> = {
  "two equal lengths": [[length, length], body],
  "two different lengths": [[length, "Content-Length: 5"], body],
  "a list of lengths": [[`${length}, ${body.length}`], body],
  "an empty length": [["Content-Length:"], body],
  "a negative length": [["Content-Length: -2"], body],
  "a length with a letter": [["Content-Length: 3x"], body],
  "a signed length": [[length.replace(": ", ": +")], body],
  "a length in hexadecimal": [["Content-Length: 0x21"], body],
  "a length with a fraction": [[`${length}.0`], body],
  "a length beyond 64 bits": [["Content-Length: 99999999999999999999"], body],
  "both framings, chunks first": [[chunked, length], chunkedBody],
  "both framings, length first": [[length, chunked], chunkedBody],
  "chunked twice": [[chunked, chunked], chunkedBody],
  "two encodings": [["Transfer-Encoding: gzip, chunked"], chunkedBody],
  "another encoding": [["Transfer-Encoding: identity"], body],
  "an encoding of a like name": [["Transfer-Encoding: xchunked"], chunkedBody],
  "an empty encoding": [["Transfer-Encoding:"], body],
  "white space before the colon": [["Transfer-Encoding : chunked"], chunkedBody],
  "a folded header line": [["X-A: b\r\n Content-Length: 5"], body],
  "a chunk size that is not a number": [[chunked], `zz\r\n${body}\r\n0\r\n\r\n`],
  "a chunk longer than its size": [[chunked], `5\r\n${body}\r\n0\r\n\r\n`],
  "a negative chunk size": [[chunked], `-2\r\n${body}\r\n0\r\n\r\n`],
  "a chunk size beyond 64 bits": [[chunked], `${"f".repeat(17)}\r\n${body}\r\n0\r\n\r\n`],
};
