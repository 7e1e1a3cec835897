import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { LogSink, makeLog } from "../src/log.ts";

const notLinux = process.platform === "linux" ? false : "needs Linux";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bankcheck-test-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("lines reach a file in their order, however long they are", async () => {
  const path = join(folder, "log");
  const fd = openSync(path, "a");
  const sink = new LogSink(fd);
  const lines = Array.from({ length: 5_000 }, (_, line) => `${line} ${"ä".repeat(line % 3_000)}\n`);
  let expected = "";
  for (const line of lines) {
    const { dropped } = sink;
    sink.write(line);
    if (sink.dropped === dropped) expected += line;
    else await sink.flush(1_000);
  }
  await sink.flush(1_000);
  assert.equal(readFileSync(path, "utf8"), expected);
  assert.ok(sink.dropped > 0);
  closeSync(fd);
});

test("a pipe that nobody reads keeps what there is room for, counts the rest, and tells of it once it is read", {
  skip: notLinux,
}, async () => {
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const writer = openSync(path, "w");
  const sink = new LogSink(writer, 10_000);
  const log = makeLog(sink);
  for (let line = 0; line < 2_000; line++) {
    log.info({ line }, "filler");
    if (line % 50 === 0) await new Promise(setImmediate);
  }
  await sink.flush(50);
  const { dropped } = sink;
  assert.ok(dropped > 0);
  const bytes = Buffer.alloc(1_000_000);
  let text = "";
  for (let round = 0; round < 50 && !text.includes('"dropped"'); round++) {
    text += bytes.toString("utf8", 0, readSync(reader, bytes));
    await sink.flush(200);
  }
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { line?: number; dropped?: number });
  assert.equal(lines.at(-1)?.dropped, dropped);
  assert.equal(lines.length, 2_000 - dropped + 1);
  const numbers = lines.slice(0, -1).map(({ line }) => line!);
  assert.deepEqual(
    numbers,
    numbers.toSorted((one, other) => one - other),
  );
  assert.equal(sink.isWriting, false);
  closeSync(reader);
  closeSync(writer);
});
