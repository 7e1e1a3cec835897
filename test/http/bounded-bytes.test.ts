import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type BoundedBytes, boundedBytes, unsentAnswers } from "../../src/http/bounded-bytes.ts";

const holder = {};
const maxBytes = { keyedAnswers: 100, keylessAnswers: 30 };

/** Adds answers of these sizes in bytes, with or without a key, and returns which of them were cut. */
function cutOf(answers: readonly (readonly [name: string, bytes: number, hasKey: boolean])[]): string[] {
  const unsent = unsentAnswers(60_000, maxBytes);
  const cut: string[] = [];
  for (const [name, bytes, hasKey] of answers) {
    unsent.add({ holder: hasKey ? holder : undefined, cut: () => cut.push(name) }, bytes);
  }
  assert.equal(unsent.size, answers.length - cut.length);
  unsent.close();
  return cut;
}

const paid = (name: string, bytes: number) => [name, bytes, true] as const;
const unpaid = (name: string, bytes: number) => [name, bytes, false] as const;
const strangers = Array.from({ length: 50 }, (_, index) => unpaid(`s${index}`, 10));

type Waiting = readonly [what: string, answers: Parameters<typeof cutOf>[0], cut: readonly string[]];
/** Answers in the order in which they come, and which of them are cut. */
const waiting: readonly Waiting[] = [
  [
    "clients without a key have a small share, and the oldest of them is cut first",
    [unpaid("a", 10), unpaid("b", 10), unpaid("c", 10), unpaid("d", 15)],
    ["a", "b"],
  ],
  [
    "beyond the total the answer that has waited longest is cut",
    [paid("old", 40), unpaid("stranger", 20), paid("new", 50), paid("newest", 30)],
    ["old"],
  ],
  ["an answer that alone is longer than the total is cut", [paid("long", 101)], ["long"]],
  [
    "answers to a key are kept, however much clients without a key leave unread",
    [paid("paid", 60), ...strangers, paid("paid too", 40)],
    strangers.slice(0, -3).map(([name]) => name),
  ],
  [
    "shared bytes are never too many",
    [...Array.from({ length: 100 }, (_, index) => unpaid(`s${index}`, 0)), unpaid("a", 31)],
    ["a"],
  ],
];

for (const [what, answers, cut] of waiting) test(what, () => assert.deepEqual(cutOf(answers), cut));

test("bytes are counted, bounded and let go", () => {
  const kept = boundedBytes<string>(60_000, 10, () => {});
  const keepEach = (...asked: readonly (readonly [item: string, bytes: number, isKept: boolean])[]) => {
    for (const [item, bytes, isKept] of asked)
      assert.equal(kept.keep(item, bytes), isKept, `${bytes} of ${item}`);
  };
  kept.begin("a");
  kept.begin("b");
  assert.equal(kept.size, 2);
  keepEach(["a", 4, true], ["a", 2, true], ["b", 5, false], ["b", 4, true]);
  kept.end("a");
  keepEach(["b", 7, false], ["b", 6, true]);
  kept.end("a");
  keepEach(["b", 1, false]);
  kept.end("b");
  keepEach(["b", 10, true]);
  assert.equal(kept.size, 0);
  kept.close();
});

const milliseconds = 300;
const sweep = 100;

/** Items on a clock that the test moves, and what has expired on it so far. */
function onClock(t: TestContext, expires: (kept: BoundedBytes<string>) => void = () => {}) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const expired: string[] = [];
  const kept: BoundedBytes<string> = boundedBytes(milliseconds, 10, (item) => {
    expired.push(item);
    expires(kept);
  });
  t.after(() => kept.close());
  return { kept, expired, pass: (passed: number) => t.mock.timers.tick(passed) };
}

test("an item expires once, not before its time and at most two sweeps later", (t) => {
  for (const late of [0, 1, sweep / 2, sweep - 1]) {
    const { kept, expired, pass } = onClock(t);
    pass(late);
    kept.begin("a");
    for (const [passed, expected] of [
      [milliseconds - 1, []],
      [2 * sweep + 1, ["a"]],
      [10 * milliseconds, ["a"]],
    ] as const) {
      pass(passed);
      assert.deepEqual(expired, expected, `added ${late} ms after a sweep`);
    }
    assert.equal(kept.size, 0);
    t.mock.timers.reset();
  }
});

test("items expire in the order they were added, each in its own time, and one that is removed does not", (t) => {
  const { kept, expired, pass } = onClock(t);
  kept.begin("removed");
  kept.begin("a");
  kept.end("removed");
  kept.end("never");
  pass(2 * sweep);
  kept.begin("b");
  kept.begin("c");
  pass(milliseconds);
  assert.deepEqual(expired, ["a"]);
  pass(2 * sweep);
  assert.deepEqual(expired, ["a", "b", "c"]);
});

test("an item that expires has let its bytes go, and may take others away; nothing expires after the end", (t) => {
  const { kept, expired, pass } = onClock(t, (items) => {
    assert.equal(items.keep("c", 10), true);
    items.end("c");
    items.end("b");
  });
  for (const item of ["a", "b", "c"]) kept.begin(item);
  kept.keep("a", 10);
  pass(2 * milliseconds);
  assert.deepEqual(expired, ["a"]);
  kept.begin("d");
  kept.close();
  assert.equal(kept.size, 0);
  pass(10 * milliseconds);
  assert.deepEqual(expired, ["a"]);
});
