import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { ping, postBytes, RawConnection, requestBytes } from "../http/raw-socket.ts";
import { quickServiceOf, type RunningService, startQuickService } from "../service.ts";
import { isAlive, notLinux, readProc } from "../support/process-figures.ts";
import { until } from "./gate.ts";

const iban = "DE89370400440532013000";
const batch = JSON.stringify({ ibans: Array(500).fill(iban) });

/** Sends a signal and returns the exit code, and how long the process took to end. */
async function end({ child }: RunningService, signal: NodeJS.Signals) {
  const started = performance.now();
  child.kill(signal);
  const [code] = (await once(child, "exit")) as [number];
  return { code, took: performance.now() - started };
}

const upload = postBytes("/v1/iban", batch, ["Expect: 100-continue"]);

/** Opens a connection on which a service has read the head of an upload, and waits for what follows its first bytes. */
async function beginUpload(service: RunningService): Promise<RawConnection> {
  const connection = await RawConnection.open(service.port);
  await connection.send(upload.subarray(0, 1_000));
  assert.equal((await connection.answer(true)).status, 100);
  return connection;
}

/** Whether neither a process nor its port is there any more. */
async function isGone({ child, port }: RunningService): Promise<boolean> {
  return !isAlive(child.pid!) && (await RawConnection.open(port).catch(() => undefined)) === undefined;
}

/** What a connection that is open already is answered while the service stops: once more, and then it is ended. */
const lastAnswers = {
  "/v1/ping": '200 {"status":1,"message":"Pong"}',
  "/service/live": '200 {"status":"up"}',
  "/service/ready": '503 {"status":"draining"}',
  "/service/health": '200 {"status":"draining"}',
} as const;

test("SIGTERM: requests on their way are answered, no new ones are accepted, probes say that it drains, and the process ends with 0", async () => {
  const service = await startQuickService();
  const uploading = await beginUpload(service);
  const open = await Promise.all(Object.keys(lastAnswers).map(() => RawConnection.open(service.port)));
  for (const idle of open) await idle.ask(ping);
  const exited = end(service, "SIGTERM");
  await until(() => service.log().includes('"stopping"'));
  await assert.rejects(RawConnection.open(service.port), "a new connection is refused");
  for (const [index, [path, expected]] of Object.entries(lastAnswers).entries()) {
    const headers = path.startsWith("/service/") ? ["X-API-Key:"] : [];
    const last = await open[index]!.ask(requestBytes("GET", path, { headers }));
    assert.equal(`${last.status} ${last.body}`, expected);
    assert.equal(last.headers.get("connection"), "close");
    await open[index]!.closed;
  }
  const answer = await uploading.ask(upload.subarray(1_000));
  assert.deepEqual([answer.status, answer.headers.get("connection")], [200, "close"]);
  assert.equal((JSON.parse(answer.body.toString()) as { batch: { total: number } }).batch.total, 500);
  await uploading.closed;
  assert.equal((await exited).code, 0);
  assert.ok(await isGone(service));
});

test("SIGQUIT under load: every answer that begins is whole, idle connections end, and the process ends with 0 before it must", async () => {
  const service = await startQuickService({ STOP_TIMEOUT: "60000" });
  let answered = 0;
  const clients = Array.from({ length: 12 }, async (_, client) => {
    const connection = await RawConnection.open(service.port);
    const request = client % 2 === 0 ? postBytes("/v1/iban", batch) : requestBytes("GET", `/v1/iban/${iban}`);
    for (;;) {
      const answer = await connection.ask(request).catch(() => undefined);
      if (answer === undefined) break;
      assert.equal(answer.status, 200);
      JSON.parse(answer.body.toString());
      answered++;
    }
    assert.equal(connection.unread, "", "no answer was cut in two");
  });
  const idle = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(service.port)));
  await until(() => answered > 200);
  const { code, took } = await end(service, "SIGQUIT");
  assert.equal(code, 0);
  assert.ok(took < 30_000, `${took} ms`);
  await Promise.all([...clients, ...idle.map(({ closed }) => closed)]);
  assert.ok(await isGone(service));
});

test("SIGALRM: a client that never ends its request is cut after the stop timeout", async () => {
  const service = await startQuickService({ STOP_TIMEOUT: "300", BODY_TIMEOUT: "9000" });
  const connection = await beginUpload(service);
  const { code, took } = await end(service, "SIGALRM");
  assert.equal(code, 0);
  assert.ok(took >= 300, `${took} ms`);
  await connection.closed;
  assert.equal(connection.unread, "", "it does not wait for the body timeout, which has an answer");
});

for (const [processes, second] of [
  ["1", "SIGINT"],
  ["2", "SIGTERM"],
] as const) {
  test(`with ${processes} process(es) a second signal, ${second}, ends what still runs at once`, async () => {
    const settings = { PROCESSES: processes, STOP_TIMEOUT: "60000", BODY_TIMEOUT: "9000" };
    const service = await startQuickService(settings);
    const uploading = await beginUpload(service);
    service.child.kill("SIGTERM");
    await until(() => service.log().includes('"stopping"'));
    // The same signal once more, as a process group gets it.
    service.child.kill("SIGTERM");
    await delay(1_100);
    assert.equal(service.child.exitCode, null);
    assert.equal((await end(service, second)).code, 1);
    await uploading.closed;
    assert.equal(uploading.unread, "", "it does not wait for the body timeout, which has an answer");
    // The last of several processes is gone a moment after the first.
    await until(() => isGone(service));
  });
}

/** Whether a process handles a signal itself. */
function catches(pid: number, signal: number): boolean {
  const caught = /SigCgt:\s+([0-9a-f]+)/.exec(readProc(`${pid}/status`))?.[1] ?? "0";
  return ((BigInt(`0x${caught}`) >> BigInt(signal - 1)) & 1n) === 1n;
}

/** Sends a starting process a signal as soon as it handles SIGHUP itself: once, or again and again for some time. */
const signalling = (signal: NodeJS.Signals, forMs = 0) => ({
  spawned: (child: ChildProcess) => {
    let isUp = false;
    const poll = setInterval(() => {
      isUp ||= catches(child.pid!, 1);
      if (!isUp) return;
      child.kill(signal);
      if (forMs === 0) clearInterval(poll);
    }, 5);
    child.once("exit", () => clearInterval(poll));
    if (forMs > 0) setTimeout(() => clearInterval(poll), forMs).unref();
  },
});

for (const processes of ["1", "2"]) {
  test(`with ${processes} process(es) SIGHUP from the very beginning on does not end the start`, {
    skip: notLinux,
  }, async (t) => {
    const service = await quickServiceOf(t, { PROCESSES: processes }, signalling("SIGHUP", 8_000));
    for (const signal of ["SIGUSR1", "SIGUSR2"] as const) service.child.kill(signal);
    assert.equal((await service.request("/v1/ping")).status, 200);
    assert.doesNotMatch(service.log(), /process ended|Debugger/);
  });
}

test("SIGTERM during the start ends it with 0", { skip: notLinux }, async () => {
  // The signal may come too late where this process had no processor meanwhile.
  await until(async () => {
    const service = await startQuickService({}, signalling("SIGTERM")).catch((error: Error) => {
      assert.match(error.message, /ended with 0 before it listened/);
    });
    await service?.stop();
    return service === undefined;
  });
});

test("SIGTERM during the installation of the signal handlers stops the service", async () => {
  // The signal is on its way, and not yet delivered, when the listeners change hands.
  const signalled = `
    const { on } = process;
    let times = 0;
    process.on = function (name, listener) {
      if (name === "SIGHUP" && ++times === 2) process.kill(process.pid, "SIGTERM");
      return on.call(this, name, listener);
    };`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(signalled)}`;
  await assert.rejects(startQuickService({ NODE_OPTIONS }), /ended with 0 before it listened/);
});
