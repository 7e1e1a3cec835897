import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { forgetSpare } from "../../../src/http/stream/stream-body.ts";
import type { StreamQuestion } from "../../../src/pool/stream/stream-task.ts";
import { until } from "../../faults/gate.ts";
import { type PlayedOptions, PlayedStream } from "../../support/played-stream.ts";
import { randomOf } from "../../support/random.ts";
import { lineOptions, questionOf } from "../../support/stream-blocks.ts";

const random = randomOf(15);
const maxHeldBytes = 1_048_576;
const iban = "DE89370400440532013000";

const text = questionOf({ input: "text", output: "ndjson" });
const lines = Buffer.from(`${iban}\n`.repeat(200_000));
const row = `${iban};${'"x";'.repeat(10)}\n`;

const longest = { options: { ...lineOptions, explain: true, reason: true } };
const bomb = gzipSync(Buffer.alloc(64_000_000, `${iban}\n`));

type Case = readonly [name: string, StreamQuestion, body: string | Uint8Array, how?: PlayedOptions];
const cases: readonly Case[] = [
  ["one that never reads", text, lines, { takes: () => false }],
  ["one that reads now and then", text, lines, { takes: () => random(10) > 0 }],
  ["one endless line", text, "x".repeat(4_000_000)],
  ["one endless row", questionOf(), `iban;a\n${iban};"${"x\n".repeat(1_000_000)}`],
  ["lines with the longest answers", text, lines, longest],
  ["rows with the longest answers", questionOf(), `iban${";a".repeat(11)}\n${row.repeat(30_000)}`],
  ["a gzip bomb", text, bomb, { isPacked: true, takes: () => false }],
];

for (const [name, question, body, how = {}] of cases) {
  test(`a stream holds at most a megabyte of its client's: ${name}`, async () => {
    const played = new PlayedStream(question, how);
    await played.send(Buffer.from(body));
    played.close();
    assert.ok(played.maxHeld <= maxHeldBytes, `${played.maxHeld} bytes held`);
    assert.ok(played.sent.length > 0 && played.maxHeld > 0);
  });
}

test("a client that dribbles byte by byte is answered each line once", async () => {
  // The memory of the streams above.
  forgetSpare();
  const played = new PlayedStream(text);
  await played.send(Buffer.from(`${iban}\n`.repeat(40)), { pieceBytes: 1 });
  await until(() => played.isClosed);
  assert.equal(played.counted, 40);
  assert.ok(played.maxHeld < 10_000, `${played.maxHeld} bytes held`);
});

test("a client that takes nothing may do so longer than one that is waited for may send nothing", async () => {
  const played = new PlayedStream(text, { takes: () => false });
  await played.send(lines);
  const now = performance.now();
  played.stream.look(now + 30_000);
  assert.equal(played.brokenBy, undefined);
  played.stream.look(now + 61_000);
  assert.equal(played.brokenBy, "cut");
  assert.equal(played.logged, "its client read nothing for 60 s, which perhaps sends its whole body first");
});

test("a stream whose block the pool refuses is answered with the error, or logged where it is cut off", async () => {
  const brokenBy = async (isBegun: boolean) => {
    const played = new PlayedStream(text, { isRefused: true, isBegun });
    await played.send(lines.subarray(0, 1_000));
    return [played.brokenBy, played.logged];
  };
  assert.deepEqual(await brokenBy(false), ["checker_failed", undefined]);
  assert.deepEqual(await brokenBy(true), ["cut", "a block failed"]);
});
