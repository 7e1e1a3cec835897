import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { OpenLoopGenerator, type Stream } from "../../bench/load/open-loop.ts";
import { listen } from "../support/listen.ts";

let turn = 0;
/** How many requests were refused. */
let refused = 0;
const server = createServer((_, response) => {
  const isRefused = turn++ % 4 === 3;
  if (isRefused) refused++;
  response.writeHead(isRefused ? 503 : 200, isRefused ? { "Retry-After": "2" } : {});
  response.end("x".repeat(3_000));
});
const generator = new OpenLoopGenerator();
let port: number;
before(async () => {
  port = await listen(server);
});
after(async () => {
  await generator.stop();
  server.closeAllConnections();
  server.close();
});

const load = (part: Partial<Stream>) => ({
  port,
  seconds: 0.3,
  streams: [
    {
      ...{
        name: "one",
        perSecond: 200,
        connections: 16,
        requests: ["GET / HTTP/1.1\r\nHost: bench\r\n\r\n"],
      },
      ...part,
    },
  ],
});

test("what was sent at independent times is answered and counted by status", async () => {
  turn = refused = 0;
  const { streams, seconds, generatorSeconds } = await generator.send(load({}));
  const [stream] = streams;
  assert.ok(stream!.sent > 0 && stream!.sent <= stream!.due, `${stream!.sent} of ${stream!.due}`);
  // How many were sent depends on the machine, what was answered on the server alone.
  const { 200: good, 503: busy } = stream!.statuses;
  assert.deepEqual([good?.count ?? 0, busy?.count ?? 0], [turn - refused, refused]);
  assert.equal(stream!.sent, turn);
  assert.equal(busy?.retryAfter ?? 0, refused);
  assert.equal(stream!.lost, 0);
  // A timer may be a millisecond early.
  assert.ok(seconds >= 0.298, `${seconds} s`);
  assert.ok(generatorSeconds > 0, `${generatorSeconds} s`);
});

test("a closed loop sends the next request when the last is answered", async () => {
  let sent: number;
  do {
    const [stream] = (await generator.send(load({ perSecond: "closed", connections: 2 }))).streams;
    assert.equal(stream!.due, stream!.sent);
    ({ sent } = stream!);
    // This process may have answered none in time.
  } while (sent <= 2);
});

test("with every connection taken, due requests are counted as not sent", async () => {
  const silent = createServer(() => {});
  const [stream] = (await generator.send({ ...load({ connections: 3 }), port: await listen(silent) }))
    .streams;
  assert.equal(stream!.sent, 3);
  assert.ok(stream!.due > 3);
  assert.deepEqual(stream!.statuses, {});
  silent.closeAllConnections();
  silent.close();
});

test("a generator that has ended says so instead of waiting for ever", async () => {
  const ended = new OpenLoopGenerator();
  await ended.stop();
  await assert.rejects(ended.send(load({})));
  const ending = new OpenLoopGenerator();
  const sending = ending.send({ ...load({}), seconds: 60 });
  await Promise.all([assert.rejects(sending, /the load generator has ended/), ending.stop()]);
});
