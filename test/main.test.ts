import assert from "node:assert/strict";
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { settingsTable, variableOf } from "../src/settings.ts";
import { until } from "./faults/gate.ts";
import { startQuickService, testKey } from "./service.ts";
import { endWithThisProcess } from "./support/children.ts";

const entry = fileURLToPath(new URL("../.dist/src/main.js", import.meta.url));
const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bankcheck-test-"));
  folders.push(folder);
  return folder;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the compiled service with flags and environment variables until it ends. */
async function run(
  flags: readonly string[],
  environment: Record<string, string> = {},
  identity: { readonly uid?: number; readonly gid?: number } = {},
): Promise<Ended> {
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    STATE_DIR: newFolder(),
    PORT: "0",
    API_KEYS: `test:${testKey}`,
    POOL_SIZE: "1",
    ...environment,
  };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [entry, ...flags], {
      env,
      timeout: 120_000,
      ...identity,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as Ended;
  }
}

const curlMissing = spawnSync("curl", ["--version"]).status === 0 ? false : "curl is not installed";

test("the first start without a key makes one, shows it once in a curl line that works, and keeps its digest only", async (t) => {
  const stateDir = join(newFolder(), "state");
  const first = await startQuickService({ API_KEYS: "", STATE_DIR: stateDir });
  await until(() => first.output().includes('"bic":"COBADEFFXXX"'));
  const lines = first
    .output()
    .split("\n")
    .filter((line) => line.includes("curl"));
  assert.equal(lines.length, 1);
  const [, key, url] = /^ {2}curl -H "Authorization: Bearer ([\w-]{43})" (http:\S+)$/.exec(lines[0]!) ?? [];
  assert.ok(key !== undefined && url !== undefined, lines[0]);
  assert.equal((await fetch(url, { headers: { Authorization: `Bearer ${key}` } })).status, 200);
  await t.test("the curl line as printed", { skip: curlMissing }, () => {
    const answer = execFileSync("sh", ["-c", lines[0]!], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    assert.equal((JSON.parse(answer) as { status: number }).status, 1);
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
  try {
    assert.equal((await fetch(`${second.url}/v1/ping`, { headers: { "X-API-Key": key } })).status, 200);
    assert.equal(second.output(), "");
    assert.equal(readFileSync(join(stateDir, "keys.json"), "utf8"), stored);
  } finally {
    assert.equal(await second.stop(), 0);
  }

  const third = await startQuickService({ API_KEYS: `ci:${testKey}`, STATE_DIR: stateDir });
  try {
    for (const known of [key, testKey]) {
      assert.equal((await fetch(`${third.url}/v1/ping`, { headers: { "X-API-Key": known } })).status, 200);
    }
  } finally {
    assert.equal(await third.stop(), 0);
  }
});

test("keys given by the environment are not stored, and nothing is shown", async () => {
  const stateDir = join(newFolder(), "state");
  const service = await startQuickService({
    API_KEYS: `a:${testKey},b.c-d_e:other-key-0123456789`,
    STATE_DIR: stateDir,
  });
  for (const key of [testKey, "other-key-0123456789"]) {
    assert.equal(
      (await fetch(`${service.url}/v1/ping`, { headers: { Authorization: `bearer ${key}` } })).status,
      200,
    );
  }
  assert.equal(await service.stop(), 0);
  assert.equal(service.output(), "");
  assert.ok(!existsSync(join(stateDir, "keys.json")));
});

/** A free one of the ports that fetch refuses to call. */
async function freeForbiddenPort(): Promise<number> {
  for (const port of [10_080, 6_000, 6_566, 6_665, 6_666, 6_667, 6_668, 6_669, 6_697]) {
    const holder = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      holder.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => holder.close(resolve));
    if (isFree) return port;
  }
  throw new Error("all ports that fetch refuses to call are in use");
}

test("a first start on a port that the service itself cannot call runs all the same", async () => {
  const port = await freeForbiddenPort();
  const service = await startQuickService({ API_KEYS: "", STATE_DIR: newFolder(), PORT: String(port) });
  await until(() => service.output().includes("curl"));
  assert.equal(await service.stop(), 0);
  assert.ok(!service.output().includes("It answers"));
});

const wrongSettings: readonly (readonly [
  flags: readonly string[],
  environment: Record<string, string>,
  says: RegExp,
])[] = [
  [[], { PORT: "65536" }, /^PORT must be an integer from 0 to 65535, but is "65536"\.$/],
  [["--pool-size", "0"], {}, /^POOL_SIZE must be an integer from 1 to 64 threads, but is "0"\.$/],
  [[], { ALLOW_FROM: "10.0.0.0/33" }, /^ALLOW_FROM holds "10\.0\.0\.0\/33"/],
  [["--nothing"], {}, /^Unknown option '--nothing'.*--help/],
  [["start"], {}, /start.*--help/],
];

for (const [flags, environment, says] of wrongSettings) {
  test(`a wrong setting (${[...flags, ...Object.entries(environment)].join(" ")}) ends the start with 2 and one sentence`, async () => {
    const { code, stdout, stderr } = await run(flags, environment);
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr.trimEnd(), says);
    assert.equal(stderr.trimEnd().split("\n").length, 1);
  });
}

test("what is a device or a pipe in place of a file never holds the start up, nor the end", {
  skip: process.platform === "linux" ? false : "needs Linux",
}, async () => {
  const tls = await run([], { TLS_CERT: "/dev/zero", TLS_KEY: "/dev/zero" });
  assert.match(tls.stderr, /^TLS_CERT and TLS_KEY cannot be used: \/dev\/zero is not a file\.\n$/);
  const folder = newFolder();
  mkdirSync(join(folder, "usage"));
  spawnSync("mkfifo", [join(folder, "usage/data.mdb")]);
  const service = await startQuickService({ STATE_DIR: folder });
  assert.equal((await service.request("/service/usage")).status, 503);
  assert.equal(await service.stop(), 0);
});

test("a secret is never repeated, however wrong the setting is", async () => {
  const secret = "sesame-open";
  const wrong: readonly (readonly [readonly string[], Record<string, string>])[] = [
    [[], { API_KEYS: `name:${secret}` }],
    [[`--api-keys=${secret}`], {}],
    [[`--api-key=${secret}`], {}],
  ];
  for (const [flags, environment] of wrong) {
    const { code, stdout, stderr } = await run(flags, environment);
    assert.equal(code, 2, flags.join(" "));
    assert.ok(!(stdout + stderr).includes(secret), stderr);
  }
});

test("--help lists every setting with its flag, bounds and default, and does nothing else", async () => {
  const { code, stdout, stderr } = await run(["--help"]);
  assert.equal(code, 0);
  assert.equal(stderr, "");
  for (const [name, { sentence }] of Object.entries(settingsTable)) {
    const variable = variableOf(name);
    assert.ok(stdout.includes(`--${variable.toLowerCase().replaceAll("_", "-")}  (${variable})`), name);
    assert.ok(stdout.includes(sentence), name);
  }
  assert.match(stdout, /an integer from 1 to 64 threads\. Default: number of processor cores ÷ PROCESSES\./);
});

test("a port that is in use ends the start with 1 and a sentence", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => holder.once("listening", resolve));
  const { port } = holder.address() as { port: number };
  const byOther = await run([], { PORT: String(port) });
  holder.close();
  const service = await startQuickService({ POOL_SIZE: "1" });
  const byItself = await run([], { PORT: String(service.port) });
  assert.equal(await service.stop(), 0);
  for (const { code, stdout, stderr } of [byOther, byItself]) {
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(stderr, /The port \d+ of 127\.0\.0\.1 cannot be listened on; it may be in use\./);
  }
});

test("a key file that is damaged ends the start with 1 and names the file", async () => {
  const withFolder = newFolder();
  mkdirSync(join(withFolder, "keys.json"));
  const withDevice = newFolder();
  symlinkSync("/dev/zero", join(withDevice, "keys.json"));
  for (const stateDir of [withFolder, withDevice]) {
    const { stderr } = await run([], { STATE_DIR: stateDir });
    assert.match(stderr, /^STATE_DIR is .*, where keys.json is not a file; remove it and try again\.\n$/);
  }
  const withLockFolder = newFolder();
  mkdirSync(join(withLockFolder, "keys.lock"));
  const locked = await run([], { STATE_DIR: withLockFolder, API_KEYS: "" });
  assert.match(locked.stderr, /^STATE_DIR is .*, where keys.lock is not a file; remove it and try again\.$/m);
  for (const content of ["", "{", "{}", "[1]", '[{"name":"a","sha256":"no","created":"x"}]']) {
    const stateDir = newFolder();
    writeFileSync(join(stateDir, "keys.json"), content);
    const { code, stderr } = await run([], { STATE_DIR: stateDir });
    assert.equal(code, 1, content);
    assert.ok(stderr.includes("keys.json"), stderr);
  }
});

/** Runs the service without any key, and with a standard output of the test's choice, until `done`; returns its log. */
async function startWithOutput(
  stdout: "ignore" | "pipe" | number,
  stateDir: string,
  done: (log: string) => boolean,
): Promise<string> {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [entry], {
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
  const exited = once(child, "close");
  child.kill("SIGTERM");
  assert.deepEqual(await exited, [0, null]);
  return log;
}

test("a first key that cannot be shown is not stored: standard output closed, the null device, or full", async () => {
  const stateDir = newFolder();
  const full = openSync("/dev/full", "w");
  for (const stdout of ["ignore", "pipe", full] as const) {
    const log = await startWithOutput(stdout, stateDir, (lines) => lines.includes("could not be shown"));
    assert.match(log, /"listening"/, "the service runs all the same");
    assert.ok(!existsSync(join(stateDir, "keys.json")));
    assert.ok(!readdirSync(stateDir).some((name) => name.startsWith("keys.json")));
  }
  closeSync(full);
});

test("systemd hears when the service answers, that it lives, and when it stops", {
  skip: process.platform === "linux" ? false : "needs Linux",
}, async () => {
  const folder = newFolder();
  const heard = join(folder, "heard");
  // The tool itself is tried by hand: in place of it one that notes what it would send.
  writeFileSync(join(folder, "systemd-notify"), `#!/bin/sh\necho "$1" >> ${heard}\n`, { mode: 0o755 });
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

/** The identity of a service that must not write everywhere, as root may. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

test("a STATE_DIR or HOST that cannot be used ends the start with one sentence, not a stack", async () => {
  const folder = newFolder();
  chmodSync(folder, 0o755);
  const file = join(folder, "file");
  writeFileSync(file, "");
  const readOnly = newFolder();
  chmodSync(readOnly, 0o555);
  const cases: readonly (readonly [Record<string, string>, RegExp])[] = [
    [{ STATE_DIR: file }, /^STATE_DIR is .*file, which is not a folder; set STATE_DIR to a folder/],
    [{ STATE_DIR: join(file, "below"), API_KEYS: "" }, /^STATE_DIR is .*below, which is not a folder/],
    [{ STATE_DIR: "/proc/state" }, /^STATE_DIR is \/proc\/state, where no folder can be made; set STATE_DIR/],
    [
      { STATE_DIR: "/proc", PROCESSES: "2" },
      /^STATE_DIR is \/proc, where no folder can be made; set STATE_DIR/,
    ],
    [{ STATE_DIR: readOnly, API_KEYS: "" }, /^STATE_DIR is .*, where this user may not read or write/],
    [
      { STATE_DIR: join(file, "../", "x".repeat(300)) },
      /^STATE_DIR is .*, which cannot be used \(ENAMETOOLONG\); set/,
    ],
    [{ HOST: "x".repeat(300) }, /^HOST is x+, which cannot be the name of a machine; set/],
    [
      { HOST: "no-such-host.invalid" },
      /^HOST is no-such-host\.invalid, (which is not the name|a name that cannot be)/,
    ],
    [{ HOST: "192.0.2.1" }, /^HOST is 192\.0\.2\.1, which is not an address of this machine/],
    [{ HOST: "192.0.2.1", PROCESSES: "2" }, /^HOST is 192\.0\.2\.1, which is not an address of this machine/],
    [{ HOST: "no-such-host.invalid", PROCESSES: "2" }, /^HOST is no-such-host\.invalid/],
  ];
  for (const [environment, sentence] of cases) {
    const { code, stderr } = await run(
      [],
      environment,
      environment["STATE_DIR"] === readOnly ? unprivileged : {},
    );
    assert.equal(code, 1, stderr);
    const lines = stderr
      .trimEnd()
      .split("\n")
      .filter((line) => !line.startsWith("{"));
    assert.equal(lines.length, 1, stderr);
    assert.match(lines[0]!, sentence);
    assert.ok(!stderr.includes('"stack"'), stderr);
  }
});

test("a start for which the system has no room ends with 1 and one sentence, not a stack", {
  skip: process.platform === "linux" ? false : "needs Linux",
}, async () => {
  const gone = newFolder();
  const cases: readonly (readonly [string, RegExp])[] = [
    ["ulimit -v 3000000", /^There is not enough address space for the memory that the workers share.*\n$/],
    // With fewer, newer Node.js versions do not come as far as the service.
    ["ulimit -n 23", /^(The service cannot be loaded: EMFILE|Too few files may be open).*\n$/],
    [`cd ${gone}; rmdir ${gone}`, /^The working directory does not exist any more.*\n$/],
  ];
  for (const [before, sentence] of cases) {
    const { PATH = "" } = process.env;
    const command = [`${before}; exec "$0" "$1"`, process.execPath, entry];
    const child = spawnSync("sh", ["-c", ...command], {
      env: { PATH, STATE_DIR: newFolder(), PORT: "0", API_KEYS: `test:${testKey}`, POOL_SIZE: "1" },
      encoding: "utf8",
      timeout: 120_000,
    });
    assert.equal(child.status, 1, child.stderr);
    assert.match(child.stderr, sentence);
  }
});

test("one key under two names ends the start with 2 and one sentence that does not repeat it", async () => {
  const { code, stderr } = await run([], { API_KEYS: `a:${testKey},b:${testKey}` });
  assert.equal(code, 2);
  assert.match(stderr, /^The names a and b have the same API key; .*\n$/);
  assert.ok(!stderr.includes(testKey));
});

test("flags win over the environment", async () => {
  const { code, stderr } = await run(["--pool-size", "99"], { POOL_SIZE: "1" });
  assert.equal(code, 2);
  assert.match(stderr, /"99"/);
});
