import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { exchangeOnce, postBytes, requestBytes } from "../http/raw-socket.ts";
import { startQuickService } from "../service.ts";

// What `slow-readers.test.ts` runs in a network of its own, whose packets are as small as those of a real one: there a
// socket takes so little of an answer that the service has to keep the rest.

const readers = 410;
const batches = 20;
const noKey = "X-API-Key:";

const service = await startQuickService();
const ask = (path: string, ...headers: string[]) =>
  requestBytes("GET", path, { headers: [noKey, ...headers] });
const page = (await exchangeOnce(service.port, ask("/service/docs"))).body.toString();
let largest = { path: "/service/docs", length: page.length };
for (const [, path = ""] of page.matchAll(/(?:src|href)="(\/service\/[^"]+)"/g)) {
  const { length } = (await exchangeOnce(service.port, ask(path))).body;
  if (length > largest.length) largest = { path, length };
}

const sockets = Array.from({ length: readers }, () => connect(service.port, "127.0.0.1"));
await Promise.all(sockets.map((socket) => once(socket, "connect")));
const flood = Buffer.concat(Array<Buffer>(20).fill(ask(largest.path)));
for (const socket of sockets) {
  socket.on("error", () => {});
  socket.pause();
  socket.write(flood);
}

const body = JSON.stringify({ ibans: Array<string>(500).fill("DE89370400440532013000") });
let length: number | undefined;
for (let times = 0; times < batches; times++) {
  // Rejects where the connection ends before the answer does.
  const answer = await exchangeOnce(service.port, postBytes("/v1/iban?reason=1", body));
  assert.equal(answer.status, 200);
  length ??= answer.body.length;
  assert.equal(answer.body.length, length);
}
for (const socket of sockets) socket.destroy();
assert.equal(await service.stop(), 0);
