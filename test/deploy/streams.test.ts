import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../faults/gate.ts";
import { type AnswerLine, beginStream } from "../http/stream/client.ts";
import { sharedService } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { listen } from "../support/listen.ts";
import { haproxyMissing, nginxMissing, replaced, startHaproxy, startNginx } from "./proxies.ts";

const line = "DE89370400440532013000\n";
/** 1 MB. */
const lines = Math.ceil(2 ** 20 / line.length);
const linesBeforePause = 10;

/** Longer than the limits of the variants below, which hold for all but streams. */
const pauseMs = 1500;

/** Sends 1 MB through a proxy, with a pause after the first lines have been answered, and returns the last line. */
async function pausedStream(port: number): Promise<AnswerLine> {
  const { open, answer } = await beginStream({ port }, line.repeat(linesBeforePause));
  assert.equal(answer.statusCode, 200, answer.statusCode === 200 ? "" : await text(answer));
  const answered: string[] = [];
  for await (const one of createInterface({ input: answer })) {
    if (answered.push(one) !== linesBeforePause) continue;
    await delay(pauseMs);
    open.end(line.repeat(lines - linesBeforePause));
  }
  assert.equal(answered.length, lines + 1);
  return JSON.parse(answered.at(-1)!) as AnswerLine;
}

const proxies = [
  ["nginx", nginxMissing, startNginx, ["client_body_timeout 8s", "proxy_read_timeout 12s"]],
  ["HAProxy", haproxyMissing, startHaproxy, ["http-request 10s", "timeout server 12s"]],
] as const;

for (const [name, skip, start, limits] of proxies)
  test(`${name} hands on a stream of 1 MB with a pause while it arrives`, { skip }, async (t) => {
    const proxy = await start([(await sharedService()).port], (config) =>
      limits.reduce((text, limit) => replaced(text, limit, limit.replace(/\d+s/, "1s")), config),
    );
    t.after(proxy.stop);
    assert.equal((await pausedStream(proxy.port)).summary?.valid, lines);
  });

/** Requests that wait for a server, from HAProxy's own figures. */
async function queued(socketPath: string): Promise<number> {
  const socket = connect(socketPath);
  socket.end("show stat\n");
  const [head = [], ...rows] = (await text(socket)).split("\n").map((row) => row.split(","));
  const column = head.indexOf("qcur");
  const backend = rows.find(([proxy, server]) => proxy === "instances" && server === "BACKEND");
  return Number(backend?.[column]);
}

const skip = haproxyMissing;
test("a client that gives up leaves HAProxy's queue and reaches no instance", { skip }, async (t) => {
  const seen: string[] = [];
  let release = () => {};
  const server = createServer((asked, answer) => {
    if (asked.url!.startsWith("/service/")) return void answer.end();
    seen.push(asked.url!);
    release = () => answer.end();
  });
  t.after(() => server.close());
  const figures = join(newFolder(), "haproxy.sock");
  const haproxy = await startHaproxy([await listen(server)], (config) => {
    const one = replaced(config, "maxconn 256", "maxconn 1").replaceAll(/^ {4}server [bc] .*$/gm, "");
    return replaced(one, "global\n", `global\n    stats socket ${figures}\n`);
  });
  t.after(haproxy.stop);
  const [first, second] = ["/first", "/second"].map((path) => request(`${haproxy.url}${path}`));
  first!.end();
  await until(() => seen.length === 1);
  second!.on("error", () => {}).end();
  await until(async () => (await queued(figures)) === 1);
  second!.destroy();
  await until(async () => (await queued(figures)) === 0, 10_000);
  release();
  const [answer] = (await once(first!, "response")) as [IncomingMessage];
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(seen, ["/first"]);
});
