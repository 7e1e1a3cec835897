import assert from "node:assert/strict";
import { test } from "node:test";
import { maxStreamLineBytes } from "../../../src/contract/limits.ts";
import { openPace, openTurns } from "../../../src/http/stream/pace.ts";
import type { StreamQuestion } from "../../../src/pool/stream/stream-task.ts";
import { until } from "../../faults/gate.ts";
import { PlayedStream } from "../../support/played-stream.ts";
import { questionOf } from "../../support/stream-blocks.ts";

const iban = "DE89370400440532013000";
const noRest = () => 0;

test("no more callers have a turn than may, and the others follow in their order", () => {
  const turns = openTurns(2, noRest);
  const begun: string[] = [];
  const ask = (name: string) => {
    const begin = () => void begun.push(name);
    turns.ask(begin);
    return begin;
  };
  const [, , , gone] = ["a", "b", "c", "d", "e"].map(ask);
  assert.deepEqual(begun, ["a", "b"]);
  turns.forget(gone!);
  turns.end(1);
  turns.end(1);
  assert.deepEqual(begun, ["a", "b", "c", "e"]);
});

test("a turn with a rest is free again after it, and soon where its work has waited for a processor", async () => {
  const turns = openTurns(1, () => 10);
  let begun = 0;
  for (let turn = 0; turn < 3; turn++) turns.ask(() => begun++);
  turns.end(1);
  assert.equal(begun, 1);
  await until(() => begun === 2);
  turns.end(1_000_000);
  await until(() => begun === 3);
});

test("no stream reads on while all hold too much of their bodies, but one where it must", () => {
  let held = 1_000_000_000;
  const { reads } = openPace({ size: 2, counts: { submissions: 0 } }, () => held);
  let begun = 0;
  for (let times = 0; times < 3; times++) reads.ask(() => begun++);
  assert.equal(begun, 0);
  reads.beginNext(true);
  assert.equal(begun, 1);
  reads.end(0);
  assert.equal(begun, 1);
  held = 0;
  reads.beginNext();
  assert.equal(begun, 2);
  reads.end(0);
  assert.equal(begun, 3);
});

test("blocks are short and turns rest while others ask, and neither when only streams do", (t) => {
  t.mock.method(performance, "now", () => 1_000);
  const pool = { size: 2, counts: { submissions: 100 } };
  const pace = openPace(pool, () => 0);
  const secondTurn = () => {
    let begun = 0;
    pace.blocks.ask(() => {});
    pace.blocks.ask(() => begun++);
    pace.blocks.end(1_000);
    return begun > 0;
  };
  pace.begin();
  assert.equal(pace.blockBytes(1), maxStreamLineBytes);
  pool.counts.submissions++;
  pace.submitting();
  assert.equal(pace.blockBytes(1), maxStreamLineBytes);
  assert.ok(secondTurn());
  pace.blocks.end(0);
  pool.counts.submissions++;
  assert.ok(pace.blockBytes(1) < 10_000);
  assert.equal(pace.blockBytes(1e-9), maxStreamLineBytes);
  assert.ok(!secondTurn());
});

const long = `"${"x".repeat(20_000)}\n${"y".repeat(20_000)}"`;
const asText = questionOf({ input: "text", output: "ndjson" });
const bodies: Readonly<Record<string, readonly [StreamQuestion, string]>> = {
  text: [asText, `${iban}\n`.repeat(4_000)],
  "text without a line end": [asText, `${iban}\n`.repeat(2_000) + iban],
  "CSV with rows longer than a short block": [
    questionOf(),
    `iban,note\n${`${iban},a\n`.repeat(1_000)}${`${iban},${long}\n${iban},b\n`.repeat(20)}`,
  ],
  "CSV with one row": [questionOf(), `iban\n${iban}\n`],
  "a line that is too long": [asText, `${iban}\n`.repeat(2_000) + "x".repeat(200_000)],
};

for (const [name, [question, body]] of Object.entries(bodies)) {
  test(`a stream that makes room for others is answered with the same bytes: ${name}`, async () => {
    const answerOf = async (makesRoom: boolean) => {
      const played = new PlayedStream(question, { makesRoom });
      // A rest is as many times as long as the work before it, which on a busy machine may take any time.
      await played.send(Buffer.from(body), { pieceBytes: 30_000, maxIdle: 50_000 });
      await until(() => played.isClosed);
      return played;
    };
    const [alone, beside] = [await answerOf(false), await answerOf(true)];
    assert.equal(Buffer.concat(beside.sent).toString(), Buffer.concat(alone.sent).toString());
    assert.equal(beside.counted, alone.counted);
    if (body.length > 90_000) assert.ok(beside.blocks > alone.blocks, `${beside.blocks} blocks`);
  });
}
