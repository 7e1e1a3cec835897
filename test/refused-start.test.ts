import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { readSettings, variableOf } from "../src/settings.ts";
import { settingsTable } from "../src/settings-table.ts";
import { quickServiceOf, serviceEntry, usualSettings, withoutOverride } from "./service.ts";
import { newFolder } from "./support/folders.ts";
import { listen } from "./support/listen.ts";
import { notLinux } from "./support/process-figures.ts";

/** Runs the compiled service with flags and environment variables until it ends. */
async function run(
  flags: readonly string[],
  environment: Record<string, string> = {},
  by: readonly string[] = [],
) {
  const { PATH = "" } = process.env;
  const env = { PATH, POOL_SIZE: "1", ...usualSettings(), ...environment };
  const [command = "", ...args] = [...by, process.execPath, serviceEntry, ...flags];
  const child = spawn(command, args, { env, timeout: 120_000 });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, "exit");
  return { code: child.exitCode!, stdout, stderr };
}

test("a wrong setting ends the start with 2 and one sentence", async () => {
  const stderr = 'PORT must be an integer from 0 to 65535, but is "65536".\n';
  assert.deepEqual(await run([], { PORT: "65536" }), { code: 2, stdout: "", stderr });
});

test("what is a device or a pipe in place of a file never holds the start up, nor the end", {
  skip: notLinux,
}, async (t) => {
  const tls = await run([], { TLS_CERT: "/dev/zero", TLS_KEY: "/dev/zero" });
  assert.match(tls.stderr, /^TLS_CERT and TLS_KEY cannot be used: \/dev\/zero is not a file\.\n$/);
  const folder = newFolder();
  mkdirSync(join(folder, "usage"));
  spawnSync("mkfifo", [join(folder, "usage/data.mdb")]);
  const service = await quickServiceOf(t, { STATE_DIR: folder });
  assert.equal((await service.request("/service/usage")).status, 503);
});

test("a secret is never repeated, however wrong the setting is", async () => {
  const secret = "sesame-open";
  const flags = [`--api-keys=${secret}`, `--api-key=${secret}`];
  for (const flag of flags)
    assert.throws(
      () => readSettings([flag]),
      (error) => !String(error).includes(secret),
    );
  const { code, stdout, stderr } = await run(flags, { API_KEYS: `name:${secret}` });
  assert.equal(code, 2);
  assert.ok(!(stdout + stderr).includes(secret), stderr);
});

test("--help lists every setting with its flag, bounds and default, and does nothing else", async () => {
  const { code, stdout, stderr } = await run(["--help"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const help = stdout.replaceAll(/\n +/g, " ");
  for (const [name, { sentence }] of Object.entries(settingsTable)) {
    const variable = variableOf(name);
    assert.ok(stdout.includes(`--${variable.toLowerCase().replaceAll("_", "-")}  (${variable})`), name);
    assert.ok(help.includes(sentence), name);
  }
  assert.match(help, /an integer from 1 to 64 threads\. Default: number of processor cores ÷ PROCESSES\./);
});

test("a port that is in use ends the start with 1 and a sentence; it is not shared, by several processes either", async (t) => {
  const holder = createServer();
  const PORT = String(await listen(holder));
  const byOther = [await run([], { PORT }), await run([], { PORT, PROCESSES: "2" })];
  holder.close();
  const service = await quickServiceOf(t);
  const byItself = await run([], { PORT: String(service.port) });
  for (const { code, stdout, stderr } of [...byOther, byItself]) {
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /cannot listen on port \d+ of 127\.0\.0\.1; it may be in use\./);
  }
});

test("a STATE_DIR, key file or HOST that cannot be used ends the start with one sentence, not a stack", async () => {
  const folder = newFolder();
  const file = join(folder, "file");
  writeFileSync(file, "");
  const readOnly = newFolder();
  chmodSync(readOnly, 0o555);
  const [keyFolder, keyDevice, lockFolder, damaged] = [newFolder(), newFolder(), newFolder(), newFolder()];
  mkdirSync(join(keyFolder, "keys.json"));
  symlinkSync("/dev/zero", join(keyDevice, "keys.json"));
  mkdirSync(join(lockFolder, "keys.lock"));
  writeFileSync(join(damaged, "keys.json"), "{");
  const notAFile = /^STATE_DIR is .*, where keys.json or keys.lock is not a file; remove it and try again\.$/;
  const cases: readonly (readonly [Record<string, string>, RegExp])[] = [
    [{ STATE_DIR: keyFolder }, notAFile],
    [{ STATE_DIR: keyDevice }, notAFile],
    [{ STATE_DIR: lockFolder, API_KEYS: "" }, notAFile],
    [{ STATE_DIR: damaged }, /keys\.json/],
    [{ STATE_DIR: file }, /^STATE_DIR is .*file, which is not a folder; set STATE_DIR to a folder/],
    [{ STATE_DIR: "/proc", PROCESSES: "2" }, /^STATE_DIR is \/proc, where no folder can be made; set/],
    [{ STATE_DIR: readOnly, API_KEYS: "" }, /^STATE_DIR is .*, where this user may not read or write/],
    [{ HOST: "x".repeat(300) }, /^HOST is x+, which cannot be the name of a machine; set/],
    [{ HOST: "no-such.invalid" }, /^HOST is no-such\.invalid, (which is not the name|a name that cannot be)/],
    [{ HOST: "192.0.2.1" }, /^HOST is 192\.0\.2\.1, which is not an address of this machine/],
  ];
  for (const [environment, sentence] of cases) {
    const by = environment["STATE_DIR"] === readOnly ? withoutOverride : [];
    const { code, stderr } = await run([], environment, by);
    assert.equal(code, 1, stderr);
    const [line = "", ...others] = stderr.match(/^[^{\n].*$/gm) ?? [];
    assert.deepEqual(others, [], stderr);
    assert.match(line, sentence);
    assert.ok(!stderr.includes('"stack"'), stderr);
  }
});

test("a start for which the system has no room ends with 1 and one sentence, not a stack", {
  skip: notLinux,
}, async () => {
  const gone = newFolder();
  const cases: readonly (readonly [string, RegExp])[] = [
    ["ulimit -v 3000000", /^There is not enough address space for the memory that the workers share.*\n$/],
    // With fewer, newer Node.js versions do not come as far as the service. Some say that a package is missing.
    ["ulimit -n 23", /^(The service cannot be loaded: (EMFILE|Cannot find)|Too few files may be open).*\n$/],
    [`cd "${gone}"; rmdir "${gone}"`, /^The working directory does not exist any more.*\n$/],
  ];
  for (const [before, sentence] of cases) {
    const { code, stderr } = await run([], {}, ["sh", "-c", `${before}; exec "$0" "$1"`]);
    assert.equal(code, 1, stderr);
    assert.match(stderr, sentence);
  }
});
