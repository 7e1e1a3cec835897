import assert from "node:assert/strict";
import { test } from "node:test";
import { RateLimit } from "../../src/http/rate-limits.ts";

test("a rate limit saves up what one second allows, however long the pause, and parts of it add up", (t) => {
  let now = 1_000;
  t.mock.method(performance, "now", () => now);
  const limit = new RateLimit(3);
  const takenAfter = (ms: number) => {
    now += ms;
    let taken = 0;
    while (limit.take()) taken++;
    return taken;
  };
  assert.deepEqual([0, 0, 500, 500, 60_000].map(takenAfter), [3, 0, 1, 2, 3]);
});
