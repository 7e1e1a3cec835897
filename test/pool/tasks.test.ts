import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { maxBatchIbans, maxBodyBytes } from "../../src/contract/limits.ts";
import { beginsLikeBatch } from "../../src/pool/raw-batch.ts";
import { SlotField, smallRoom } from "../../src/pool/slot-layout.ts";
import { allocateSlots, SlotMemory } from "../../src/pool/slot-memory.ts";
import {
  decodeText,
  encodeBatch,
  encodeRawBatch,
  encodeTexts,
  packedLength,
  rawBatch,
  TaskKind,
} from "../../src/pool/tasks.ts";

const memory = new SlotMemory(allocateSlots(1, 1));
const small = memory.slot(0);
const large = memory.slot(1);

/** Reads a packed batch back: texts, and undefined for entries that were no strings. */
function unpacked(): (string | undefined)[] {
  const entries: (string | undefined)[] = [];
  let position = 0;
  for (let index = 0; index < large.get(SlotField.count); index++) {
    const length = packedLength(large.input, position);
    position += 4;
    entries.push(length < 0 ? undefined : large.input.toString("utf8", position, position + length));
    if (length > 0) position += length;
  }
  assert.equal(position, large.get(SlotField.inputLength));
  return entries;
}

const text = fc.string({ unit: "binary", maxLength: 80 });
/** Four of them fit a small slot. */
const shortText = fc.string({ unit: "binary", maxLength: 60 });

test("up to four texts come out as they went in", () => {
  fc.assert(
    fc.property(fc.array(shortText, { minLength: 1, maxLength: 4 }), fc.nat(7), (texts, flags) => {
      encodeTexts(small, TaskKind.account, flags, texts);
      assert.equal(small.get(SlotField.kind), TaskKind.account);
      assert.equal(small.get(SlotField.flags), flags);
      assert.deepEqual(
        texts.map((_, index) => decodeText(small, index)),
        texts,
      );
      assert.equal(small.get(SlotField.inputLength), Buffer.byteLength(texts.join("")));
    }),
  );
});

test("texts fill a small slot to its last byte", () => {
  const texts = ["a".repeat(smallRoom.input - 3), "€"];
  encodeTexts(small, TaskKind.search, 0, texts);
  assert.equal(small.get(SlotField.inputLength), smallRoom.input);
  assert.equal(decodeText(small, 1), "€");
});

test("the entries of a batch come out as they went in, those that are no strings in their place", () => {
  const entry = fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: fc.anything() });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: maxBatchIbans }), (entries) => {
      encodeBatch(large, entries);
      assert.equal(large.get(SlotField.kind), TaskKind.batch);
      assert.deepEqual(
        unpacked(),
        entries.map((value) => (typeof value === "string" ? value : undefined)),
      );
    }),
  );
});

test("a lone surrogate becomes the replacement character and costs no other entry", () => {
  encodeBatch(large, ["\ud800", "a", "\udc00b", ""]);
  assert.deepEqual(unpacked(), ["\ufffd", "a", "\ufffdb", ""]);
});

/** Bodies of 128 KB that take most room once they are packed. */
const fullBodies: Readonly<Record<string, string>> = {
  "one long entry": JSON.stringify({ ibans: ["x".repeat(maxBodyBytes - 14)] }),
  "500 entries": JSON.stringify({ ibans: Array(500).fill("x".repeat(259)) }),
  "three bytes a character": JSON.stringify({ ibans: Array(500).fill("€".repeat(86)) }),
  "four bytes a character": JSON.stringify({ ibans: Array(500).fill("😀".repeat(64)) }),
  "lone surrogates": `{"ibans":["${"\\ud800".repeat(21_800)}"]}`,
  "500 entries that are no strings": JSON.stringify({ ibans: Array(500).fill(0) }),
};

for (const [what, body] of Object.entries(fullBodies)) {
  test(`a body within the limit always fits its slot: ${what}`, () => {
    const bytes = Buffer.from(body);
    assert.ok(bytes.length <= maxBodyBytes, String(bytes.length));
    const { ibans } = JSON.parse(body) as { ibans: readonly unknown[] };
    encodeBatch(large, ibans);
    assert.equal(unpacked().length, ibans.length);
    encodeRawBatch(large, bytes);
    assert.deepEqual(Buffer.from(rawBatch(large)), bytes);
  });
}

test("any body of a batch within the limit fits its slot, however it is escaped", () => {
  // Each entry costs three bytes of JSON beside its text (quotes and comma) and four once packed.
  const worst = `{"ibans":[${Array(maxBatchIbans).fill('"x"').join(",")}]}`;
  const grown = maxBatchIbans * 4 - (worst.length - maxBatchIbans);
  assert.ok(grown <= large.input.length - maxBodyBytes, `packing may add ${grown} bytes`);
});

test("a batch that does not fit is refused before anything is written beyond the slot", () => {
  assert.throws(() => encodeBatch(large, ["x".repeat(large.input.length - 3)]), RangeError);
  assert.throws(() => encodeBatch(large, ["x".repeat(large.input.length - 8), "", "x"]), RangeError);
  encodeBatch(large, ["x".repeat(large.input.length - 4)]);
});

const likeBatch: Readonly<Record<string, boolean>> = {
  '{"ibans":[]}': true,
  ' \t\r\n{ \n"ibans" : 7': true,
  '{"ibans"': true,
  '{"iban":"x"}': false,
  '{"ibanss":[]}': false,
  '{"ibans': false,
  '["ibans"]': false,
  '{"x":1,"ibans":[]}': false,
  '{"\\u0069bans":[]}': false,
  "": false,
  "   ": false,
  "{": false,
};

for (const [body, expected] of Object.entries(likeBatch)) {
  test(`${JSON.stringify(body)} ${expected ? "begins" : "does not begin"} like a batch`, () => {
    assert.equal(beginsLikeBatch(Buffer.from(body)), expected);
  });
}
