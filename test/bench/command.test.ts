import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { run as runBench } from "../../bench/bench.ts";
import { reportFile } from "../../bench/command.ts";
import { findGenerator } from "../../bench/load/generator.ts";
import { readResult } from "../../bench/report/report.ts";
import { loadTestTarget } from "../../bench/target/target.ts";
import { newFolder } from "../support/folders.ts";
import { closed, listen } from "../support/listen.ts";
import { words } from "../support/words.ts";

const folder = newFolder();
after(() => delete process.env["BANKCHECK_KEY"]);

/** Calls what is to end the process, and returns what it wrote before. */
async function sentenceOf({ mock }: TestContext, call: () => unknown): Promise<string> {
  const write = mock.method(process.stderr, "write", () => true);
  const exit = mock.method(process, "exit", (code: number) => {
    throw new Error(`exit ${code}`);
  });
  await assert.rejects(async () => call(), /^Error: exit 1$/);
  exit.mock.restore();
  write.mock.restore();
  return write.mock.calls.map(({ arguments: [text] }) => String(text)).join("");
}

/** Runs a command of the bench; the folder has no package.json, so that a build would fail. */
function ended(...words: readonly string[]) {
  const cli = fileURLToPath(new URL("../../bench/cli.ts", import.meta.url));
  const tsx = import.meta.resolve("tsx");
  return spawnSync(process.execPath, ["--import", tsx, cli, ...words], { cwd: folder, encoding: "utf8" });
}

test("help needs no build and fits 80 columns", () => {
  for (const words of [["bench"], ["tune"], ["overload"]]) {
    const { status, stdout } = ended(...words, "--help");
    assert.equal(status, 0);
    assert.match(stdout, /^Usage: /);
    assert.doesNotMatch(stdout, /.{81}/);
  }
});

test("numbers outside their bounds, and texts that are not numbers, are refused before the build", () => {
  for (const [option, text, expected] of [
    ["--rounds", "1.5", "It takes a whole number from 1 to 99."],
    ["--rounds", "0", "It takes a whole number from 1 to 99."],
    ["--sizes", "1,many", "It takes whole numbers from 1 to 64."],
    ["--levels", "1,,2", "It takes numbers from 0.01 to 10."],
  ] as const) {
    const { status, stderr } = ended("tune", option, text);
    assert.equal(status, 1);
    assert.ok(stderr.includes(expected), stderr);
  }
});

test("a report is left alone until it is written, and a place where it cannot be is refused at once", async (context) => {
  const file = join(folder, "new", "report.html");
  assert.equal(reportFile("tune", file), file);
  assert.ok(!existsSync(file));
  writeFileSync(file, "before");
  reportFile("tune", file);
  assert.equal(readFileSync(file, "utf8"), "before");
  for (const place of [folder, "/proc/report.html"]) {
    const said = await sentenceOf(context, () => reportFile("tune", place));
    assert.match(said, /^--output takes a file to write the report to \(E/);
  }
});

test("a load test without a key, with a wrong address or limits sends nothing, and repeats no secret", async (context) => {
  const texts = { target: "http://127.0.0.1:9", load: "singles", maxSingles: 9, maxBatches: 9, duration: 60 };
  const refused = async (part: Partial<typeof texts>, key: string) => {
    process.env["BANKCHECK_KEY"] = key;
    const output = join(folder, "target.html");
    return await sentenceOf(context, () => loadTestTarget({ ...texts, output, ...part }));
  };
  assert.match(await refused({}, ""), /^No API key: set BANKCHECK_KEY/);
  assert.match(await refused({}, "secret key"), /^BANKCHECK_KEY is not an API key(?!.*secret)/);
  for (const target of words`
    example.org ftp://a.example http://me:secret@a.example http://a/?key=secret
  `) {
    const said = await refused({ target }, "key");
    assert.match(said, /^--target takes the address of a service as https(?!.*secret)/);
  }
  assert.match(await refused({ duration: 5 }, "key"), /^--duration takes at least 12 seconds/);
  assert.match(await refused({ load: "all" }, "key"), /^--load takes singles, batches, mix/);
});

test("a file that is not a result is refused in one sentence", async (context) => {
  for (const [name, text, sentence] of [
    ["empty.json", "", /\n$/],
    ["other.json", "{}", /other\.json is not the JSON result of a run: it has no loads\.\n$/],
  ] as const) {
    const file = join(folder, name);
    writeFileSync(file, text);
    assert.match(await sentenceOf(context, () => readResult(file)), sentence);
  }
});

test("another checkout that is not built is refused before any server starts", async (context) => {
  const effort = { rounds: 1, seconds: 1, rows: 1, duration: 1, maxSingles: 1, maxBatches: 1 };
  const call = () => runBench({ ...effort, only: "", load: "", against: folder });
  const said = /^--against takes .+ has no \.dist\/src\/main\.js: build it there\.\n$/;
  assert.match(await sentenceOf(context, call), said);
});

test("with wrk and without it the bench sends the same closed loops, for as long as it says", async () => {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    request.setEncoding("utf8").once("data", (body) => seen.add(body.slice(0, 11)));
    seen.add(`${request.method} ${request.url}`);
    request.on("end", () => response.end("{}"));
  });
  const url = `http://127.0.0.1:${await listen(server)}/v1/iban?explain=1`;
  const { PATH } = process.env;
  process.env["PATH"] = folder;
  const own = findGenerator();
  process.env["PATH"] = PATH;
  assert.match(own.name, /since wrk is not installed/);
  // Where wrk is installed it is measured too, which takes whole seconds.
  for (const generator of [own, findGenerator()]) {
    const seconds = generator.secondsFor(0.3);
    assert.equal(seconds, generator.name.startsWith("wrk") ? 1 : 0.3);
    seen.clear();
    for (const batch of [undefined, 1]) {
      const result = await generator.send({ url, connections: 2, seconds, batch });
      assert.deepEqual([result.refused, result.failures], [0, 0]);
      const { answers, goodput, p50, p99 } = result;
      assert.ok(answers > 0 && goodput! > 0 && p99! >= p50!, JSON.stringify(result));
    }
    assert.deepEqual([...seen], ["GET /v1/iban?explain=1", "POST /v1/iban?explain=1", '{"ibans":["']);
  }
  await closed(server);
});
