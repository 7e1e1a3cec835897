import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { type RunningService, startQuickService, testKey } from "../../service.ts";
import { type Fault, startFaultyProxy } from "../../support/faulty-proxy.ts";
import { namesIn, newFolder } from "../../support/folders.ts";
import { randomOf } from "../../support/random.ts";
import { runHere } from "../../support/run-here.ts";
import { type RunningCommand, startCommand } from "../../support/start-command.ts";

const rows = 64_000;
/** About how many requests a file takes, which has blocks of 64 KB. */
const requestsOf = (file: string) => Math.ceil(statSync(file).size / 65_536);
let service: RunningService;
let folder: string;
let input: string;
let expected: Buffer;
before(async () => {
  service = await startQuickService();
  folder = newFolder();
  input = join(folder, "input.csv");
  writeFileSync(input, `n;name;iban\n${Array.from({ length: rows }, (_, number) => row(number)).join("")}`);
  const output = join(folder, "uninterrupted.csv");
  const { exit, stderr } = await run(service.url, output);
  assert.equal(exit, 0, stderr);
  expected = readFileSync(output);
});
after(async () => {
  await service.stop();
});

/** Rows of many lengths, some over two lines, with IBANs right and wrong. */
function row(number: number): string {
  const name = number % 7 === 0 ? '"Köln;\nsüd"' : "x".repeat(number % 13);
  return `${number};${name};DE${String(number % 100).padStart(2, "0")}370400440532013000\n`;
}

const environmentOf = (url: string) => ({ BANKCHECK_URL: url, BANKCHECK_KEY: testKey });

/** Starts a process, for what is about its end. */
function startRun(file: string, url: string, output: string, ...args: readonly string[]): RunningCommand {
  return startCommand(["check", file, "-o", output, "--quiet", ...args], environmentOf(url));
}

/** Checks the input in this process, for what is not about processes. */
const run = (url: string, output: string, ...args: readonly string[]) => runFile(input, url, output, ...args);
const runFile = (file: string, url: string, output: string, ...args: readonly string[]) =>
  runHere(["check", file, "-o", output, "--quiet", ...args], environmentOf(url));

test("killed at any moment while requests fail, and continued, a run writes what an uninterrupted one writes", () =>
  expectSameThoughKilled(input, expected));

test("so does one of account numbers onto a packed output, whose streams are cut off within their answers", async () => {
  const accounts = join(folder, "accounts.csv");
  const lines = Array.from({ length: 64_000 }, (_, number) => `${number};${number * 7};37040044\n`);
  writeFileSync(accounts, `n;kontonummer;blz\n${lines.join("")}`);
  const output = join(folder, "accounts-uninterrupted.csv");
  const { exit, stderr } = await runFile(accounts, service.url, output);
  assert.equal(exit, 0, stderr);
  await expectSameThoughKilled(accounts, readFileSync(output), "killed.csv.gz");
});

async function expectSameThoughKilled(
  file: string,
  uninterrupted: Buffer,
  name = "killed.csv",
): Promise<void> {
  const output = join(folder, name);
  const rejecting = `--bad-rows=reject=${output}.rejected`;
  const chance = randomOf(8);
  const faults: Fault[] = [
    { code: "server_busy", retryAfter: 0 },
    { code: "checker_failed" },
    "cut",
    "cut within the answer",
    { status: 502 },
  ];
  let running: RunningCommand | undefined;
  let killAt = 0;
  const proxy = await startFaultyProxy(service.url, (number) => {
    if (number === killAt) running?.child.kill("SIGKILL");
    return chance(25) === 0 ? faults[chance(faults.length)] : undefined;
  });
  // Before anything is saved, after a save, and soon after it was continued: each of these runs has more to send.
  const share = Math.floor(requestsOf(file) / 8);
  for (const sent of [chance(share), 4 * share + chance(share), 1 + chance(share), chance(share)]) {
    killAt = proxy.requests + sent;
    running = startRun(file, proxy.url, output, "--resume", rejecting);
    const { exit, stderr } = await running.result;
    assert.equal(exit, "SIGKILL", stderr);
  }
  const { exit, stderr } = await startRun(file, proxy.url, output, "--resume", rejecting).result;
  await proxy.close();
  assert.equal(exit, 0, stderr);
  const written = readFileSync(output);
  assert.ok((name.endsWith(".gz") ? gunzipSync(written) : written).equals(uninterrupted), "byte for byte");
  assert.deepEqual(namesIn(folder, "killed"), [name, `${name}.rejected`]);
  for (const path of [output, `${output}.rejected`]) rmSync(path);
}

test("while a refused block waits for Retry-After, later ones are checked and kept in order", async () => {
  const output = join(folder, "waited.csv");
  let begun = 0;
  let meanwhile = 0;
  const proxy = await startFaultyProxy(service.url, (number) => {
    if (number === 1) begun = performance.now();
    else if (begun > 0 && performance.now() - begun < 3_900) meanwhile++;
    return number === 1 ? { code: "server_busy", retryAfter: 4 } : undefined;
  });
  const { exit, stderr } = await run(proxy.url, output);
  await proxy.close();
  assert.equal(exit, 0, stderr);
  assert.ok(meanwhile > 4, `${meanwhile} blocks were sent meanwhile, more than were in flight`);
  // A timer may be a millisecond early.
  assert.ok(performance.now() - begun >= 3_999);
  assert.ok(readFileSync(output).equals(expected), "byte for byte");
  assert.deepEqual(namesIn(folder, "waited"), ["waited.csv"]);
});

test("while the service is away the run waits as a whole, says why, and then writes what it would have written", async () => {
  const output = join(folder, "away.csv");
  let since: number | undefined;
  const proxy = await startFaultyProxy(service.url, (number) => {
    if (number === 12) since = performance.now();
    return since !== undefined && performance.now() - since < 1_500 ? { status: 502 } : undefined;
  });
  const { exit, stderr } = await runHere(["check", input, "-o", output], environmentOf(proxy.url));
  await proxy.close();
  assert.equal(exit, 0, stderr);
  assert.match(stderr, /^The answer was HTTP status 502; retry \d in [\d.]+ s\.$/m);
  const failed = proxy.requests - requestsOf(input);
  assert.ok(failed <= 12, `${failed} of the requests failed`);
  assert.ok(readFileSync(output).equals(expected), "byte for byte");
});

test("a service that stays away ends the run with exit code 2, and --resume loses and doubles no row", async () => {
  const output = join(folder, "given-up.csv");
  const proxy = await startFaultyProxy(service.url, (number) => (number >= 20 ? "cut" : undefined));
  const { exit, stderr } = await run(proxy.url, output, "--retries", "1");
  await proxy.close();
  assert.equal(exit, 2);
  assert.match(stderr, /cannot be reached.*Finished rows are kept: --resume continues from there\.\n$/);
  assert.ok(!existsSync(output), "an output that is not complete does not have its name");
  const { row: next, outputBytes } = JSON.parse(readFileSync(`${output}.resume.json`, "utf8")) as Record<
    string,
    number
  >;
  assert.ok(next !== undefined && next > 25_000 && next <= 45_000, `row ${next}`);
  assert.ok(readFileSync(`${output}.part`).equals(expected.subarray(0, outputBytes)));
  const without = await run(service.url, output);
  assert.equal(without.exit, 1);
  assert.match(without.stderr, /not complete: --resume continues it after row \d+, --force starts over/);
  const other = await run(service.url, output, "--resume", "--format", "ndjson", "--suggest");
  assert.match(other.stderr, /was started with other options: --suggest, --format; repeat them, or --force/);
  assert.equal((await run(service.url, output, "--resume")).exit, 0);
  assert.ok(readFileSync(output).equals(expected));
});

test("a disk that is full ends the run with exit code 2, and --resume continues once there is room", async () => {
  const output = join(folder, "full.csv");
  const environment = environmentOf(service.url);
  const kilobytes = Math.floor((expected.length / 1_024) * 0.6);
  const { exit, stderr } = await startCommand(["check", input, "-o", output], environment, "", kilobytes)
    .result;
  assert.equal(exit, 2, stderr);
  assert.match(stderr, /^EFBIG: .*--resume continues from there\.\n$/);
  assert.ok(existsSync(`${output}.resume.json`));
  const { stderr: summary } = await runHere(["check", input, "-o", output, "--resume"], environment);
  assert.match(summary, /^Checked 64,000 rows \([23]\d,\d{3} of them before\) in /);
  assert.ok(readFileSync(output).equals(expected));
});

test("SIGINT and SIGTERM, alone or at once, end a run with exit code 130; finished rows are kept", async () => {
  for (const signals of [["SIGINT"], ["SIGTERM"], ["SIGINT", "SIGTERM"]] as const) {
    const output = join(folder, `${signals.join()}.csv`);
    let running: RunningCommand | undefined;
    const proxy = await startFaultyProxy(service.url, (number) => {
      if (number === 15) for (const signal of signals) running?.child.kill(signal);
      return undefined;
    });
    running = startRun(input, proxy.url, output);
    const { exit, stderr } = await running.result;
    await proxy.close();
    assert.equal(exit, 130, stderr);
    assert.match(stderr, /^Interrupted\. Finished rows are kept/);
    assert.equal((await run(service.url, output, "--resume")).exit, 0);
    assert.ok(readFileSync(output).equals(expected));
  }
});

test("a run is not continued with another input, nor when its output has lost something; --force starts over", async () => {
  const output = join(folder, "other.csv");
  const short = join(folder, "short.csv");
  const rejects = join(folder, "rejects.csv");
  writeFileSync(short, `${row(1)}"a" b\n${row(1).repeat(29_998)}`);
  const proxy = await startFaultyProxy(service.url, (number) =>
    number >= 5 ? { code: "configuration_error" } : undefined,
  );
  const rejecting = (...args: readonly string[]) =>
    runFile(short, proxy.url, output, "--bad-rows", "reject", rejects, ...args);
  assert.equal((await rejecting()).exit, 3);
  const content = readFileSync(short, "utf8");
  for (const other of [`x${content}`, content.slice(0, 100)]) {
    writeFileSync(short, other);
    for (const _ of "12")
      assert.match((await rejecting("--resume")).stderr, /have changed; --force starts over/);
  }
  writeFileSync(short, content);
  const same = await rejecting("--resume");
  assert.match(same.stderr, /configuration_error/);
  truncateSync(rejects, 3);
  assert.match((await rejecting("--resume")).stderr, /rejects\.csv is shorter than/);
  assert.equal(readFileSync(rejects, "utf8"), '"a"');
  truncateSync(`${output}.part`, 10);
  assert.match((await rejecting("--resume")).stderr, /\.part is shorter than/);
  writeFileSync(`${output}.resume.json`, "{");
  assert.match((await rejecting("--resume")).stderr, /cannot be read; --force starts over/);
  await proxy.close();
  assert.equal((await runFile(short, service.url, output, "--force")).exit, 0);
  assert.equal(readFileSync(output, "utf8").split("\n").length, 30_001);
});

test("a run that was killed between its last row and its end is complete after --resume", async () => {
  const output = join(folder, "late.csv");
  const proxy = await startFaultyProxy(service.url, (number) => (number >= 28 ? "cut" : undefined));
  await run(proxy.url, output, "--retries", "0");
  await proxy.close();
  const state = JSON.parse(readFileSync(`${output}.resume.json`, "utf8")) as Record<string, unknown>;
  const content = readFileSync(input);
  const complete = {
    ...state,
    offset: content.length,
    prefix: createHash("sha256").update(content).digest("hex"),
    row: rows + 1,
    outputBytes: expected.length,
    isComplete: true,
  };
  for (const name of [`${output}.part`, output]) {
    rmSync(`${output}.part`, { force: true });
    rmSync(output, { force: true });
    writeFileSync(name, expected);
    appendFileSync(name, name === output ? "" : "what followed it");
    writeFileSync(`${output}.resume.json`, JSON.stringify(complete));
    assert.equal((await run(service.url, output, "--resume")).exit, 0);
    assert.ok(readFileSync(output).equals(expected));
    assert.ok(!existsSync(`${output}.resume.json`));
  }
});
