import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AnswerBytes, piece } from "../../src/checks/answer-bytes.ts";

const room = new Uint8Array(4_096);

/** What an answer's bytes are after something was written to it, and that nothing was written beyond them. */
function written(write: (answer: AnswerBytes) => void): string {
  room.fill(0xee);
  const answer = new AnswerBytes();
  answer.open(room);
  write(answer);
  assert.ok(
    room.subarray(answer.position).every((byte) => byte === 0xee),
    "nothing stands behind the answer",
  );
  return Buffer.from(room.subarray(0, answer.position)).toString("utf8");
}

const escaped = (text: string): string => {
  const source = Buffer.from(`<<${text}>>`);
  return written((answer) => answer.copyEscaped(source, 2, source.length - 4));
};

test("escaped text is what JSON.stringify writes between its quotes", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 300 });
  const controls = fc.string({
    unit: fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCodePoint(code)),
    maxLength: 300,
  });
  fc.assert(
    fc.property(fc.oneof(anyText, controls), (text) => {
      assert.equal(escaped(text), JSON.stringify(text).slice(1, -1));
    }),
    { numRuns: 1_000 },
  );
});

test("each code point below U+0100 and those at the bounds of UTF-8 are escaped as JSON.stringify does", () => {
  const points = [
    ...Array(256).keys(),
    0x7ff,
    0x800,
    0x2028,
    0x2029,
    0xd7ff,
    0xe000,
    0xfeff,
    0xffff,
    0x10000,
    0x10ffff,
  ];
  for (const point of points) {
    const text = String.fromCodePoint(point);
    assert.equal(escaped(text), JSON.stringify(text).slice(1, -1), `U+${point.toString(16)}`);
  }
});

test("bytes are copied as they are, at every length and from any place", () => {
  const source = Uint8Array.from({ length: 200 }, (_, index) => 32 + (index % 90));
  for (let length = 0; length <= 100; length++) {
    const text = written((answer) => answer.copy(source, 7, length));
    assert.equal(text, Buffer.from(source.subarray(7, 7 + length)).toString("latin1"), String(length));
  }
});

test("pieces, texts and copies stand behind each other", () => {
  const text = written((answer) => {
    answer.put(piece('{"ä":"'));
    answer.copyEscaped(Buffer.from('"'), 0, 1);
    answer.text('€"');
    answer.copy(Buffer.from("xyz"), 1, 1);
    answer.put(piece("}"));
  });
  assert.equal(text, '{"ä":"\\"€"y}');
});

test("an answer that is opened anew begins at the beginning", () => {
  const answer = new AnswerBytes();
  answer.open(room);
  answer.text("first");
  answer.open(room);
  assert.equal(answer.position, 0);
  answer.text("2nd");
  assert.equal(Buffer.from(room.subarray(0, 5)).toString(), "2ndst");
});
