import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Deadlines } from "../../src/http/bounded-bytes.ts";

const length = 300;
const sweep = 100;

/** Deadlines on a clock that the test moves, and what has expired on it so far. */
function onClock(t: TestContext) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const expired: string[] = [];
  const deadlines = new Deadlines<string>(length, (item) => expired.push(item), sweep);
  t.after(() => deadlines.close());
  return { deadlines, expired, pass: (milliseconds: number) => t.mock.timers.tick(milliseconds) };
}

test("an item expires once, not before its time and at most two sweeps later", (t) => {
  for (const late of [0, 1, sweep / 2, sweep - 1]) {
    const { deadlines, expired, pass } = onClock(t);
    pass(late);
    deadlines.add("a");
    pass(length - 1);
    assert.deepEqual(expired, [], `added ${late} ms after a sweep`);
    pass(2 * sweep + 1);
    assert.deepEqual(expired, ["a"], `added ${late} ms after a sweep`);
    pass(10 * length);
    assert.deepEqual(expired, ["a"]);
    assert.equal(deadlines.size, 0);
    t.mock.timers.reset();
  }
});

test("an item that is removed does not expire, nor does one that was never added matter", (t) => {
  const { deadlines, expired, pass } = onClock(t);
  deadlines.add("a");
  deadlines.add("b");
  deadlines.delete("a");
  deadlines.delete("never");
  assert.equal(deadlines.size, 1);
  pass(3 * length);
  assert.deepEqual(expired, ["b"]);
});

test("items expire in the order they were added, each in its own time", (t) => {
  const { deadlines, expired, pass } = onClock(t);
  deadlines.add("a");
  pass(2 * sweep);
  deadlines.add("b");
  deadlines.add("c");
  pass(length);
  assert.deepEqual(expired, ["a"]);
  pass(2 * sweep);
  assert.deepEqual(expired, ["a", "b", "c"]);
});

test("an item may take others away while it expires", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const expired: string[] = [];
  const deadlines: Deadlines<string> = new Deadlines<string>(
    length,
    (item) => {
      expired.push(item);
      deadlines.delete("b");
    },
    sweep,
  );
  for (const item of ["a", "b", "c"]) deadlines.add(item);
  t.mock.timers.tick(2 * length);
  assert.deepEqual(expired, ["a", "c"]);
  deadlines.close();
});

test("nothing expires after the end", (t) => {
  const { deadlines, expired, pass } = onClock(t);
  deadlines.add("a");
  deadlines.close();
  assert.equal(deadlines.size, 0);
  pass(10 * length);
  assert.deepEqual(expired, []);
});
