import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, type TestContext, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { pino } from "pino";
import type { HistoryAnswer, ProcessesAnswer } from "../src/client/index.ts";
import { openSupervisor, ProcessFailed } from "../src/service/supervisor.ts";
import { readSettings } from "../src/settings.ts";
import { until } from "./faults/gate.ts";
import { readUsage } from "./http/calls.ts";
import { type RunningService, startQuickService, testKey } from "./service.ts";
import { newFolder } from "./support/folders.ts";
import { pluck } from "./support/pluck.ts";
import { childrenOf, isAlive } from "./support/process-figures.ts";

const path = "/v1/iban/DE89370400440532013000";
/** On a separate connection, which the system assigns to any of the processes. */
const keyed = { "X-API-Key": testKey, Connection: "close" };
let service: RunningService;
before(async () => {
  service = await startQuickService({ PROCESSES: "2", POOL_QUEUE: "64" });
});

/** Process ids in the order their start was logged. */
function pids(): number[] {
  return [...service.log().matchAll(/"pid":(\d+),"msg":"process started"/g)].map(([, pid]) => Number(pid));
}

/** Checks on a separate connection, and again when the process behind it dies. */
async function check(): Promise<number> {
  for (;;) {
    try {
      const answer = await service.request(path, { headers: keyed });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      // The connection went down with its process.
    }
  }
}

test("several processes answer on one port, say so once, and count together", async () => {
  assert.equal(pids().length, 2);
  assert.match(service.log(), /"processes":2,.*"msg":"listening"/);
  assert.equal(service.log().match(/"msg":"listening"/g)?.length, 1);
  const answers = await Promise.all(Array.from({ length: 40 }, check));
  assert.deepEqual(new Set(answers), new Set([200]));
  await until(async () => (await readUsage(service.port)).key.total === answers.length);
});

test("each process reports the work of all, and names one that hangs", async () => {
  const read = async () => {
    const answer = await service.request("/service/metrics/processes", { headers: keyed });
    // A key may ask for a few at a time, and some still wait for the process that hung.
    assert.equal(answer.status, 200);
    return (await answer.json()) as ProcessesAnswer;
  };
  // A process that has no processor for half a second is missing.
  const readAll = async () => {
    let answer: Awaited<ReturnType<typeof read>> | undefined;
    await until(async () => {
      answer = await read().catch(() => undefined);
      return answer?.processes.length === 2;
    });
    return answer!;
  };
  const before = await readAll();
  assert.deepEqual(before.processes.map(({ metrics }) => metrics.process.id).sort(), pids().sort());
  for (let round = 0; round < 10; round++) await check();
  const sum = ({ processes }: typeof before) =>
    processes.reduce((all, { metrics }) => all + metrics.requests.checks, 0);
  assert.equal(sum(await readAll()) - sum(before), 10, "both count together");
  // On a busy machine the one that hangs may be replaced before the other has answered, or the other be missing too.
  await until(async () => {
    const { metrics } = (await readAll()).processes.find(({ number }) => number === 1)!;
    process.kill(metrics.process.id, "SIGSTOP");
    try {
      // The system may assign a connection to the one that hangs.
      const answer = await Promise.any(Array.from({ length: 16 }, read)).catch(() => undefined);
      return isDeepStrictEqual(answer?.missing, [1]);
    } finally {
      if (isAlive(metrics.process.id)) process.kill(metrics.process.id, "SIGCONT");
    }
  });
});

test("a process that is killed is replaced while the other continues answering", async () => {
  const before = pids();
  process.kill(before.find(isAlive)!, "SIGKILL");
  const answers = await Promise.all(Array.from({ length: 40 }, check));
  assert.deepEqual(new Set(answers), new Set([200]));
  await until(() => pids().length > before.length);
  assert.match(service.log(), /"signal":"SIGKILL".*"process ended; it is replaced"/);
  assert.equal(await check(), 200);
});

test("a process that is frozen is noticed, killed and replaced within five seconds", async () => {
  // A busy machine may hold up the supervisor, which is tried again then.
  await until(async () => {
    const before = pids();
    const frozen = before.at(-1)!;
    const began = performance.now();
    process.kill(frozen, "SIGSTOP");
    await until(() => !isAlive(frozen));
    const took = performance.now() - began;
    await until(() =>
      service.log().includes(`"pid":${frozen},"msg":"process does not answer; it is killed"`),
    );
    await until(() => pids().length > before.length);
    return took < 5_000;
  });
  assert.equal(await check(), 200);
});

test("the supervisor keeps the last hour of every process, also of one that was replaced", async () => {
  let history: HistoryAnswer["processes"] = [];
  const isFirst = ({ is_first }: { is_first: boolean }) => is_first;
  await until(async () => {
    const answer = await service.request("/service/metrics/history", { headers: keyed });
    history = ((await answer.json()) as HistoryAnswer).processes;
    return history.length === 2 && history.every(({ periods }) => periods.some(isFirst));
  });
  assert.deepEqual(pluck(history, "number"), [0, 1]);
});

test("SIGTERM stops all of them, and the exit code is 0", async () => {
  const started = pids().filter(isAlive);
  assert.equal(started.length, 2);
  assert.equal(await service.stop(), 0);
  assert.deepEqual(started.map(isAlive), [false, false]);
});

test("without any key, one first key is made for all of them, which stop when their supervisor is killed", async () => {
  const own = await startQuickService({ PROCESSES: "2", API_KEYS: "" });
  await until(() => own.output().includes("It answers"));
  const [, key = ""] = /Bearer (\S+)"/.exec(own.output()) ?? [];
  for (let round = 0; round < 10; round++) {
    const { status } = await fetch(own.url + path, { headers: { "X-API-Key": key, Connection: "close" } });
    assert.equal(status, 200);
  }
  const started = childrenOf(own.child.pid!);
  assert.equal(started.length, 2);
  own.child.kill("SIGKILL");
  await until(() => !started.some(isAlive));
});

/** Starts two processes, which must end before they listen; `act` is called with their supervisor. */
const failedStart = (act: (supervisor: ChildProcess) => void, end: RegExp) =>
  assert.rejects(startQuickService({ PROCESSES: "2" }, { spawned: act }), end);

test("SIGTERM while the others still start waits for the first, which answers already", async () => {
  let children: readonly number[] = [];
  let left: readonly number[] | undefined;
  await failedStart((child) => {
    let log = "";
    child.stderr!.on("data", (chunk: Buffer) => {
      log += chunk;
      if (children.length > 0 || !log.includes("process started")) return;
      children = childrenOf(child.pid!);
      child.kill("SIGTERM");
    });
    child.once("exit", () => {
      left = children.filter(isAlive);
    });
  }, /ended with 0 /);
  assert.notEqual(children.length, 0);
  assert.deepEqual(left, []);
});

test("a start that a killed process ends says so", () =>
  failedStart(({ pid }) => {
    void until(() => {
      const started = childrenOf(pid!);
      for (const child of started) process.kill(child, "SIGKILL");
      return started.length > 0;
    });
  }, /ended with 1 .*"signal":"SIGKILL","msg":"process was killed before it answered"/s));

/** Opens a supervisor of two processes that run a program of the test's own; what it logs is in `lines`. */
function superviseProgram(context: TestContext, program: string) {
  const [, entry = ""] = process.argv;
  context.after(() => {
    process.argv[1] = entry;
  });
  process.argv[1] = join(newFolder(), "program.js");
  writeFileSync(process.argv[1], `process.on("disconnect", () => process.exit());${program}`);
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const supervisor = openSupervisor(readSettings([], { PORT: "0", PROCESSES: "2" }), [], log);
  return { supervisor, lines };
}

test("a process that is frozen before it answers is killed in the end", async (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  // It reads nothing that it is sent.
  const { supervisor, lines } = superviseProgram(context, "");
  let failure: unknown;
  supervisor.start().catch((error: unknown) => {
    failure = error;
  });
  await until(() => {
    context.mock.timers.tick(60_000);
    return failure !== undefined;
  });
  assert.ok(failure instanceof ProcessFailed);
  assert.match(lines.join(""), /process does not answer; it is killed/);
});

test("a process that the system cannot start is tried again while the other continues", async (context) => {
  const { execPath } = process;
  const { supervisor, lines } = superviseProgram(
    context,
    `process.on("message", ({ call, name }) => {
      if (name === "stop") process.exit();
      process.send({ answered: call });
    });
    process.send({ call: 1, name: "ready", given: [] });`,
  );
  const started = () => lines.filter((line) => line.includes("process started")).length;
  await supervisor.start();
  try {
    const [first] = lines.flatMap((line) => /"pid":(\d+),"msg":"process started"/.exec(line)?.[1] ?? []);
    process.execPath = "/nowhere/node";
    process.kill(Number(first), "SIGKILL");
    await until(() => /ENOENT.*cannot be started; it is tried again/.test(lines.join("")));
    process.execPath = execPath;
    await until(() => started() === 3);
  } finally {
    process.execPath = execPath;
    await supervisor.stop();
  }
});
