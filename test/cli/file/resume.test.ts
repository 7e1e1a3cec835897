import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { testKey, useQuickService } from "../../service.ts";
import { type Fault, startFaultyProxy } from "../../support/faulty-proxy.ts";
import { namesIn, newFolder } from "../../support/folders.ts";
import { randomOf } from "../../support/random.ts";
import { type EndHere, runHere } from "../../support/run-here.ts";
import { type RunningCommand, startCommand } from "../../support/start-command.ts";
import { expectEnd } from "../expect-end.ts";

const rows = 64_000;
/** About how many requests a file takes, which has blocks of 64 KB. */
const requestsOf = (file: string) => Math.ceil(statSync(file).size / 65_536);
const service = useQuickService();
const folder = newFolder();
const input = join(folder, "input.csv");
let expected: Buffer;
before(async () => {
  writeFileSync(input, `n;name;iban\n${Array.from({ length: rows }, (_, number) => row(number)).join("")}`);
  expected = await uninterrupted(input);
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

/** Checks a file in this process, for what is not about processes. */
const runFile = (file: string, url: string, output: string, ...args: readonly string[]) =>
  runHere(["check", file, "-o", output, ...args], environmentOf(url));
const run = (output: string, ...args: readonly string[]) => runFile(input, service.url, output, ...args);

/** Checks the input while requests fail; returns its end and how many requests it took. */
async function runThrough(faultOf: (number: number) => Fault | undefined, output: string, ...args: string[]) {
  const proxy = await startFaultyProxy(service.url, faultOf);
  const end = await runFile(input, proxy.url, output, ...args);
  await proxy.close();
  return { ...end, requests: proxy.requests };
}

async function uninterrupted(file: string): Promise<Buffer> {
  const output = `${file}.uninterrupted`;
  await expectEnd(runFile(file, service.url, output), 0);
  return readFileSync(output);
}

/** Expects that a run ends with 0 and has written what an uninterrupted one writes. */
async function expectWhole<End extends EndHere>(end: Promise<End>, output: string): Promise<End> {
  await expectEnd(end, 0);
  assert.ok(readFileSync(output).equals(expected), "byte for byte");
  return end;
}

test("killed at any moment while requests fail, and continued, a run writes what an uninterrupted one writes", () =>
  expectSameThoughKilled(input, expected, "killed.csv"));

test("so does one of account numbers onto a packed output, whose streams are cut off within their answers", async () => {
  const accounts = join(folder, "accounts.csv");
  const lines = Array.from({ length: 64_000 }, (_, number) => `${number};${number * 7};37040044\n`);
  writeFileSync(accounts, `n;kontonummer;blz\n${lines.join("")}`);
  await expectSameThoughKilled(accounts, await uninterrupted(accounts), "killed.csv.gz");
});

async function expectSameThoughKilled(file: string, whole: Buffer, name: string): Promise<void> {
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
  await expectEnd(startRun(file, proxy.url, output, "--resume", rejecting).result, 0);
  await proxy.close();
  const written = readFileSync(output);
  assert.ok((name.endsWith(".gz") ? gunzipSync(written) : written).equals(whole), "byte for byte");
  assert.deepEqual(namesIn(folder, "killed"), [name, `${name}.rejected`]);
  for (const path of [output, `${output}.rejected`]) rmSync(path);
}

test("while a refused block waits for Retry-After, later ones are checked and kept in order", async () => {
  const output = join(folder, "waited.csv");
  let begun = 0;
  let meanwhile = 0;
  const waiting = runThrough((number) => {
    if (number === 1) begun = performance.now();
    else if (begun > 0 && performance.now() - begun < 3_900) meanwhile++;
    return number === 1 ? { code: "server_busy", retryAfter: 4 } : undefined;
  }, output);
  await expectWhole(waiting, output);
  assert.ok(meanwhile > 4, `${meanwhile} blocks were sent meanwhile, more than were in flight`);
  // A timer may be a millisecond early.
  assert.ok(performance.now() - begun >= 3_999);
  assert.deepEqual(namesIn(folder, "waited"), ["waited.csv"]);
});

test("while the service is away the run waits as a whole, says why, and then writes what it would have written", async () => {
  const output = join(folder, "away.csv");
  let since: number | undefined;
  const waiting = runThrough((number) => {
    if (number === 12) since = performance.now();
    return since !== undefined && performance.now() - since < 1_500 ? { status: 502 } : undefined;
  }, output);
  const { stderr, requests } = await expectWhole(waiting, output);
  assert.match(stderr, /^The answer was HTTP status 502; retry \d in [\d.]+ s\.$/m);
  const failed = requests - requestsOf(input);
  assert.ok(failed <= 12, `${failed} of the requests failed`);
});

test("a service that stays away ends the run with exit code 2, and --resume loses and doubles no row", async () => {
  const output = join(folder, "given-up.csv");
  const away = runThrough((number) => (number >= 20 ? "cut" : undefined), output, "--retries", "1");
  await expectEnd(away, 2, /cannot be reached.*Finished rows are kept: --resume continues from there\.\n$/);
  assert.ok(!existsSync(output), "an output that is not complete does not have its name");
  const { row: next, outputBytes } = JSON.parse(readFileSync(`${output}.resume.json`, "utf8"));
  assert.ok(next > 25_000 && next <= 45_000, `row ${next}`);
  assert.ok(readFileSync(`${output}.part`).equals(expected.subarray(0, outputBytes)));
  for (const [args, says] of [
    [[], /not complete: --resume continues it after row \d+, --force starts over/],
    [
      ["--resume", "--format", "ndjson", "--suggest"],
      /was started with other options: --suggest, --format; repeat them, or --force/,
    ],
  ] as const)
    await expectEnd(run(output, ...args), 1, says);
  await expectWhole(run(output, "--resume"), output);
});

test("a disk that is full ends the run with exit code 2, and --resume continues once there is room", async () => {
  const output = join(folder, "full.csv");
  const kilobytes = Math.floor((expected.length / 1_024) * 0.6);
  const args = ["check", input, "-o", output];
  const { result } = startCommand(args, environmentOf(service.url), "", kilobytes);
  await expectEnd(result, 2, /^EFBIG: .*--resume continues from there\.\n$/);
  assert.ok(existsSync(`${output}.resume.json`));
  const { stderr } = await expectWhole(run(output, "--resume"), output);
  assert.match(stderr, /^Checked 64,000 rows \([23]\d,\d{3} of them before\) in /);
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
    await expectEnd(running.result, 130, /^Interrupted\. Finished rows are kept/);
    await proxy.close();
    await expectWhole(run(output, "--resume"), output);
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
  await expectEnd(rejecting(), 3);
  const content = readFileSync(short, "utf8");
  for (const other of [`x${content}`, content.slice(0, 100)]) {
    writeFileSync(short, other);
    for (const _ of "12") await expectEnd(rejecting("--resume"), 1, /have changed; --force starts over/);
  }
  writeFileSync(short, content);
  await expectEnd(rejecting("--resume"), 3, /configuration_error/);
  truncateSync(rejects, 3);
  await expectEnd(rejecting("--resume"), 1, /rejects\.csv is shorter than/);
  assert.equal(readFileSync(rejects, "utf8"), '"a"');
  truncateSync(`${output}.part`, 10);
  await expectEnd(rejecting("--resume"), 1, /\.part is shorter than/);
  writeFileSync(`${output}.resume.json`, "{");
  await expectEnd(rejecting("--resume"), 1, /cannot be read; --force starts over/);
  await proxy.close();
  await expectEnd(runFile(short, service.url, output, "--force"), 0);
  assert.equal(readFileSync(output, "utf8").split("\n").length, 30_001);
});

test("a run that was killed between its last row and its end is complete after --resume", async () => {
  const output = join(folder, "late.csv");
  await runThrough((number) => (number >= 28 ? "cut" : undefined), output, "--retries", "0");
  const content = readFileSync(input);
  const complete = {
    ...JSON.parse(readFileSync(`${output}.resume.json`, "utf8")),
    offset: content.length,
    prefix: createHash("sha256").update(content).digest("hex"),
    row: rows + 1,
    outputBytes: expected.length,
    isComplete: true,
  };
  for (const name of [`${output}.part`, output]) {
    for (const old of [`${output}.part`, output]) rmSync(old, { force: true });
    writeFileSync(name, name === output ? expected : `${expected}what followed it`);
    writeFileSync(`${output}.resume.json`, JSON.stringify(complete));
    await expectWhole(run(output, "--resume"), output);
    assert.ok(!existsSync(`${output}.resume.json`));
  }
});
