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
import { namesIn, newFolder } from "../../support/folders.ts";
import { commandEntry, startCommand } from "../../support/start-command.ts";
import { bankcheck, serviceEnvironment } from "../with-service.ts";

let environment: Awaited<ReturnType<typeof serviceEnvironment>>;
const folder = newFolder();
const input = join(folder, "input.csv");
before(async () => {
  environment = await serviceEnvironment();
  mkdirSync(join(folder, "bin"));
  symlinkSync(commandEntry, join(folder, "bin/bankcheck"));
  writeFileSync(input, `iban\n${"DE89370400440532013000\n".repeat(20_000)}`);
});

const check = (output: string, ...args: readonly string[]) =>
  startCommand(["check", input, "-o", output, ...args], environment);

/** Checks in this process, for what is not about processes. */
const checkHere = (file: string, output: string, args: readonly string[], more = {}) =>
  bankcheck(["check", file, "-o", output, ...args], more);

/** Runs a line of a shell that finds `bankcheck` as where it is installed, and what else the environment holds. */
function shell(line: string) {
  const PATH = `${join(folder, "bin")}:${process.env["PATH"]}`;
  const result = spawnSync("bash", ["--norc", "-c", line], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH, ...environment, input },
  });
  return { exit: result.status, stdout: result.stdout, stderr: result.stderr };
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
  for (const name of [output, join(folder, "shared-link.csv")]) {
    for (const args of [[], ["--force"], ["--resume"]]) {
      const { exit, stderr } = await checkHere(input, name, args);
      assert.equal(exit, 1);
      assert.match(stderr, /^Another run \(process \d+ on .*\) is writing to .*shared\.csv\./);
    }
  }
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
  assert.equal((await checkHere(input, link, ["-q", "--force"])).exit, 0);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(statSync(real).mode & 0o777, 0o600);
  assert.match(readFileSync(real, "utf8"), /^iban,status/);
  const dangling = join(folder, "dangling.csv");
  symlinkSync("made.csv", dangling);
  assert.equal((await checkHere(input, dangling, ["-q"])).exit, 0);
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
    const elsewhere = { BANKCHECK_URL: requests.url };
    const { exit, stderr } = await checkHere(input, output, ["--force"], elsewhere);
    assert.equal(exit, 1, stderr);
    assert.match(stderr, reason);
  }
  // The names that a run uses beside its output are the input's at times.
  for (const name of ["own.csv.part", "own.csv.resume.json"]) {
    const own = join(folder, name);
    writeFileSync(own, "iban\nDE89370400440532013000\n");
    const { exit, stderr } = await checkHere(own, join(folder, "own.csv"), ["--force"], {
      BANKCHECK_URL: requests.url,
    });
    assert.equal(exit, 1, stderr);
    assert.match(
      stderr,
      /^The run would write to .*own\.csv\.\w+.*, which is the input; name another file\.\n$/,
    );
    assert.equal(readFileSync(own, "utf8").length, 28);
    rmSync(own);
  }
  const redirected = shell('BANKCHECK_URL=http://127.0.0.1:1 bankcheck check -o "$input" --force < "$input"');
  assert.deepEqual([redirected.exit, /is the input/.test(redirected.stderr)], [1, true]);
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
  const unread = await check(fifo, "-q", "--force").result;
  assert.deepEqual(
    [unread.exit, unread.stderr],
    [2, `The reader of ${fifo} closed it before all rows were written.\n`],
  );
  assert.equal((await checkHere(input, "/dev/null", ["-q", "--force"])).exit, 0);
  assert.ok(statSync("/dev/null").isCharacterDevice());
  const through = shell(
    'bankcheck check "$input" -q -o >(gzip > through.gz) && wait $! && zcat through.gz | wc -l',
  );
  assert.equal(through.stdout.trim(), "20001", through.stderr);
});

test("a pipe without a reader does not keep a run from being interrupted", async () => {
  const fifo = join(folder, "unread");
  spawnSync("mkfifo", [fifo]);
  const assumed = join(folder, "assumed.csv");
  writeFileSync(assumed, "customer;number\nMeyer;DE89370400440532013000\n");
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
  const rows = { stdout: "20001\n", exit: 0 };
  for (const line of [
    'gzip -c "$input" > copy.gz; bankcheck check <(zcat copy.gz) -q | wc -l',
    'cat "$input" | bankcheck check /dev/stdin -q | wc -l',
    'bankcheck check -q < "$input" | wc -l',
    'cat "$input" | bankcheck check -q --offline | wc -l',
  ]) {
    const { stdout, exit, stderr } = shell(line);
    assert.deepEqual({ stdout, exit }, rows, `${line}: ${stderr}`);
  }
});

test("output without a reader ends a command quietly, and a full disk with one sentence", () => {
  for (const line of [
    "set -o pipefail; bankcheck search sparkasse --max 50 --timeout 60000 | head -1 >/dev/null",
    'set -o pipefail; bankcheck check "$input" -q | head -1 >/dev/null',
    'set -o pipefail; bankcheck check "$input" -q -o /dev/stdout | head -1 >/dev/null',
    "set -o pipefail; bankcheck keys list --state-dir . | true",
  ]) {
    const { exit, stderr } = shell(line);
    assert.equal(stderr, "", line);
    assert.equal(exit, 0, line);
  }
  for (const line of [
    "bankcheck iban DE89370400440532013000 --timeout 60000 > /dev/full",
    "bankcheck --help > /dev/full",
    "bankcheck data stats > /dev/full",
    'bankcheck check "$input" -q > /dev/full',
    'bankcheck check "$input" -q -o /dev/full --force',
  ]) {
    const { exit, stderr } = shell(line);
    const says = line.includes("-o /dev/full")
      ? /^The disk is full \(ENOSPC\)\.\n$/
      : /^[^\n]*ENOSPC[^\n]*\n$/;
    assert.match(stderr, says, line);
    assert.equal(exit, 2, line);
  }
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
  const { exit, stderr } = await checkHere(input, output, args, { BANKCHECK_KEY: "wrong" });
  assert.equal(exit, 3);
  assert.ok(!stderr.includes("--resume"), stderr);
  assert.deepEqual(namesIn(folder, "refused"), []);
  assert.equal((await checkHere(input, output, args)).exit, 0);
});

test("rejected rows never replace the input or the output, and may go to a device", async () => {
  const own = join(folder, "own.csv");
  writeFileSync(own, "iban,n\nDE89370400440532013000,1\nx,2,3\n");
  const output = join(folder, "own-checked.csv");
  const reject = (file: string) => checkHere(own, output, ["-q", "--force", `--bad-rows=reject=${file}`]);
  for (const file of [own, output, `${output}.part`]) {
    const { exit, stderr } = await reject(file);
    assert.equal(exit, 1);
    assert.match(stderr, /is the input or the output/);
    assert.match(readFileSync(own, "utf8"), /x,2,3/);
  }
  const shared = join(folder, "rejected.csv");
  const lock = await lockOutput(shared);
  const second = await reject(shared);
  await lock.release();
  assert.match(second.stderr, /^Another run .* is writing to .*rejected\.csv\./);
  const { exit, stderr } = await reject("/dev/null");
  assert.equal(exit, 0, stderr);
});

test("several files have a folder of rejected rows, and a resume skips those that are complete", async () => {
  const names = ["one.csv", "two.csv"];
  const inputs = names.map((name) => join(folder, name));
  for (const file of inputs) writeFileSync(file, `iban,n\nDE89370400440532013000,1\n${file},2,3\n`);
  const target = join(folder, "many");
  const args = ["check", ...inputs, "-o", target, "--bad-rows", "reject", join(folder, "bad")];
  const first = await bankcheck(args);
  assert.equal(first.exit, 0, first.stderr);
  for (const [index, name] of names.entries())
    assert.equal(readFileSync(join(folder, "bad", name), "utf8"), `iban,n\n${inputs[index]},2,3\n`);
  for (const place of ["many", "bad"]) rmSync(join(folder, place, "two.csv"));
  const { exit, stderr } = await bankcheck([...args, "--resume"]);
  assert.equal(exit, 0, stderr);
  assert.match(stderr, /one\.csv is complete already\.\n/);
  assert.ok(existsSync(join(target, "two.csv")));
  const failing = await bankcheck([...args, "--resume", "--fail-on-invalid"]);
  assert.equal(failing.exit, 4, "rows of files that are complete count as well");
  assert.deepEqual(readdirSync(target), names);
});

test("several outputs that are links leave no state behind, nor the lock of rejected rows where one fails", async () => {
  const [target, real] = ["links", "real"].map((name) => join(folder, name));
  const names = ["left.csv", "right.csv"];
  for (const place of [target!, real!]) mkdirSync(place);
  for (const name of names) {
    writeFileSync(join(folder, name), "iban\nDE89370400440532013000\n");
    symlinkSync(join(real!, name), join(target!, name));
  }
  const inputs = names.map((name) => join(folder, name));
  const { exit, stderr } = await bankcheck(["check", ...inputs, "-o", target!]);
  assert.equal(exit, 0, stderr);
  assert.deepEqual(readdirSync(real!), names);
  mkdirSync(join(real!, "failed.csv.part"));
  const failed = await checkHere(inputs[0]!, join(real!, "failed.csv"), [
    `--bad-rows=reject=${join(target!, "rejected")}`,
  ]);
  assert.equal(failed.exit, 2, failed.stderr);
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
  fill("DE89370400440532013000");
  assert.equal((await run()).exit, 0);
  fill("GB29NWBK60161331926819");
  appendFileSync(inputs[1]!, '"a" b\n');
  assert.equal((await run("--force")).exit, 1);
  assert.match((await run()).stderr, /first\.csv is not complete: --resume /);
  assert.ok(existsSync(join(target, "first.csv")), "a run that is refused leaves a complete output in place");
  const kept = readFileSync(state);
  writeFileSync(state, "{");
  assert.match((await run("--resume")).stderr, /^\S+ cannot be read; --force starts over\.\n$/);
  writeFileSync(state, kept);
  fill("GB29NWBK60161331926819");
  assert.equal((await run("--resume")).exit, 0);
  for (const name of names)
    assert.equal(readFileSync(join(target, name), "utf8"), "iban,valid\nGB29NWBK60161331926819,true\n");
});

test("a disk that takes no state promises no resume", async () => {
  const output = join(folder, "no-state.csv");
  const { exit, stderr } = await startCommand(["check", input, "-o", output, "-q"], environment, "", 0)
    .result;
  assert.equal(exit, 2, stderr);
  assert.match(stderr, /^[^\n]*EFBIG[^\n]*\n$/);
  assert.ok(!stderr.includes("--resume"), stderr);
});

test("an output whose name ends in .gz is packed, also that of rejected rows, and also without rows", async () => {
  const packed = join(folder, "packed.csv.gz");
  const odd = join(folder, "odd.csv");
  writeFileSync(odd, 'iban;name\nDE89370400440532013000;a\n"x;b\n');
  const rejects = join(folder, "rejects.gz");
  const args = ["--force", "--bad-rows", `reject=${rejects}`];
  assert.equal((await checkHere(odd, packed, args)).exit, 0);
  assert.equal(gunzipSync(readFileSync(packed)).toString().split("\n").length, 3);
  assert.match(gunzipSync(readFileSync(rejects)).toString(), /x;b/);
  assert.equal(
    (await checkHere(odd, packed, ["--force", "--only", "invalid", "--format", "ndjson"])).exit,
    0,
  );
  assert.match(gunzipSync(readFileSync(packed)).toString(), /^(\{.*\}\n)?$/);
});

test("the end of an output's name chooses its format, also of a packed one, unless --format does", async () => {
  const rows = join(folder, "rows.ndjson");
  writeFileSync(rows, '{"iban":"DE89370400440532013000"}\n');
  const firstOf = async (name: string, from: string, ...args: string[]) => {
    const output = join(folder, name);
    assert.equal((await checkHere(from, output, ["--force", "--select", "status", ...args])).exit, 0);
    const bytes = readFileSync(output);
    return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString().split("\n")[0];
  };
  assert.equal(await firstOf("named.csv", rows), "iban,status");
  assert.equal(await firstOf("named.csv.gz", rows), "iban,status");
  assert.equal(await firstOf("named.jsonl", input), '{"iban":"DE89370400440532013000","status":1}');
  assert.equal(await firstOf("named.txt", rows), '{"iban":"DE89370400440532013000","status":1}');
  assert.match((await firstOf("named.csv", rows, "--format", "ndjson")) ?? "", /^\{/);
});

test("a workbook is refused as an output, and zstd where Node cannot write it; nothing is created", async () => {
  const { exit, stderr } = await checkHere(input, join(folder, "x.xlsx"), []);
  assert.equal(exit, 1);
  assert.match(stderr, /x\.xlsx would be a workbook, and the output is CSV or NDJSON; name it \.csv/);
  const zst = await checkHere(input, join(folder, "x.csv.zst"), []);
  if ("zstdCompress" in zlib) {
    assert.equal(zst.exit, 0);
    assert.equal(readFileSync(join(folder, "x.csv.zst")).readUInt32LE(0), 0xfd2fb528);
  } else {
    assert.equal(zst.exit, 1);
    assert.match(zst.stderr, /x\.csv\.zst needs Node 22\.15 or later; name it \.gz\.\n$/);
  }
  assert.deepEqual(namesIn(folder, "x.xlsx"), []);
});

test("a German Excel gets a byte order mark and semicolons", async () => {
  const [file, output] = [join(folder, "comma.csv"), join(folder, "excel.csv")];
  writeFileSync(file, "a,n\nDE89370400440532013000,1\n");
  for (const [args, delimiter] of [
    [["--bom"], ","],
    [["--bom", "--output-delimiter", ";"], ";"],
  ] as const) {
    assert.equal((await checkHere(file, output, [...args, "--select", "status", "--force"])).exit, 0);
    const rows = "a,n,status\nDE89370400440532013000,1,1\n".replaceAll(",", delimiter);
    assert.equal(readFileSync(output, "utf8"), `\ufeff${rows}`);
  }
});
