import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { freePort } from "../free-port.ts";
import { RawConnection, requestBytes } from "../http/raw-socket.ts";
import { scrape, valueIn } from "../metrics/exposition.ts";
import { IdlePipe } from "../pipe.ts";
import { startQuickService, testKey } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { limitFiles, notLinux, prlimitMissing } from "../support/process-figures.ts";
import { until } from "./gate.ts";

/** Makes long lines, which fill a log soon. */
const longId = "a".repeat(64);

/** Starts the service with a file descriptor as its standard error, and every request in its log; the log must not hold up its end. */
async function startLoggingTo(t: TestContext, stderr: number, settings: Record<string, string> = {}) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), ADMIN_PORT: String(adminPort) };
  const all = { ...ports, LOG_SAMPLE: "1", STOP_TIMEOUT: "60000", ...settings };
  const service = await startQuickService(all, { stderr });
  t.after(async () => {
    const started = performance.now();
    assert.equal(await service.stop(), 0);
    assert.ok(performance.now() - started < 30_000);
  });
  return {
    ...service,
    /** Checks one IBAN, which leaves a line in the log, and returns the status; rejects when no answer comes in time. */
    check: async () => {
      const headers = { "X-API-Key": testKey, "X-Request-Id": longId };
      const signal = AbortSignal.timeout(30_000);
      const answer = await service.request("/v1/iban/DE89370400440532013000", { headers, signal });
      await answer.arrayBuffer();
      return answer.status;
    },
    dropped: async () => valueIn((await scrape(adminPort)).series, "bankcheck_log_dropped_lines_total")!,
  };
}

type LoggingService = Awaited<ReturnType<typeof startLoggingTo>>;

/** Has the main log write lines too: the bank data is reloaded, and logged. */
async function checkThroughReloads(service: LoggingService, checks: number): Promise<void> {
  for (let count = 0; count < checks; count++) {
    if (count % 50 === 0) service.child.kill("SIGHUP");
    assert.equal(await service.check(), 200);
  }
}

test("a service whose log is not read answers, counts the lines that it drops, and stops on SIGTERM", {
  skip: notLinux,
}, async (t) => {
  const pipe = new IdlePipe(join(newFolder(), "log"));
  const service = await startLoggingTo(t, pipe.writer);
  t.after(() => pipe.close());
  const pings = requestBytes("GET", "/v1/ping", { headers: [`X-Request-Id: ${longId}`] });
  const connection = await RawConnection.open(service.port);
  while ((await service.dropped()) < 100) {
    service.child.kill("SIGHUP");
    await connection.send(Buffer.concat(Array(1_000).fill(pings)));
    for (let answer = 0; answer < 1_000; answer++) assert.equal((await connection.answer()).status, 200);
  }
  connection.destroy();
});

test("a log whose disk is full from the start holds up no process of the service", {
  skip: notLinux,
}, async (t) => {
  const full = openSync("/dev/full", "w");
  const service = await startLoggingTo(t, full, { PROCESSES: "2" });
  closeSync(full);
  await checkThroughReloads(service, 100);
});

test("a log whose reader has gone holds up nothing", { skip: notLinux }, async (t) => {
  const pipe = new IdlePipe(join(newFolder(), "log"));
  const service = await startLoggingTo(t, pipe.writer);
  pipe.close();
  await checkThroughReloads(service, 100);
});

test("a log on a disk that fills up holds up nothing, and continues when there is room", {
  skip: prlimitMissing,
}, async (t) => {
  const path = join(newFolder(), "log");
  const file = openSync(path, "a");
  const service = await startLoggingTo(t, file);
  closeSync(file);
  limitFiles(service.child.pid!, 4_096);
  await checkThroughReloads(service, 300);
  assert.ok(readFileSync(path).length <= 4_096);
  limitFiles(service.child.pid!, "unlimited");
  await until(() => readFileSync(path, "utf8").split("\n").length > 300);
  for (const line of readFileSync(path, "utf8").trimEnd().split("\n")) JSON.parse(line);
});
