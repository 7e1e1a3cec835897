import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../faults/gate.ts";
import { byClients } from "../hostile/sockets.ts";
import { quickServiceOf } from "../service.ts";
import { randomOf } from "../support/random.ts";
import { postBytes, postInChunks, requestBytes } from "./raw-socket.ts";

test("however connections end, each place of an address is free again and none is free twice", async (t) => {
  const bound = 24;
  const service = await quickServiceOf(t, { MAX_CONNECTIONS_PER_ADDRESS: String(bound) });
  const random = randomOf(5);
  const iban = "DE89370400440532013000";
  const body = JSON.stringify({ iban });
  const inChunks = postInChunks("/v1/iban", body);
  const requests = [
    requestBytes("GET", `/v1/iban/${iban}`),
    requestBytes("GET", `/v1/iban/${iban}`, { headers: ["Connection: close"] }),
    requestBytes("GET", "/service/live", { headers: ["X-API-Key:"] }),
    requestBytes("HEAD", "/v1/ping"),
    requestBytes("BREW", "/v1/ping"),
    postBytes("/v1/iban", body),
    postBytes("/v1/iban", body).subarray(0, -5),
    postBytes("/v1/iban", "x".repeat(200_000)),
    postBytes("/v1/stream", body),
    inChunks,
    inChunks.subarray(0, -body.length),
    requestBytes("POST", "/v1/iban", { headers: ["Content-Length: 1", "Content-Length: 2"] }),
    Buffer.from("nonsense\r\n\r\n"),
    Buffer.alloc(0),
  ];
  const connectHere = (): Socket => {
    const socket = connect({ port: service.port, host: "127.0.0.1", localAddress: "127.0.0.2" });
    return socket.on("error", () => {}).resume();
  };
  /** Opens a connection, sends up to three requests at once or one after another, and ends it in some way. */
  const visit = async () => {
    const socket = connectHere();
    const ended = new Promise((resolve) => socket.once("close", resolve));
    for (let times = random(3); times >= 0; times--) {
      socket.write(requests[random(requests.length)]!);
      if (random(3) > 0) await delay(random(8));
    }
    if (random(2) === 0) socket.end();
    else setTimeout(() => socket.destroy(), random(12));
    await ended;
  };
  await byClients(bound, 1_500, visit);
  const isOpen = (socket: Socket) => !(socket.closed || socket.destroyed);
  // The service may still be closing some; then each place is there once.
  await until(async () => {
    const sockets = Array.from({ length: bound + 6 }, connectHere);
    await until(() => sockets.filter(isOpen).length <= bound);
    await delay(50);
    const open = sockets.filter(isOpen).length;
    for (const socket of sockets) socket.destroy();
    assert.ok(open <= bound);
    return open === bound;
  });
});
