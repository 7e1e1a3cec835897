import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { before, test } from "node:test";
import * as zlib from "node:zlib";
import { gunzipSync } from "node:zlib";
import { lockOutput } from "../../../src/cli/file/job.ts";
import { outputTo } from "../../../src/cli/file/output.ts";
import { openInput } from "../../../src/cli/input/open-input.ts";
import { until } from "../../faults/gate.ts";
import { startFaultyProxy } from "../../support/faulty-proxy.ts";
import { namesIn, newFile, newFolder } from "../../support/folders.ts";
import { commandEntry, startCommand } from "../../support/start-command.ts";
import { expectEnd } from "../expect-end.ts";
import { bankcheck, commerzbank, serviceEnvironment } from "../with-service.ts";

let environment: Awaited<ReturnType<typeof serviceEnvironment>>;
const folder = newFolder();
const input = join(folder, "input.csv");
before(async () => {
  environment = await serviceEnvironment();
  mkdirSync(join(folder, "bin"));
  symlinkSync(commandEntry, join(folder, "bin/bankcheck"));
  writeFileSync(input, `iban\n${`${commerzbank}\n`.repeat(20_000)}`);
});

const check = (output: string, ...args: readonly string[]) =>
  startCommand(["check", input, "-o", output, ...args], environment);

/** Checks in this process, for what is not about processes. */
const checkHere = (file: string, output: string, ...args: readonly string[]) =>
  bankcheck(["check", file, "-o", output, ...args]);

/** The same of a run that ends with 0; returns its output. */
async function written(...args: Parameters<typeof checkHere>): Promise<Buffer> {
  await expectEnd(checkHere(...args), 0);
  return readFileSync(args[1]);
}

/** Runs a line of a shell that finds `bankcheck` as where it is installed, and what else the environment holds. */
function shell(line: string) {
  const PATH = `${join(folder, "bin")}:${process.env["PATH"]}`;
  const result = spawnSync("bash", ["--norc", "-c", line], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH, ...environment, input },
  });
  return { ...result, exit: result.status };
}

test("of two runs onto one output the second is refused, and the first is not disturbed", async () => {
  const output = join(folder, "shared.csv");
  const proxy = await startFaultyProxy(environment.BANKCHECK_URL, (number) => {
    if (number === 0) first.child.kill("SIGSTOP");
    return undefined;
  });
  const first = startCommand(["check", input, "-o", output, "-q"], {
    ...environment,
    BANKCHECK_URL: proxy.url,
  });
  await until(() => proxy.requests > 0);
  symlinkSync(output, join(folder, "shared-link.csv"));
  const refusal = /^Another run \(process \d+ on .*\) is writing to .*shared\.csv\./;
  for (const name of [output, join(folder, "shared-link.csv")])
    for (const args of [[], ["--force"], ["--resume"]])
      await expectEnd(checkHere(input, name, ...args), 1, refusal);
  first.child.kill("SIGCONT");
  assert.equal((await first.result).exit, 0);
  await proxy.close();
  assert.equal(readFileSync(output, "utf8").split("\n").length, 20_002);
  assert.deepEqual(namesIn(folder, "shared"), ["shared-link.csv", "shared.csv"]);
});

test("a file that is replaced keeps its rights, and a link stays a link", async () => {
  const real = join(folder, "real.csv");
  const link = join(folder, "link.csv");
  writeFileSync(real, "old");
  chmodSync(real, 0o600);
  symlinkSync("real.csv", link);
  await written(input, link, "-q", "--force");
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(statSync(real).mode & 0o777, 0o600);
  assert.match(readFileSync(real, "utf8"), /^iban,status/);
  const dangling = join(folder, "dangling.csv");
  symlinkSync("made.csv", dangling);
  await written(input, dangling, "-q");
  assert.ok(lstatSync(dangling).isSymbolicLink());
  assert.ok(existsSync(join(folder, "made.csv")));
});

test("what nothing can be written to is refused before anything is checked", async () => {
  const requests = await startFaultyProxy(environment.BANKCHECK_URL, () => undefined);
  mkdirSync(join(folder, "a-folder"));
  for (const [output, reason] of [
    [join(folder, "a-folder"), /is a folder; name a file in it/],
    [join(folder, "missing", "out.csv"), /folder .*missing of the output does not exist/],
    [join(input, "out.csv"), /cannot be used|does not exist/],
    [input, /is the input; name another file/],
  ] as const) {
    await expectEnd(checkHere(input, output, "--force", "--url", requests.url), 1, reason);
  }
  // The names that a run uses beside its output are the input's at times.
  for (const name of ["own.csv.part", "own.csv.resume.json"]) {
    const own = join(folder, name);
    writeFileSync(own, `iban\n${commerzbank}\n`);
    const run = checkHere(own, join(folder, "own.csv"), "--force", "--url", requests.url);
    const says = /^The run would write to .*own\.csv\.\w+.*, which is the input; name another file\.\n$/;
    await expectEnd(run, 1, says);
    assert.equal(readFileSync(own, "utf8").length, 28);
    rmSync(own);
  }
  const redirected = shell('BANKCHECK_URL=http://127.0.0.1:1 bankcheck check -o "$input" --force < "$input"');
  await expectEnd(redirected, 1, /is the input/);
  assert.equal(requests.requests, 0);
  await requests.close();
  assert.equal(readFileSync(input, "utf8").length, 5 + 23 * 20_000);
});

test("- is standard output; pipes and devices are written to and stay what they are", async () => {
  const { stdout } = await check("-", "-q").result;
  assert.equal(stdout.toString().split("\n").length, 20_002);
  assert.ok(!existsSync("-"));
  const fifo = join(folder, "fifo");
  spawnSync("mkfifo", [fifo]);
  const reader = spawn("cat", [fifo]);
  let read = "";
  reader.stdout.on("data", (piece: Buffer) => {
    read += piece;
  });
  const closed = new Promise((resolve) => reader.once("close", resolve));
  assert.equal((await check(fifo, "-q", "--force").result).exit, 0);
  await closed;
  assert.equal(read, stdout.toString());
  assert.ok(statSync(fifo).isFIFO());
  spawn("head", ["-c", "100", fifo], { stdio: "ignore" });
  const closes = `^The reader of ${fifo} closed it before all rows were written\\.\n$`;
  await expectEnd(check(fifo, "-q", "--force").result, 2, closes);
  await written(input, "/dev/null", "-q", "--force");
  assert.ok(statSync("/dev/null").isCharacterDevice());
  const through = shell(
    'bankcheck check "$input" -q -o >(gzip > through.gz) && wait $! && zcat through.gz | wc -l',
  );
  assert.equal(through.stdout.trim(), "20001", through.stderr);
});

test("a pipe without a reader does not keep a run from being interrupted", async () => {
  const fifo = join(folder, "unread");
  spawnSync("mkfifo", [fifo]);
  const assumed = newFile(folder, `customer;number\nMeyer;${commerzbank}\n`);
  const run = startCommand(["check", assumed, "-o", fifo], environment);
  // The notice about the header comes just before the pipe is opened.
  await new Promise((resolve) => run.child.stderr?.once("data", resolve));
  run.child.kill("SIGINT");
  assert.equal((await run.result).exit, 130);
});

test("a pipe in which nothing comes does not keep a run from ending, however it ends", async () => {
  const fifo = join(folder, "unwritten");
  spawnSync("mkfifo", [fifo]);
  const stop = new AbortController();
  const unopened = openInput(fifo, { signal: stop.signal });
  await until(() => getEventListeners(stop.signal, "abort").length > 0);
  stop.abort();
  await (await unopened.catch(() => undefined))?.close();
  const waiting = startCommand(["check", fifo], environment);
  const silent = await open(fifo, "w");
  waiting.child.kill("SIGTERM");
  assert.equal((await waiting.result).exit, 130);
  await silent.close();
  const failing = startCommand(["check", fifo], { ...environment, BANKCHECK_KEY: "wrong" });
  const halting = await open(fifo, "w");
  await halting.writeFile(readFileSync(input).subarray(0, 80_000));
  assert.equal((await failing.result).exit, 3);
  await halting.close();
});

test("input comes from pipes and /dev/stdin as well, and from standard input where no file is named", async () => {
  for (const line of [
    'gzip -c "$input" > copy.gz; bankcheck check <(zcat copy.gz) -q | wc -l',
    'cat "$input" | bankcheck check /dev/stdin -q | wc -l',
    'bankcheck check -q < "$input" | wc -l',
    'cat "$input" | bankcheck check -q --offline | wc -l',
  ]) {
    const { stdout } = await expectEnd(shell(line), 0);
    assert.equal(stdout, "20001\n", line);
  }
});

test("output without a reader ends a command quietly, and a full disk with one sentence", async () => {
  for (const line of [
    "set -o pipefail; bankcheck search sparkasse --max 50 --timeout 60000 | head -1 >/dev/null",
    'set -o pipefail; bankcheck check "$input" -q | head -1 >/dev/null',
    'set -o pipefail; bankcheck check "$input" -q -o /dev/stdout | head -1 >/dev/null',
    "set -o pipefail; bankcheck keys list --state-dir . | true",
  ]) {
    const { exit, stderr } = shell(line);
    assert.deepEqual({ exit, stderr }, { exit: 0, stderr: "" }, line);
  }
  for (const line of [
    `bankcheck iban ${commerzbank} --timeout 60000 > /dev/full`,
    "bankcheck --help > /dev/full",
    "bankcheck data stats > /dev/full",
    'bankcheck check "$input" -q > /dev/full',
  ])
    await expectEnd(shell(line), 2, /^[^\n]*ENOSPC[^\n]*\n$/);
  const full = shell('bankcheck check "$input" -q -o /dev/full --force');
  await expectEnd(full, 2, /^The disk is full \(ENOSPC\)\.\n$/);
});

test("notes without a reader, or onto a full disk, change nothing of a run", () => {
  const away = 'bankcheck check "$input" -o mute.csv --url http://127.0.0.1:1 --retries 2 2> >(true)';
  assert.equal(shell(away).exit, 2);
  assert.equal(shell('bankcheck check "$input" -o mute.csv 2> /dev/full').exit, 0);
  assert.ok(existsSync(join(folder, "mute.csv")));
});

test("what a stream says after it has failed is why it failed", async () => {
  const full = Object.assign(new Error("no space left"), { code: "ENOSPC", syscall: "write" });
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(full) });
  const output = outputTo(stream);
  for (const row of ["first\n", "second\n"]) await assert.rejects(output.write(Buffer.from(row)), full);
  await output.close();
});

test("a run that the service refused before its first row leaves nothing in the way of the next", async () => {
  const output = join(folder, "refused.csv");
  const args = ["-q", "--bad-rows", "reject", join(folder, "refused-rows.csv")];
  const wrongKey = newFile(folder, "wrong");
  const { stderr } = await expectEnd(checkHere(input, output, ...args, "--key-file", wrongKey), 3);
  assert.ok(!stderr.includes("--resume"), stderr);
  assert.deepEqual(namesIn(folder, "refused"), []);
  await written(input, output, ...args);
});

test("rejected rows never replace the input or the output, and may go to a device", async () => {
  const own = newFile(folder, `iban,n\n${commerzbank},1\nx,2,3\n`);
  const output = join(folder, "own-checked.csv");
  const reject = (file: string) => checkHere(own, output, "-q", "--force", `--bad-rows=reject=${file}`);
  for (const file of [own, output, `${output}.part`]) {
    await expectEnd(reject(file), 1, /is the input or the output/);
    assert.match(readFileSync(own, "utf8"), /x,2,3/);
  }
  const shared = join(folder, "rejected.csv");
  const lock = await lockOutput(shared);
  await expectEnd(reject(shared), 1, /^Another run .* is writing to .*rejected\.csv\./);
  await lock.release();
  await expectEnd(reject("/dev/null"), 0);
});

test("several files have a folder of rejected rows, and a resume skips those that are complete", async () => {
  const names = ["one.csv", "two.csv"];
  const inputs = names.map((name) => join(folder, name));
  for (const file of inputs) writeFileSync(file, `iban,n\n${commerzbank},1\n${file},2,3\n`);
  const target = join(folder, "many");
  const args = ["check", ...inputs, "-o", target, "--bad-rows", "reject", join(folder, "bad")];
  await expectEnd(bankcheck(args), 0);
  for (const [index, name] of names.entries())
    assert.equal(readFileSync(join(folder, "bad", name), "utf8"), `iban,n\n${inputs[index]},2,3\n`);
  for (const place of ["many", "bad"]) rmSync(join(folder, place, "two.csv"));
  await expectEnd(bankcheck([...args, "--resume"]), 0, /one\.csv is complete already\.\n/);
  assert.ok(existsSync(join(target, "two.csv")));
  const failing = await bankcheck([...args, "--resume", "--fail-on-invalid"]);
  assert.equal(failing.exit, 4, "rows of files that are complete count as well");
  assert.deepEqual(readdirSync(target), names);
});

test("several outputs that are links leave no state behind, nor the lock of rejected rows where one fails", async () => {
  const [target, real] = ["links", "real"].map((name) => join(folder, name));
  const names = ["left.csv", "right.csv"];
  for (const place of [target!, real!]) mkdirSync(place);
  const inputs = names.map((name) => join(folder, name));
  for (const file of inputs) writeFileSync(file, `iban\n${commerzbank}\n`);
  for (const name of names) symlinkSync(join(real!, name), join(target!, name));
  await expectEnd(bankcheck(["check", ...inputs, "-o", target!]), 0);
  assert.deepEqual(readdirSync(real!), names);
  mkdirSync(join(real!, "failed.csv.part"));
  const rejecting = `--bad-rows=reject=${join(target!, "rejected")}`;
  await expectEnd(checkHere(inputs[0]!, join(real!, "failed.csv"), rejecting), 2);
  assert.deepEqual(readdirSync(target!).sort(), ["left.csv", "rejected", "right.csv"]);
});

test("over several files --resume replaces the old outputs that --force would have, and a refused run undoes none", async () => {
  const names = ["first.csv", "second.csv", "third.csv"];
  const [target, inputs] = [join(folder, "forced"), names.map((name) => join(folder, name))];
  const fill = (iban: string) => {
    for (const file of inputs) writeFileSync(file, `iban\n${iban}\n`);
  };
  const state = join(target, "first.csv.resume.json");
  const run = (...args: readonly string[]) =>
    bankcheck(["check", ...inputs, "-o", target, "-q", "--select", "valid", "--bad-rows=stop", ...args]);
  fill(commerzbank);
  await expectEnd(run(), 0);
  fill("GB29NWBK60161331926819");
  appendFileSync(inputs[1]!, '"a" b\n');
  await expectEnd(run("--force"), 1);
  await expectEnd(run(), 1, /first\.csv is not complete: --resume /);
  assert.ok(existsSync(join(target, "first.csv")), "a run that is refused leaves a complete output in place");
  const kept = readFileSync(state);
  writeFileSync(state, "{");
  await expectEnd(run("--resume"), 1, /^\S+ cannot be read; --force starts over\.\n$/);
  writeFileSync(state, kept);
  fill("GB29NWBK60161331926819");
  await expectEnd(run("--resume"), 0);
  for (const name of names)
    assert.equal(readFileSync(join(target, name), "utf8"), "iban,valid\nGB29NWBK60161331926819,true\n");
});

test("a disk that takes no state promises no resume", async () => {
  const output = join(folder, "no-state.csv");
  const { result } = startCommand(["check", input, "-o", output, "-q"], environment, "", 0);
  const { stderr } = await expectEnd(result, 2, /^[^\n]*EFBIG[^\n]*\n$/);
  assert.ok(!stderr.includes("--resume"), stderr);
});

test("an output whose name ends in .gz is packed, also that of rejected rows, and also without rows", async () => {
  const odd = newFile(folder, `iban;name\n${commerzbank};a\n"x;b\n`);
  const rejects = join(folder, "rejects.gz");
  const packed = async (...args: readonly string[]) =>
    gunzipSync(await written(odd, join(folder, "packed.csv.gz"), "--force", ...args)).toString();
  assert.equal((await packed("--bad-rows", `reject=${rejects}`)).split("\n").length, 3);
  assert.match(gunzipSync(readFileSync(rejects)).toString(), /x;b/);
  assert.match(await packed("--only", "invalid", "--format", "ndjson"), /^(\{.*\}\n)?$/);
});

test("the end of an output's name chooses its format, also of a packed one, unless --format does", async () => {
  const rows = newFile(folder, `{"iban":"${commerzbank}"}\n`);
  const firstOf = async (name: string, from: string, ...args: string[]) => {
    const bytes = await written(from, join(folder, name), "--force", "--select", "status", ...args);
    return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString().split("\n")[0];
  };
  assert.equal(await firstOf("named.csv", rows), "iban,status");
  assert.equal(await firstOf("named.csv.gz", rows), "iban,status");
  assert.equal(await firstOf("named.jsonl", input), `{"iban":"${commerzbank}","status":1}`);
  assert.equal(await firstOf("named.txt", rows), `{"iban":"${commerzbank}","status":1}`);
  assert.match((await firstOf("named.csv", rows, "--format", "ndjson")) ?? "", /^\{/);
});

test("a workbook is refused as an output, and zstd where Node cannot write it; nothing is created", async () => {
  const workbook = /x\.xlsx would be a workbook, and the output is CSV or NDJSON; name it \.csv/;
  await expectEnd(checkHere(input, join(folder, "x.xlsx")), 1, workbook);
  const zst = join(folder, "x.csv.zst");
  if ("zstdCompress" in zlib) assert.equal((await written(input, zst)).readUInt32LE(0), 0xfd2fb528);
  else await expectEnd(checkHere(input, zst), 1, /x\.csv\.zst needs Node 22\.15 or later; name it \.gz\.\n$/);
  assert.deepEqual(namesIn(folder, "x.xlsx"), []);
});

test("a German Excel gets a byte order mark and semicolons", async () => {
  const file = newFile(folder, `a,n\n${commerzbank},1\n`);
  for (const [args, delimiter] of [
    [["--bom"], ","],
    [["--bom", "--output-delimiter", ";"], ";"],
  ] as const) {
    const output = await written(file, join(folder, "excel.csv"), ...args, "--select", "status", "--force");
    const rows = `a,n,status\n${commerzbank},1,1\n`.replaceAll(",", delimiter);
    assert.equal(output.toString(), `\ufeff${rows}`);
  }
});
