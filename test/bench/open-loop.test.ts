import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { OpenLoopGenerator, type Stream, type StreamResult } from "../../bench/load/open-loop.ts";
import { readProcessorTime } from "../../bench/load/process.ts";
import { closed, listen } from "../support/listen.ts";

const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

/** How services and proxies answer, by the path of the request; `number` counts those of a connection from 0. */
const manners: Readonly<Record<string, (socket: Socket, number: number) => void>> = {
  "long-head": (socket) => void socket.write(answer.replace("OK", `OK\r\nX-Trace: ${"x".repeat(3_000)}`)),
  "split-chunks": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r");
    setTimeout(() => socket.write("\n\r\n"), 5);
  },
  "until-close": (socket) => void socket.end("HTTP/1.0 200 OK\r\n\r\n{}"),
  "says-close": (socket) => void socket.end(answer.replace("OK", "OK\r\nConnection: close")),
  "cuts-third": (socket, number) => void (number < 2 ? socket.write(answer) : socket.destroy()),
  "adds-408": (socket) =>
    void socket.end(`${answer}HTTP/1.0 408 Request Time-out\r\nConnection: close\r\n\r\n`),
  garbage: (socket) => void socket.write("\u0000".repeat(100_000)),
};

let turn = 0;
/** How many requests were refused. */
let refused = 0;
/** What is asked for alone: a service that refuses every fourth request, and one that never answers. */
const served: typeof manners = {
  ...manners,
  refusing: (socket) => {
    const isRefused = turn++ % 4 === 3;
    if (isRefused) refused++;
    const head = isRefused ? "503 Service Unavailable\r\nRetry-After: 2" : "200 OK";
    socket.write(`HTTP/1.1 ${head}\r\nContent-Length: 3000\r\n\r\n${"x".repeat(3_000)}`);
  },
  silent: () => {},
};

const server = createServer((socket) => {
  let number = 0;
  socket.on("error", () => {});
  socket.on("data", (request) => {
    const path = /^GET \/(\S+)/.exec(request.toString())?.[1] ?? "";
    served[path]!(socket, number++);
  });
});
const generator = new OpenLoopGenerator();
let port: number;
before(async () => {
  port = await listen(server);
});
after(async () => {
  await generator.stop();
  server.close();
});

const streamTo = (path: string, part: Partial<Stream> = {}): Stream => ({
  name: path,
  perSecond: 100,
  connections: 8,
  requests: [`GET /${path} HTTP/1.1\r\nHost: bench\r\n\r\n`],
  ...part,
});
const load = (part: Partial<Stream>, path = "refusing") => {
  return { port, seconds: 0.3, streams: [streamTo(path, { perSecond: 200, connections: 16, ...part })] };
};
const good = ({ statuses }: StreamResult) => statuses[200]?.count ?? 0;

test("answers are understood however a service or a proxy sends them, and closed connections are opened again", async () => {
  let streams: readonly StreamResult[];
  const of = (path: string) => streams.find(({ name }) => name === path)!;
  do {
    const all = Object.keys(manners).map((path) => streamTo(path));
    ({ streams } = await generator.send({ port, seconds: 0.5, streams: all }));
    // More are answered than each connection answers before it is cut: they were opened again.
  } while (good(of("cuts-third")) <= 2 * 8);
  for (const path of ["long-head", "split-chunks", "until-close", "says-close", "adds-408"]) {
    const { sent, lost, reopened } = of(path);
    assert.ok(sent > 0, path);
    assert.deepEqual([good(of(path)), lost], [sent, 0], path);
    if (/close|408/.test(path)) assert.ok(reopened > 0 && reopened <= sent, path);
  }
  assert.ok(of("cuts-third").lost > 0, "counted");
  assert.deepEqual([good(of("garbage")), of("garbage").lost > 0], [0, true]);
});

test("what a service that stalled did not take is not made up for in one burst", async () => {
  const connections = 4;
  const waiting: Socket[] = [];
  let isStalled = true;
  const stalling = createServer((socket) => {
    socket.on("data", () => {
      if (!isStalled) socket.write(answer);
      if (!isStalled || waiting.push(socket) < connections) return;
      setTimeout(() => {
        isStalled = false;
        for (const held of waiting) held.write(answer);
      }, 500);
    });
  });
  const limited = streamTo("", { perSecond: "closed", connections, maxPerSecond: 100 });
  const stalled = { port: await listen(stalling), seconds: 1, streams: [limited] };
  const { streams, seconds } = await generator.send(stalled);
  // While all connections wait for half a second, 50 requests become due, of which a tenth of a second's may be sent later.
  assert.ok(streams[0]!.sent <= 100 * seconds - 30, `${streams[0]!.sent} in ${seconds} s`);
  stalling.close();
});

test("a service that accepts connections and closes them is not asked for new ones without a pause", async () => {
  let accepted = 0;
  const closing = createServer((socket) => {
    accepted++;
    socket.destroy();
  });
  const load = { port: await listen(closing), seconds: 0.5, streams: [streamTo("", { connections: 2 })] };
  const { streams } = await generator.send(load);
  assert.ok(streams[0]!.lost > 0 && accepted < 2 * 10, `${accepted} connections`);
  closing.close();
});

test("where the connections cannot be opened the reason is reported", async () => {
  const gone = createServer();
  const goneFrom = await listen(gone);
  await closed(gone);
  const sending = generator.send({ port: goneFrom, seconds: 1, streams: [streamTo("")] });
  await assert.rejects(sending, /ECONNREFUSED/);
});

test("the times of a process that the system does not count are unknown, not zero", () => {
  const { main, all, mainDelay } = readProcessorTime(2 ** 22 + 1);
  assert.deepEqual([main, all, mainDelay], [Number.NaN, Number.NaN, Number.NaN]);
  assert.ok(readProcessorTime(process.pid).all > 0);
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
  const [stream] = (await generator.send(load({ connections: 3 }, "silent"))).streams;
  assert.equal(stream!.sent, 3);
  assert.ok(stream!.due > 3);
  assert.deepEqual(stream!.statuses, {});
});

test("a generator that has ended says so instead of waiting for ever", async () => {
  const ended = new OpenLoopGenerator();
  await ended.stop();
  await assert.rejects(ended.send(load({})));
  const ending = new OpenLoopGenerator();
  const sending = ending.send({ ...load({}), seconds: 60 });
  await Promise.all([assert.rejects(sending, /the other process has ended/), ending.stop()]);
});
