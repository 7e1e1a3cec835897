import assert from "node:assert/strict";
import { test } from "node:test";
import { buildDirectory } from "../../src/banks/directory/build.ts";
import { plain } from "../../src/checks/answer.ts";
import { germanBank, italianBank, someEdition } from "../banks/records.ts";
import { KernelMemory } from "../support/kernel-memory.ts";

const memory = new KernelMemory(buildDirectory([germanBank(), italianBank()], someEdition));
const canary = 0xa5;
const guarded = 1_024;
const untouched = Buffer.alloc(guarded, canary);
/** Kernel.writeBatch speaks of "some 4 KB". */
const spareRoom = 5_500;

/** Answers a body within `room` bytes, and says whether anything before or behind them was written to. */
function answerWithin(entries: readonly string[], room: number): string | undefined {
  const body = Buffer.from(JSON.stringify({ ibans: entries }));
  const { bytes, output, kernel } = memory;
  bytes.fill(canary, output - guarded, output);
  bytes.fill(canary, output + room, output + room + guarded);
  const length = kernel.writeBatch(memory.placeOf(body, room), plain);
  assert.ok(untouched.equals(bytes.subarray(output - guarded, output)), "written before the room");
  const behind = bytes.subarray(output + room, output + room + guarded);
  assert.ok(untouched.equals(behind), "written behind the room");
  return length < 0 ? undefined : bytes.toString("utf8", output, output + length);
}

const batches: Readonly<Record<string, readonly string[]>> = {
  "one right IBAN": ["DE89370400440532013000"],
  "one IBAN with spaces": ["de89 3704 0044 0532 0130 00"],
  "one unknown bank": ["DE12500105170648489890"],
  "an unregistered country": ["QQ12500105170648489890"],
  "no IBAN": ["x"],
  "a long string that is not an IBAN": ["-".repeat(3_000)],
  "a long string in the form of an IBAN": [`DE${"1".repeat(3_000)}`],
  "more entries than one block": Array.from("1234567".repeat(6), (digit) => `DE8937040044053201300${digit}`),
};

for (const [name, entries] of Object.entries(batches)) {
  test(`a room too small for ${name} is refused and nothing beyond it is written`, () => {
    const expected = memory.expectedBatch(entries).toString();
    let smallest = Number.POSITIVE_INFINITY;
    for (let room = 0; room <= expected.length + spareRoom; room++) {
      const answer = answerWithin(entries, room);
      if (answer === undefined) {
        assert.ok(room < smallest, `${room} bytes do not do, ${smallest} did`);
        continue;
      }
      smallest = Math.min(smallest, room);
      assert.equal(answer, expected);
    }
    assert.ok(smallest >= expected.length, `${smallest} were needed`);
    assert.ok(smallest <= expected.length + spareRoom, `${smallest} were needed`);
  });
}

test("an answer may end at the end of the memory", () => {
  const body = Buffer.from('{"ibans":["DE89370400440532013000"]}');
  const { bytes, kernel, output } = memory;
  bytes.set(body, output);
  const room = 8_192;
  const place = { input: output, inputLength: body.length, output: bytes.length - room, outputRoom: room };
  const length = kernel.writeBatch(place, plain);
  const answer = bytes.toString("utf8", bytes.length - room, bytes.length - room + length);
  assert.equal(answer, memory.expectedBatch(["DE89370400440532013000"]).toString());
});
