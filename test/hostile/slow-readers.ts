import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../faults/gate.ts";
import { insideOf } from "../http/calls.ts";
import {
  chunkOf,
  exchangeOnce,
  postBytes,
  postInChunks,
  RawConnection,
  requestBytes,
} from "../http/raw-socket.ts";
import { startQuickService } from "../service.ts";
import { residentMb } from "../support/process-figures.ts";
import { openSockets } from "./sockets.ts";

// Runs for `slow-readers.test.ts` in a separate network, with packets as small as those of a real one: there a
// socket takes so little of an answer that the service has to keep the rest.

const readers = 410;
const batches = 20;
/** A service that stops closes connections that have been idle for a second. */
const beyondGraceMs = 1_300;
const noKey = "X-API-Key:";

const service = await startQuickService();
const ask = (path: string) => requestBytes("GET", path, { headers: [noKey] });
const page = (await exchangeOnce(service.port, ask("/service/docs"))).body.toString();
let largest = { path: "/service/docs", length: page.length };
for (const [, path = ""] of page.matchAll(/(?:src|href)="(\/service\/[^"]+)"/g)) {
  const { length } = (await exchangeOnce(service.port, ask(path))).body;
  if (length > largest.length) largest = { path, length };
}

/** Opens connections of the readers, which send something and read nothing. */
async function unread(bytes: Uint8Array): Promise<Socket[]> {
  const sockets = await openSockets(service.port, readers);
  for (const socket of sockets) socket.write(bytes);
  return sockets;
}

const sockets = await unread(Buffer.concat(Array<Buffer>(20).fill(ask(largest.path))));
const body = JSON.stringify({ ibans: Array<string>(500).fill("DE89370400440532013000") });
let length: number | undefined;
for (let times = 0; times < batches; times++) {
  // Rejects if the connection ends before the answer does.
  const answer = await exchangeOnce(service.port, postBytes("/v1/iban?reason=1", body));
  assert.equal(answer.status, 200);
  length ??= answer.body.length;
  assert.equal(answer.body.length, length);
}
for (const socket of sockets) socket.destroy();

// Data after a body in chunks may not be read, so the answer ends its connection, which the native layer does only with
// answers that it has taken whole.
const chunked = { headers: [noKey, "Transfer-Encoding: chunked"], body: chunkOf("") };
const before = residentMb(service.child);
const chunkedSockets = await unread(requestBytes("GET", "/service/console/openapi.json", chunked));
await delay(300);
const grown = residentMb(service.child) - before;
assert.ok(grown < 30, `${Math.round(grown)} MB are kept for clients without a key`);
for (const socket of chunkedSockets) socket.destroy();

const connection = await RawConnection.open(service.port);
connection.socket.pause();
await connection.send(postInChunks("/v1/iban?reason=1&explain=1", body));
await until(async () => (await insideOf(service)) === 0);
const stopped = service.stop();
await delay(beyondGraceMs);
connection.socket.resume();
assert.equal((await connection.answer()).status, 200);
assert.equal(await stopped, 0);
