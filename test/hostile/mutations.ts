import { ping, postBytes, postInChunks, requestBytes } from "../http/raw-socket.ts";
import type { Random } from "../support/random.ts";

const iban = "DE89370400440532013000";

/** Right requests of every kind, to be broken. */
const seeds: readonly Buffer[] = [
  requestBytes("GET", `/v1/iban/${iban}`),
  requestBytes("GET", `/v1/iban/${iban}/COBADEFFXXX?explain=1`),
  requestBytes("GET", "/v1/kto/0532013000/37040044?sepa=1"),
  ping,
  requestBytes("GET", "/service/health", { headers: ["X-Request-Id: a-b.c:1"] }),
  postBytes("/v1/iban", JSON.stringify({ iban, bic: "COBADEFF" })),
  postBytes("/v1/iban", JSON.stringify({ ibans: [iban, "GB29 NWBK 6016 1331 9268 19", "", 5, null] })),
  postBytes("/v1/kto", JSON.stringify({ kontonummer: "532013000", bankleitzahl: "37040044", sepa: 1 })),
  postBytes("/v1/search", JSON.stringify({ name: "Sparkasse", location: "Köln", max: 3 })),
  postInChunks("/v1/iban", JSON.stringify({ iban }), 26),
];

/** Bytes and pieces that mean something to a parser of HTTP, of URLs or of JSON. */
const pieces: readonly Buffer[] = [
  ...'\0 \t\r\n"\\{}[]:,%?#/;=+-.',
  ...["\r\n", "\r\n\r\n", "%00", "%ff", "\\u0000", "\\ud800", "null", "1e999", "Content-Length: 7\r\n"],
  ...["Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "Connection: close\r\n", "ffffffff\r\n"],
].map((text) => Buffer.from(text));

const splice = (bytes: Buffer, from: number, to: number, ...between: Uint8Array[]) =>
  Buffer.concat([bytes.subarray(0, from), ...between, bytes.subarray(to)]);

/** Changes bytes from a place on. */
type Mutation = (bytes: Buffer, at: number, random: Random) => Buffer;

const mutations: Readonly<Record<string, Mutation>> = {
  "one byte becomes another": (bytes, at, random) => splice(bytes, at, at + 1, Buffer.of(random(256))),
  "one bit flips": (bytes, at, random) => splice(bytes, at, at + 1, Buffer.of(bytes[at]! ^ (1 << random(8)))),
  "a stretch goes missing": (bytes, at, random) => splice(bytes, at, at + random(20)),
  "a stretch comes twice": (bytes, at, random) => splice(bytes, at, at, bytes.subarray(at, at + random(60))),
  "something that means something comes in between": (bytes, at, random) =>
    splice(bytes, at, at + random(2), pieces[random(pieces.length)]!),
  "the rest never comes": (bytes, at) => bytes.subarray(0, at),
  "another request begins in the middle": (bytes, at, random) =>
    splice(bytes, at, bytes.length, seeds[random(seeds.length)]!),
  "a byte is repeated until it is too much": (bytes, at, random) =>
    splice(bytes, at, at, Buffer.alloc(random(6_000), bytes[at])),
};
const mutators = Object.values(mutations);

/** Breaks a right request in one to four places. */
export function mutatedRequest(random: Random): Buffer {
  let bytes = seeds[random(seeds.length)]!;
  for (let count = 1 + random(4); count > 0 && bytes.length > 0; count--) {
    bytes = mutators[random(mutators.length)]!(bytes, random(bytes.length), random);
  }
  return bytes;
}
