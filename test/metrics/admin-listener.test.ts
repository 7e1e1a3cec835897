import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { Counter, Registry } from "prom-client";
import { serveMetrics } from "../../src/metrics/admin-listener.ts";
import { pluck } from "../support/pluck.ts";

function setUp(registry = new Registry()) {
  const lines: { msg: string; code?: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const service = { state: "up" };
  const open = (port: number) => serveMetrics("127.0.0.1", port, registry, () => service.state, log);
  const listen = async () => {
    const { port, close } = (await open(0))!;
    return { port, url: `http://127.0.0.1:${port}`, close };
  };
  return { lines, open, listen, registry, service };
}

test("the metrics and the probes are served, and nothing else is", async () => {
  const { listen, registry, service } = setUp();
  new Counter({ name: "a_total", help: "A.", registers: [registry] }).inc(2);
  const { url, close } = await listen();
  const answer = await fetch(`${url}/metrics`);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  assert.match(await answer.text(), /^a_total 2$/m);
  assert.equal((await fetch(`${url}/metrics`, { method: "HEAD" })).status, 200);
  assert.equal((await fetch(`${url}/metrics?name=a_total`)).status, 200);
  const posted = await fetch(`${url}/metrics`, { method: "POST", body: "x" });
  assert.deepEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
  const probe = async (path: string) => {
    const answer = await fetch(url + path);
    return [answer.status, await answer.json()];
  };
  assert.deepEqual(await probe("/service/ready"), [200, { status: "up" }]);
  service.state = "draining";
  assert.deepEqual(await probe("/service/ready"), [503, { status: "draining" }]);
  assert.deepEqual(await probe("/service/live"), [200, { status: "up" }]);
  for (const path of ["/", "/metrics/", "/service/health", "/constructor", "/v1/ping", "//metrics"])
    assert.equal((await fetch(url + path)).status, 404, path);
  await close();
  await assert.rejects(fetch(`${url}/metrics`));
});

test("a port that is taken, or is none, is reported in the log and costs nothing but the metrics", async () => {
  const { open, listen, lines } = setUp();
  const first = await listen();
  assert.equal(await open(first.port), undefined);
  assert.equal(await open(70_000), undefined);
  assert.deepEqual(pluck(lines.slice(1), "code"), ["EADDRINUSE", "ERR_SOCKET_BAD_PORT"]);
  assert.equal((await fetch(`${first.url}/metrics`)).status, 200);
  await first.close();
});

test("metrics that cannot be read are answered 500, logged, and read again the next time", async () => {
  const { listen, lines, registry } = setUp();
  let fails = true;
  const collect = () => {
    if (fails) throw new Error("unreadable");
  };
  new Counter({ name: "a_total", help: "A.", registers: [registry], collect });
  const { url, close } = await listen();
  assert.equal((await fetch(`${url}/metrics`)).status, 500);
  assert.equal(lines.at(-1)?.msg, "the metrics could not be read");
  fails = false;
  assert.equal((await fetch(`${url}/metrics`)).status, 200);
  await close();
});
