import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { LogSink } from "../../src/process/log.ts";
import { until } from "../faults/gate.ts";
import { IdlePipe } from "../pipe.ts";
import { newFolder } from "../support/folders.ts";
import { notLinux } from "../support/process-figures.ts";

test("lines reach a file in their order, however long they are", async () => {
  const path = join(newFolder(), "log");
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
  const written = () => readFileSync(path, "utf8").replaceAll(/^\{.*\n/gm, "");
  await until(() => written().length === expected.length);
  assert.equal(written(), expected);
  assert.ok(sink.dropped > 0);
  closeSync(fd);
});

test("a pipe without a reader keeps the lines it has room for, counts the rest, and reports them once it is read", {
  skip: notLinux,
}, async () => {
  const pipe = new IdlePipe(join(newFolder(), "pipe"));
  const sink = new LogSink(pipe.writer, 10_000);
  for (let line = 0; line < 2_000; line++) {
    sink.log.info({ line }, "filler");
    if (line % 50 === 0) await new Promise(setImmediate);
  }
  await sink.flush(50);
  assert.ok(sink.dropped > 0);
  const lines: { line?: number; dropped?: number }[] = [];
  const reported = () => lines.reduce((sum, { dropped = 0 }) => sum + dropped, 0);
  const numbers = () => lines.flatMap(({ line }) => line ?? []);
  await until(async () => {
    for (const line of pipe.read().split("\n")) if (line !== "") lines.push(JSON.parse(line));
    await sink.flush(200);
    return reported() === sink.dropped && numbers().length >= 2_000 - sink.dropped;
  });
  assert.equal(numbers().length, 2_000 - sink.dropped);
  assert.deepEqual(
    numbers(),
    numbers().toSorted((one, other) => one - other),
  );
  assert.equal(sink.isWriting, false);
  pipe.close();
});
