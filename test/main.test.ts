import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "./faults/gate.ts";
import { freePort } from "./free-port.ts";
import { type RunningService, serviceEntry, startQuickService, testKey } from "./service.ts";
import { endWithThisProcess } from "./support/children.ts";
import { newFolder } from "./support/folders.ts";
import { notLinux } from "./support/process-figures.ts";
import { root } from "./support/repository.ts";

const curlMissing = spawnSync("curl", ["--version"]).status === 0 ? false : "curl is not installed";

test("the first start without a key makes one, shows it once in a curl line that works, and keeps its digest only", async (t) => {
  const stateDir = join(newFolder(), "state");
  const first = await startQuickService({ API_KEYS: "", STATE_DIR: stateDir });
  await until(() => first.output().includes('"bic":"COBADEFFXXX"'));
  const [line = "", ...others] = first.output().match(/.*curl.*/g) ?? [];
  assert.deepEqual(others, []);
  const [, key, url] = /^ {2}curl -H "Authorization: Bearer ([\w-]{43})" (http:\S+)$/.exec(line) ?? [];
  assert.ok(key !== undefined && url !== undefined, line);
  assert.equal((await fetch(url, { headers: { Authorization: `Bearer ${key}` } })).status, 200);
  await t.test("the curl line as printed", { skip: curlMissing }, () => {
    const { stdout } = spawnSync("sh", ["-c", line], { encoding: "utf8" });
    assert.equal((JSON.parse(stdout) as { status: number }).status, 1);
  });
  assert.equal(await first.stop(), 0);

  assert.deepEqual(readdirSync(stateDir).sort(), ["keys.json", "usage"]);
  const stored = readFileSync(join(stateDir, "keys.json"), "utf8");
  assert.ok(!stored.includes(key));
  assert.ok(stored.includes(createHash("sha256").update(key).digest("hex")));
  assert.ok(!first.log().includes(key));
  assert.equal(statSync(stateDir).mode & 0o777, 0o700);
  assert.equal(statSync(join(stateDir, "keys.json")).mode & 0o777, 0o600);

  const second = await startQuickService({ API_KEYS: "", STATE_DIR: stateDir });
  assert.equal((await fetch(`${second.url}/v1/ping`, { headers: { "X-API-Key": key } })).status, 200);
  assert.equal(await second.stop(), 0);
  assert.equal(second.output(), "");
  assert.equal(readFileSync(join(stateDir, "keys.json"), "utf8"), stored);

  // Keys of the environment are added to it and not stored; nothing is shown, and LOG_LEVEL keeps the log empty.
  const third = await startQuickService({
    API_KEYS: `ci:${testKey},b.c-d_e:other-key-0123456789`,
    STATE_DIR: stateDir,
    LOG_LEVEL: "error",
    LOG_SAMPLE: "1",
    PORT: String(await freePort()),
  });
  for (const known of [key, testKey, "other-key-0123456789"])
    assert.equal((await fetch(`${third.url}/v1/ping`, { headers: { "X-API-Key": known } })).status, 200);
  assert.equal(await third.stop(), 0);
  assert.equal(third.output() + third.log(), "");
  assert.equal(readFileSync(join(stateDir, "keys.json"), "utf8"), stored);
});

test("a first start on a port that the service itself cannot call still succeeds", async () => {
  let service: RunningService | undefined;
  // Fetch refuses to call any of these ports; the first one that is free is taken.
  for (const port of [10_080, 6_000, 6_566, 6_665, 6_666, 6_667, 6_668, 6_669, 6_697]) {
    const settings = { API_KEYS: "", PORT: String(port) };
    service ??= await startQuickService(settings).catch((error: Error) => {
      assert.match(error.message, /cannot listen on port/);
      return undefined;
    });
  }
  assert.ok(service !== undefined, "all of them are in use");
  await until(() => service.output().includes("curl"));
  assert.equal(await service.stop(), 0);
  assert.ok(!service.output().includes("It answers"));
});

/** Runs the service without any key, and with a standard output of the test's choice, until `done`; returns its log. */
async function startWithOutput(
  stdout: "ignore" | "pipe" | number,
  stateDir: string,
  done: (log: string) => boolean,
  [command, ...args]: readonly [string, ...string[]] = [process.execPath, serviceEntry],
): Promise<string> {
  const { PATH = "" } = process.env;
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH, PORT: "0", STATE_DIR: stateDir, POOL_SIZE: "1" },
    stdio: ["ignore", stdout, "pipe"],
  });
  endWithThisProcess(child);
  child.stdout?.destroy();
  let log = "";
  child.stderr!.on("data", (chunk: Buffer) => {
    log += chunk;
  });
  await until(() => done(log));
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const end = await exited;
  child.stderr!.destroy();
  assert.deepEqual(end, [0, null]);
  return log;
}

test("a first key that cannot be shown is not stored: standard output closed, the null device, or full", async () => {
  const stateDir = newFolder();
  const full = openSync("/dev/full", "w");
  for (const stdout of ["ignore", "pipe", full] as const) {
    const log = await startWithOutput(stdout, stateDir, (lines) => lines.includes("could not be shown"));
    assert.match(log, /"listening"/, "the service runs all the same");
    assert.ok(!readdirSync(stateDir).some((name) => name.startsWith("keys.json")));
  }
  closeSync(full);
});

test("a signal to the shell of npm start ends the service: none is left behind with port and store", async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<"start", string>>;
  };
  const built = scripts.start.replace(/^.* run --silent build/, "true");
  const isUp = (log: string) => log.includes('"listening"');
  await startWithOutput("ignore", newFolder(), isUp, ["sh", "-c", built]);
});

test("systemd hears when the service answers, that it lives, and when it stops", {
  skip: notLinux,
}, async () => {
  const folder = newFolder();
  const heard = join(folder, "heard");
  // The tool itself is tried by hand: in place of it one that notes what it would send.
  writeFileSync(join(folder, "systemd-notify"), `#!/bin/sh\necho "$1" >> "${heard}"\n`, { mode: 0o755 });
  const service = await startQuickService({
    PATH: `${folder}:${process.env["PATH"]}`,
    NOTIFY_SOCKET: join(folder, "socket"),
    WATCHDOG_USEC: "300000",
  });
  const lines = () => (existsSync(heard) ? readFileSync(heard, "utf8").trim().split("\n") : []);
  const lives = () => lines().filter((line) => line === "WATCHDOG=1").length;
  await until(() => lines().includes("READY=1") && lives() > 2);
  service.child.kill("SIGSTOP");
  // One that is frozen is not heard of, once what it has said before is passed on.
  await until(async () => {
    const before = lives();
    await delay(500);
    return lives() === before;
  });
  service.child.kill("SIGCONT");
  assert.equal(await service.stop(), 0);
  await until(() => lines().includes("STOPPING=1"));
});
