import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../faults/gate.ts";
import { hasIpv6 } from "../free-port.ts";
import { exchangeOnce, postBytes, postInChunks, RawConnection, requestBytes } from "../http/raw-socket.ts";
import { startQuickService, useQuickService } from "../service.ts";
import { busyMs } from "../support/process-figures.ts";
import { randomOf } from "../support/random.ts";
import { mutatedRequest } from "./mutations.ts";
import { openSockets, tcpEnds } from "./sockets.ts";

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** Counts the connections to a port of this machine that are open at its end. */
const openConnections = (port: number) =>
  tcpEnds(port).filter((end) => end.port === port && end.isOpen).length;
const service = useQuickService({ MAX_CONNECTIONS: "20" });
beforeEach(() => until(() => openConnections(service.port) === 0));

/** Opens connections that send nothing. */
async function openSilent(port: number, count: number, localAddress = "127.0.0.2"): Promise<Socket[]> {
  const sockets = await openSockets(port, count, { reads: true, localAddress });
  opened.push(...sockets);
  return sockets;
}

/** Opens connections and asserts that each is answered; where there are no more places, silent ones must go. */
async function expectPlaces(count: number, what: string): Promise<void> {
  const clients = await Promise.all(Array.from({ length: count }, () => RawConnection.open(service.port)));
  for (const client of clients) assert.equal((await client.ask(post)).status, 200, what);
  for (const client of clients) client.destroy();
}

const iban = "DE89370400440532013000";
const check = requestBytes("GET", `/v1/iban/${iban}`);
const post = postBytes("/v1/iban", JSON.stringify({ iban }));
const inChunks = postInChunks("/v1/iban", JSON.stringify({ iban }));
const headOf = (request: Buffer) => request.subarray(0, request.indexOf("\r\n\r\n") + 4);
const bodyOf = (request: Buffer) => request.subarray(headOf(request).length);

test("beyond the bound silent connections go first, and those with a key are served", async () => {
  const kept = await RawConnection.open(service.port);
  assert.equal((await kept.ask(check)).status, 200);
  const silent = await openSilent(service.port, 60);
  await until(() => silent.filter(({ closed }) => closed).length >= 40);
  for (const request of [check, post, inChunks, check, post]) {
    assert.equal((await exchangeOnce(service.port, request)).status, 200);
  }
  // Connections that have sent a part of their first request only are silent too, but their first request counts.
  const slow = await RawConnection.open(service.port);
  await slow.send(post.subarray(0, 20));
  await delay(5);
  await slow.send(post.subarray(20, -5));
  // The service reads the head above before this request, and only then accepts the connections below.
  assert.equal((await kept.ask(check)).status, 200);
  await openSilent(service.port, 10);
  assert.equal((await slow.ask(post.subarray(-5))).status, 200);
  assert.equal((await slow.ask(check)).status, 200);
  await openSilent(service.port, 60);
  for (const connection of [kept, slow]) {
    assert.equal((await connection.ask(check)).status, 200, "a connection that has shown a key stays");
    connection.destroy();
  }
});

test("the body of a request that is refused never becomes part of another's, however short connections are", async () => {
  const other = JSON.stringify({ iban: "GB29NWBK60161331926819" });
  const refused = [
    postBytes("/v1/iban", other, ["X-API-Key: unknown-key-0123456789"]),
    requestBytes("GET", "/v1/ping", { body: other }),
    requestBytes("POST", "/v1/iban", {
      headers: [`Content-Length: ${other.length}`, "Content-Length: 1"],
      body: other,
    }),
  ];
  for (const request of refused) {
    const silent = await openSilent(service.port, 16);
    const stranger = await RawConnection.open(service.port);
    const client = await RawConnection.open(service.port);
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
  const clients = await Promise.all(posts.map(() => RawConnection.open(service.port)));
  for (const [index, client] of clients.entries()) {
    await client.send(headOf(posts[index]!));
    await delay(10);
  }
  for (const [index, client] of clients.entries()) {
    await client.send(bodyOf(posts[index]!));
    await delay(10);
  }
  for (const [index, client] of clients.entries()) {
    const { body } = await client.answer();
    assert.ok(body.includes(numbers[index]!.slice(0, 2)) && body.includes('"status":1'), body.toString());
    client.destroy();
  }
});

const stranger = ["X-API-Key: unknown-key-0123456789"];
const json = "Content-Type: application/json";
const framed = (...headers: string[]) => requestBytes("POST", "/v1/iban", { headers: [json, ...headers] });

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
    const flood: RawConnection[] = [];
    for (let times = 0; times < 5; times++) {
      const connection = await RawConnection.open(service.port);
      flood.push(connection);
      await connection.send(request);
      await delay(5);
      if (aborts) connection.destroy();
    }
    // Those that stay have taken some of the places that silent ones gave up.
    await expectPlaces(aborts ? 6 : 4, what);
    for (const connection of flood) connection.destroy();
  });
}

test("a body whose chunks come slowly arrives whole beside other bodies and a flood of silent connections", async () => {
  await openSilent(service.port, 12);
  const slow = await RawConnection.open(service.port);
  const late = await RawConnection.open(service.port);
  const start = headOf(inChunks).length;
  await slow.send(inChunks.subarray(0, start));
  await late.send(inChunks.subarray(0, start + 10));
  // Each of these spares the silent connections of its own address only.
  for (const request of [post, inChunks, post]) {
    assert.equal((await exchangeOnce(service.port, request)).status, 200);
  }
  await slow.send(inChunks.subarray(start, start + 10));
  await delay(350);
  for (const client of [slow, late]) await client.send(inChunks.subarray(start + 10, start + 20));
  await delay(5);
  await openSilent(service.port, 60);
  for (const client of [slow, late]) {
    assert.equal((await client.ask(inChunks.subarray(start + 20))).status, 200);
    client.destroy();
  }
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
  const service = await startQuickService({
    HOST: hasIpv6 ? "::" : "127.0.0.1",
    MAX_CONNECTIONS_PER_ADDRESS: "10",
  });
  t.after(() => service.stop());
  const silent = await openSilent(service.port, 30);
  await until(() => silent.filter(({ closed }) => closed).length === 20);
  const elsewhere = await RawConnection.open(service.port, "127.0.0.9");
  assert.equal((await exchangeOnce(elsewhere, check)).status, 200);
  for (const socket of silent) socket.destroy();
  await until(async () => (await exchangeOnce(service.port, check).catch(() => undefined))?.status === 200);
  await until(() => service.log().includes("within the limit"));
});

test("with few descriptors the bound follows from them: no core is burnt, and a client with a key is served", async () => {
  const service = await startQuickService({}, { by: ["sh", "-c", 'ulimit -n 80; exec "$0" "$@"'] });
  try {
    await openSilent(service.port, 300);
    assert.equal((await exchangeOnce(service.port, check)).status, 200);
    // Garbage collection may take a moment of its own; a core that is burnt never rests.
    await until(async () => {
      const [before, from] = [busyMs(service.child), performance.now()];
      await delay(500);
      return busyMs(service.child) - before < (performance.now() - from) / 2;
    });
    assert.equal((await exchangeOnce(service.port, post)).status, 200);
  } finally {
    assert.equal(await service.stop(), 0);
  }
});

test("a process whose connections have taken every descriptor still reads its own load", async () => {
  const limit = 100;
  const service = await startQuickService(
    { MAX_CONNECTIONS: "10000" },
    { by: ["sh", "-c", `ulimit -n ${limit}; exec "$0" "$@"`] },
  );
  const kept = await RawConnection.open(service.port);
  try {
    await openSilent(service.port, 2 * limit);
    await until(() => readdirSync(`/proc/${service.child.pid}/fd`).length >= limit);
    for (const path of ["/service/health", "/service/metrics"]) {
      const { status, body } = await kept.ask(requestBytes("GET", path));
      assert.equal(status, 200, path);
      assert.ok(JSON.parse(body.toString()).process.memory_mb > 0, path);
    }
  } finally {
    kept.destroy();
    for (const socket of opened.splice(0)) socket.destroy();
    assert.equal(await service.stop(), 0);
  }
});

test("right and broken requests in pieces at the bound end no process, and leave nothing behind", async () => {
  const random = randomOf(7);
  let left = 3_000;
  const visit = async () => {
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
  };
  const client = async () => {
    while (left-- > 0) await visit();
  };
  await Promise.all(Array.from({ length: 80 }, client));
  await until(async () => (await exchangeOnce(service.port, check).catch(() => undefined))?.status === 200);
});

test("connections that close with their answer leave no memory behind", async () => {
  const service = await startQuickService();
  const closing: readonly Buffer[] = [
    requestBytes("GET", `/v1/iban/${iban}`, { headers: ["Connection: close"] }),
    inChunks,
    requestBytes("HEAD", "/service/live"),
    requestBytes("POST", "/v1/iban", {
      headers: ["Content-Type: application/json", "Content-Length: 2", "Content-Length: 3"],
      body: "{}",
    }),
  ];
  const sendEach = async (times: number) => {
    for (const request of closing) {
      let left = times;
      const client = async () => {
        while (left-- > 0) await exchangeOnce(service.port, request);
      };
      await Promise.all(Array.from({ length: 16 }, client));
    }
  };
  /** Returns the memory of the main thread's native allocator, in KB. */
  const heapKb = () => {
    const map = readFileSync(`/proc/${service.child.pid}/smaps`, "utf8");
    return Number(/\[heap\]\n(?:.*\n)*?Rss:\s+(\d+)/.exec(map)?.[1]);
  };
  try {
    await sendEach(500);
    const kilobytes = [heapKb()];
    // How much is in use at once depends on the machine; what is left behind grows each time.
    do {
      await sendEach(1_500);
      kilobytes.push(heapKb());
    } while (kilobytes.at(-1)! - kilobytes.at(-2)! >= 1_000 && kilobytes.length < 6);
    assert.ok(kilobytes.at(-1)! - kilobytes.at(-2)! < 1_000, `${kilobytes} KB`);
  } finally {
    assert.equal(await service.stop(), 0);
  }
});
