import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../faults/gate.ts";
import { insideOf } from "../http/calls.ts";
import { exchangeOnce, postBytes, requestBytes } from "../http/raw-socket.ts";
import { type RunningService, startQuickService, useQuickService } from "../service.ts";
import { residentMb } from "../support/process-figures.ts";
import { openSockets, tcpEnds } from "./sockets.ts";

const iban = "DE89370400440532013000";
const batch = postBytes("/v1/iban", JSON.stringify({ ibans: Array(500).fill(iban) }));

const service = useQuickService({ ANSWER_TIMEOUT: "2000" });

/** Asserts that others are served beside what connections do, and that the memory of both grows within a bound. */
async function expectServedBeside(
  count: number,
  maxMb: number,
  act: (sockets: readonly Socket[]) => unknown,
): Promise<void> {
  const before = residentMb(service.child);
  const sockets = await openSockets(service.port, count);
  const check = requestBytes("GET", `/v1/iban/${iban}`);
  await act(sockets);
  assert.equal((await exchangeOnce(service.port, check)).status, 200);
  const grown = residentMb(service.child) - before;
  assert.ok(grown < maxMb, `${Math.round(grown)} MB`);
  for (const socket of sockets) socket.destroy();
}

test("clients that ask again and again and never read cost bounded memory and are ended", () =>
  expectServedBeside(20, 150, async (sockets) => {
    const request = requestBytes("GET", "/service/openapi.json");
    for (let round = 0; round < 300; round++) {
      for (const socket of sockets) socket.write(request);
      if (round % 20 === 0) await delay(1);
    }
    await until(async () => (await service.request("/service/live")).status === 200);
  }));

/** `IDLE_CONNECTIONS=8000 npm test -- hostile/` opens 8,000. */
const idle = Number(process.env["IDLE_CONNECTIONS"] ?? 2_000);

test(`${idle} idle connections do not hold up other clients`, () => expectServedBeside(idle, 60, () => {}));

test("unfinished bodies are bounded in total, beyond 64 MB the next is server_busy, and their memory goes back", async () => {
  const size = 120_000;
  const head = postBytes("/v1/iban", "", [`Content-Length: ${size + 1}`]);
  const piece = Buffer.alloc(size, 32);
  const before = residentMb(service.child);
  let refused = 0;
  await expectServedBeside(640, 250, async (sockets) => {
    for (const socket of sockets) {
      socket.on("data", (chunk: Buffer) => {
        if (chunk.includes("server_busy")) refused++;
      });
      socket.resume();
      socket.write(head);
    }
    for (const socket of sockets) socket.write(piece);
    await until(() => refused > 0);
  });
  await expectServedBeside(0, 250, () => {});
  await until(() => residentMb(service.child) - before < 25);
});

/** Bytes on the way to a client. */
const onTheWay = (port: number) =>
  tcpEnds(port).reduce((sum, end) => sum + (end.port === port ? end.unread : end.unsent), 0);

/**
 * Opens a connection on which nothing is read, and asks until the kernel takes no more, so that the service itself has
 * to keep the rest of the last answer. Returns the socket, the number of requests, and the length of the body of each answer.
 */
async function stuffed(own: RunningService): Promise<{ socket: Socket; sent: number; length: number }> {
  const { headers, body } = await exchangeOnce(own.port, batch);
  const fields = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const answerLength = "HTTP/1.1 200 OK\r\n\r\n".length + fields.length + body.length;
  const [socket] = (await openSockets(own.port, 1)) as [Socket];
  const isTaken = (sent: number) => socket.bytesRead + onTheWay(socket.localPort!) >= sent * answerLength;
  let sent = 0;
  do {
    assert.ok(sent < 400, "the kernel takes everything");
    socket.write(batch);
    sent++;
    await until(async () => socket.bytesWritten >= sent * batch.length && (await insideOf(own)) === 0);
    // No event says that the rest of an answer is kept; a silence does. The native layer ends a client that has taken
    // nothing for 10 s, so the silence is short even where the list of connections is long and slow to read.
    const silence = performance.now() + 300;
    while (!isTaken(sent) && performance.now() < silence) await delay(5);
  } while (isTaken(sent));
  return { socket, sent, length: body.length };
}

test("a client that does not take its answer in time loses its connection", async () => {
  const { socket } = await stuffed(service);
  const localPort = socket.localPort!;
  await until(() => !tcpEnds(localPort).some((end) => end.remotePort === localPort && end.isOpen));
  socket.destroy();
});

test("a slow reader still receives the rest of its answer when the service stops", async () => {
  const own = await startQuickService({ ANSWER_TIMEOUT: "600000", STOP_TIMEOUT: "60000" });
  const { socket, sent, length } = await stuffed(own);
  const stopped = own.stop();
  await until(() => own.log().includes("stopping"));
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.resume();
  await until(() => received.endsWith("}") && received.split("HTTP/1.1 200 OK").length === sent + 1);
  socket.destroy();
  assert.equal(await stopped, 0);
  const answers = received.split("HTTP/1.1 200 OK\r\n").slice(1);
  assert.equal(answers.length, sent);
  for (const answer of answers) assert.equal(answer.length - answer.indexOf("\r\n\r\n") - 4, length);
});
