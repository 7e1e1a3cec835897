import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../faults/gate.ts";
import { hasIpv6 } from "../free-port.ts";
import { exchangeOnce, postBytes, postInChunks, RawConnection, requestBytes } from "../http/raw-socket.ts";
import { quickServiceOf, useQuickService } from "../service.ts";
import { pluck } from "../support/pluck.ts";
import { busyMs } from "../support/process-figures.ts";
import { randomOf } from "../support/random.ts";
import { mutatedRequest } from "./mutations.ts";
import { byClients, openSockets, tcpEnds } from "./sockets.ts";

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

const service = useQuickService({ MAX_CONNECTIONS: "20" });
beforeEach(() => until(() => !tcpEnds(service.port).some((end) => end.port === service.port && end.isOpen)));

/** Opens connections that send nothing. */
async function openSilent(port: number, count: number, localAddress = "127.0.0.2"): Promise<Socket[]> {
  const sockets = await openSockets(port, count, { reads: true, localAddress });
  opened.push(...sockets);
  return sockets;
}

/** Opens connections for requests. */
async function openEach(count: number): Promise<RawConnection[]> {
  const opening = Array.from({ length: count }, () => RawConnection.open(service.port));
  const connections = await Promise.all(opening);
  opened.push(...pluck(connections, "socket"));
  return connections;
}

/** Asserts that a request is answered, on a connection of its own or a given one. */
async function expectServed(request: Buffer, on: number | RawConnection = service.port): Promise<void> {
  assert.equal((await (typeof on === "number" ? exchangeOnce(on, request) : on.ask(request))).status, 200);
}

const isServed = async (port: number) =>
  (await exchangeOnce(port, check).catch(() => undefined))?.status === 200;

const iban = "DE89370400440532013000";
const check = requestBytes("GET", `/v1/iban/${iban}`);
const post = postBytes("/v1/iban", JSON.stringify({ iban }));
const inChunks = postInChunks("/v1/iban", JSON.stringify({ iban }));
const headOf = (request: Buffer) => request.subarray(0, request.indexOf("\r\n\r\n") + 4);
const bodyOf = (request: Buffer) => request.subarray(headOf(request).length);

test("beyond the bound silent connections go first, and those with a key are served", async () => {
  using kept = await RawConnection.open(service.port);
  await expectServed(check, kept);
  const silent = await openSilent(service.port, 60);
  await until(() => silent.filter(({ closed }) => closed).length >= 40);
  for (const request of [check, post, inChunks, check, post]) await expectServed(request);
  // Connections that have sent a part of their first request only are silent too, but their first request counts.
  using slow = await RawConnection.open(service.port);
  await slow.send(post.subarray(0, 20));
  await delay(5);
  await slow.send(post.subarray(20, -5));
  // The service reads the head above before this request, and only then accepts the connections below.
  await expectServed(check, kept);
  await openSilent(service.port, 10);
  await expectServed(post.subarray(-5), slow);
  await expectServed(check, slow);
  await openSilent(service.port, 60);
  // A connection that has shown a key stays.
  for (const connection of [kept, slow]) await expectServed(check, connection);
});

test("the body of a request that is refused never becomes part of another's, however short connections are", async () => {
  const other = JSON.stringify({ iban: "GB29NWBK60161331926819" });
  const refused = [
    postBytes("/v1/iban", other, ["X-API-Key: unknown-key-0123456789"]),
    requestBytes("GET", "/v1/ping", { body: other }),
    postBytes("/v1/iban", other, [`Content-Length: ${other.length}`, "Content-Length: 1"]),
  ];
  for (const request of refused) {
    const silent = await openSilent(service.port, 16);
    const [stranger, client] = (await openEach(2)) as [RawConnection, RawConnection];
    await client.send(headOf(post));
    await delay(20);
    await stranger.send(request);
    await delay(20);
    const answer = await client.ask(bodyOf(post));
    assert.equal(answer.status, 200);
    assert.match(answer.body.toString(), /COBADEFFXXX/);
    for (const connection of [client, stranger, ...silent]) connection.destroy();
    await delay(20);
  }
});

test("bodies that come late on several connections stay apart, however short connections are", async () => {
  const numbers = [iban, "GB29NWBK60161331926819", "AT611904300234573201", "CH9300762011623852957"];
  await openSilent(service.port, 12);
  const posts = numbers.map((number) => postBytes("/v1/iban", JSON.stringify({ iban: number })));
  const clients = await openEach(numbers.length);
  for (const part of [headOf, bodyOf])
    for (const [index, client] of clients.entries()) {
      await client.send(part(posts[index]!));
      await delay(10);
    }
  for (const [index, client] of clients.entries()) {
    const { body } = await client.answer();
    assert.ok(body.includes(numbers[index]!.slice(0, 2)) && body.includes('"status":1'), body.toString());
  }
});

const stranger = ["X-API-Key: unknown-key-0123456789"];
const framed = (...headers: string[]) => postBytes("/v1/iban", "", headers);

/** What clients send that spares no silent connection of an address, and whether they abort then. */
const floods: Readonly<Record<string, readonly [silent: string, request: Buffer, aborts: boolean]>> = {
  // Only a request with a key that receives its body ends the watch over those of its own address.
  "a head": ["127.0.0.2", headOf(post), true],
  "a part of a body": ["127.0.0.2", post.subarray(0, -5), true],
  "a part of a head": ["127.0.0.2", check.subarray(0, -5), true],
  "a check whose client aborts": ["127.0.0.2", check, true],
  "a body without a key": ["127.0.0.1", postBytes("/v1/iban", "{}", stranger), true],
  "a head without a key": ["127.0.0.1", headOf(postBytes("/v1/iban", "{}", stranger)), true],
  "chunks without a key": ["127.0.0.1", framed(...stranger, "Transfer-Encoding: chunked"), true],
  "two lengths": ["127.0.0.1", framed("Content-Length: 1", "Content-Length: 2"), true],
  "a length that is none": ["127.0.0.1", framed("Content-Length: abc"), true],
  "whole chunks": ["127.0.0.2", inChunks, false],
  "heads of chunks": ["127.0.0.2", headOf(inChunks), false],
  "heads of chunks whose clients abort": ["127.0.0.2", headOf(inChunks), true],
  "a part of a chunk": ["127.0.0.2", inChunks.subarray(0, -20), false],
  "a part of a chunk whose client aborts": ["127.0.0.2", inChunks.subarray(0, -20), true],
};

for (const [what, [address, request, aborts]] of Object.entries(floods)) {
  test(`clients that send ${what} leave silent connections in the list of those that may go`, async () => {
    await openSilent(service.port, 20, address);
    for (let times = 0; times < 5; times++) {
      const [connection] = await openEach(1);
      await connection!.send(request);
      await delay(5);
      if (aborts) connection!.destroy();
    }
    // Those that stay have taken some of the places that silent ones gave up.
    for (const client of await openEach(aborts ? 6 : 4)) await expectServed(post, client);
  });
}

test("a body whose chunks come slowly arrives whole beside other bodies and a flood of silent connections", async () => {
  await openSilent(service.port, 12);
  const [slow, late] = (await openEach(2)) as [RawConnection, RawConnection];
  const start = headOf(inChunks).length;
  await slow.send(inChunks.subarray(0, start));
  await late.send(inChunks.subarray(0, start + 10));
  // Each of these spares the silent connections of its own address only.
  for (const request of [post, inChunks, post]) await expectServed(request);
  await slow.send(inChunks.subarray(start, start + 10));
  await delay(350);
  for (const client of [slow, late]) await client.send(inChunks.subarray(start + 10, start + 20));
  await delay(5);
  await openSilent(service.port, 60);
  for (const client of [slow, late]) await expectServed(inChunks.subarray(start + 20), client);
});

test("while connections are short those without a key end with their answer", async () => {
  await openSilent(service.port, 18);
  const stranger = await RawConnection.open(service.port);
  const { headers } = await stranger.ask(requestBytes("GET", "/service/live", { headers: ["X-API-Key:"] }));
  assert.equal(headers.get("connection"), "close");
  await stranger.closed;
});

test("one address has a limit of connections, others are served, and freed places are taken", async (t) => {
  // Both families where there are both.
  const HOST = hasIpv6 ? "::" : "127.0.0.1";
  const service = await quickServiceOf(t, { HOST, MAX_CONNECTIONS_PER_ADDRESS: "10" });
  const silent = await openSilent(service.port, 30);
  await until(() => silent.filter(({ closed }) => closed).length === 20);
  const elsewhere = await RawConnection.open(service.port, "127.0.0.9");
  assert.equal((await exchangeOnce(elsewhere, check)).status, 200);
  for (const socket of silent) socket.destroy();
  await until(() => isServed(service.port));
  await until(() => service.log().includes("within the limit"));
});

const withDescriptors = (limit: number) => ({ by: ["sh", "-c", `ulimit -n ${limit}; exec "$0" "$@"`] });

test("with few descriptors the bound follows from them: no core is burnt, and a client with a key is served", async (t) => {
  const { port, child } = await quickServiceOf(t, {}, withDescriptors(80));
  await openSilent(port, 300);
  await expectServed(check, port);
  // Garbage collection may take a moment of its own; a core that is burnt never rests.
  await until(async () => {
    const [before, from] = [busyMs(child), performance.now()];
    await delay(500);
    return busyMs(child) - before < (performance.now() - from) / 2;
  });
  await expectServed(post, port);
});

test("a process whose connections have taken every descriptor still reads its own load", async (t) => {
  const limit = 100;
  const { port, child } = await quickServiceOf(t, { MAX_CONNECTIONS: "10000" }, withDescriptors(limit));
  const kept = await RawConnection.open(port);
  opened.push(kept.socket);
  await openSilent(port, 2 * limit);
  await until(() => readdirSync(`/proc/${child.pid}/fd`).length >= limit);
  for (const path of ["/service/health", "/service/metrics"]) {
    const { status, body } = await kept.ask(requestBytes("GET", path));
    assert.equal(status, 200, path);
    assert.ok(JSON.parse(body.toString()).process.memory_mb > 0, path);
  }
});

test("right and broken requests in pieces at the bound end no process, and leave nothing behind", async () => {
  const random = randomOf(7);
  await byClients(80, 3_000, async () => {
    const socket = connect(service.port, "127.0.0.1");
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.resume();
    socket.setTimeout(10 + random(30), () => socket.destroy());
    const request = random(3) === 0 ? [check, post, inChunks][random(3)]! : mutatedRequest(random);
    const cut = random(request.length + 1);
    socket.write(request.subarray(0, cut));
    if (random(3) > 0) setTimeout(() => socket.write(request.subarray(cut)), random(10));
    await closed;
  });
  await until(() => isServed(service.port));
});

test("connections that close with their answer leave no memory behind", async (t) => {
  const { port, child } = await quickServiceOf(t);
  const closing: readonly Buffer[] = [
    requestBytes("GET", `/v1/iban/${iban}`, { headers: ["Connection: close"] }),
    inChunks,
    requestBytes("HEAD", "/service/live"),
    postBytes("/v1/iban", "{}", ["Content-Length: 2", "Content-Length: 3"]),
  ];
  const sendEach = async (times: number) => {
    for (const request of closing) await byClients(16, times, () => exchangeOnce(port, request));
  };
  /** Returns the memory of the main thread's native allocator, in KB. */
  const heapKb = () => {
    const map = readFileSync(`/proc/${child.pid}/smaps`, "utf8");
    return Number(/\[heap\]\n(?:.*\n)*?Rss:\s+(\d+)/.exec(map)?.[1]);
  };
  await sendEach(500);
  let [before, now] = [Number.POSITIVE_INFINITY, heapKb()];
  const isGrowing = () => now - before >= 1_000;
  // How much is in use at once depends on the machine; what is left behind grows each time.
  for (let rounds = 0; rounds === 0 || (isGrowing() && rounds < 5); rounds++) {
    before = now;
    await sendEach(1_500);
    now = heapKb();
  }
  assert.ok(!isGrowing(), `${before} KB, then ${now} KB`);
});
