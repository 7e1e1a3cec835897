import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { runAgainst } from "../../bench/against.ts";
import { numberOf, numbersOf, prepareOutput } from "../../bench/command.ts";
import { findGenerator } from "../../bench/load/generator.ts";
import { benchTarget } from "../../bench/target.ts";
import { newFolder } from "../support/folders.ts";
import { shippedMix } from "../support/shipped-directory.ts";

const folder = newFolder();
after(() => {
  delete process.env["BANKCHECK_KEY"];
});

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

test("numbers outside their bounds, and texts that are not numbers, are refused in one sentence", async (context) => {
  const bounds = { min: 1, max: 9, isWhole: true };
  assert.equal(numberOf("rounds", "3", bounds), 3);
  assert.deepEqual(numbersOf("sizes", "4,1, 2,1", bounds), [1, 2, 4]);
  for (const text of ["", "x", "0", "10", "1.5", "1,2", "Infinity"]) {
    assert.equal(
      await sentenceOf(context, () => numberOf("rounds", text, bounds)),
      `--rounds takes a whole number from 1 to 9, but is ${JSON.stringify(text)}.\n`,
    );
  }
  assert.match(
    await sentenceOf(context, () => numbersOf("sizes", "1,,2", bounds)),
    /takes whole numbers from 1/,
  );
});

test("a report is left alone until it is written, and a place where it cannot be is refused at once", async (context) => {
  const file = join(folder, "new", "report.html");
  prepareOutput(file);
  assert.ok(!existsSync(file));
  writeFileSync(file, "before");
  prepareOutput(file);
  assert.equal(readFileSync(file, "utf8"), "before");
  for (const place of [folder, "/proc/report.html"]) {
    assert.match(
      await sentenceOf(context, () => prepareOutput(place)),
      /^--output takes a file to write the report to \(E/,
    );
  }
});

test("a load test without a key, with a wrong address or limits sends nothing, and repeats no secret", async (context) => {
  const texts = { target: "http://127.0.0.1:9", "max-singles": "9", "max-batches": "9", "max-seconds": "60" };
  const refused = async (part: Partial<typeof texts>, key: string) => {
    process.env["BANKCHECK_KEY"] = key;
    const output = join(folder, "target.html");
    return await sentenceOf(context, () => benchTarget({ ...texts, output, ...part }));
  };
  assert.match(await refused({}, ""), /^No API key: set BANKCHECK_KEY/);
  assert.match(await refused({}, "secret key"), /^BANKCHECK_KEY is not an API key(?!.*secret)/);
  for (const target of [
    "example.org",
    "ftp://a.example",
    "http://me:secret@a.example",
    "http://a/?key=secret",
  ]) {
    assert.match(
      await refused({ target }, "key"),
      /^--target takes the address of a service as https(?!.*secret)/,
    );
  }
  assert.match(
    await refused({ "max-seconds": "5" }, "key"),
    /^--max-seconds takes a number from 12 to 100000/,
  );
});

test("another checkout that is not built is refused before any server starts", async (context) => {
  const { generate } = findGenerator();
  const mix = await shippedMix();
  const effort = { rounds: 1, seconds: 1 };
  const call = () => runAgainst(folder, () => true, mix, generate, effort);
  assert.match(
    await sentenceOf(context, call),
    /^--against takes .+ has no \.dist\/src\/main\.js: build it there\.\n$/,
  );
});

test("without wrk the bench's own generator sends the same loads", async () => {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    seen.add(`${request.method} ${request.url} ${request.headers["content-length"] ?? ""}`);
    request.resume().on("end", () => response.end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/iban?explain=1`;
  const { PATH } = process.env;
  process.env["PATH"] = folder;
  const { name, generate } = findGenerator();
  process.env["PATH"] = PATH;
  assert.match(name, /since wrk is not installed/);
  for (const load of [{}, { pauseMs: 20, bodies: ['{"ibans":[]}'] }]) {
    const result = await generate({ url, connections: 2, seconds: 0.3, ...load });
    assert.deepEqual([result.refusedPerSecond, result.socketErrors], [0, 0]);
    assert.ok(result.answers > 0 && result.perSecond > 0 && result.p99 >= result.p50, JSON.stringify(result));
  }
  assert.deepEqual([...seen], ["GET /v1/iban?explain=1 ", "POST /v1/iban?explain=1 12"]);
  server.closeAllConnections();
  server.close();
});
