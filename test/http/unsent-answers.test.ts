import assert from "node:assert/strict";
import { test } from "node:test";
import { UnsentAnswers } from "../../src/http/unsent-answers.ts";
import { until } from "../faults/gate.ts";

const holder = {};
const limits = { maxBytes: 100, maxKeylessBytes: 30 };

/** Adds answers of so many bytes, with or without a key, and returns which of them were cut. */
function cutOf(answers: readonly (readonly [name: string, bytes: number, hasKey: boolean])[]): string[] {
  const unsent = new UnsentAnswers(60_000, limits);
  const cut: string[] = [];
  for (const [name, bytes, hasKey] of answers) {
    unsent.add({ holder: hasKey ? holder : undefined, cut: () => cut.push(name) }, bytes);
  }
  assert.equal(unsent.size, answers.length - cut.length);
  unsent.close();
  return cut;
}

test("clients without a key have a small share, and the oldest of them is cut first", () => {
  assert.deepEqual(
    cutOf([
      ["a", 10, false],
      ["b", 10, false],
      ["c", 10, false],
      ["d", 15, false],
    ]),
    ["a", "b"],
  );
});

test("whatever clients without a key leave unread, answers to a key are kept", () => {
  const strangers = Array.from({ length: 50 }, (_, index) => [`s${index}`, 10, false] as const);
  const cut = cutOf([["paid", 60, true], ...strangers, ["paid too", 40, true]]);
  assert.ok(!cut.includes("paid") && !cut.includes("paid too"), cut.join());
});

test("beyond the total those without a key go first, then the oldest", () => {
  assert.deepEqual(
    cutOf([
      ["old", 40, true],
      ["stranger", 20, false],
      ["new", 50, true],
      ["newest", 30, true],
    ]),
    ["stranger", "old"],
  );
});

test("bytes that are there anyway are never too many", () => {
  const shared = Array.from({ length: 100 }, (_, index) => [`s${index}`, 0, false] as const);
  assert.deepEqual(cutOf(shared), []);
  assert.deepEqual(cutOf([...shared, ["a", 31, false]]), ["a"]);
});

test("an answer that is not taken in time is cut", async () => {
  const unsent = new UnsentAnswers(20);
  let isCut = false;
  unsent.add({ holder, cut: () => (isCut = true) }, 1);
  await until(() => isCut);
  unsent.close();
});
