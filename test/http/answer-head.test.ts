import assert from "node:assert/strict";
import { test } from "node:test";
import { dataHead, newRequestNumber, requestIdOfNumber } from "../../src/http/answer-head.ts";

test("each request without an id gets another number, and each number another id", () => {
  const numbers = Array.from({ length: 2_000 }, newRequestNumber);
  assert.equal(new Set(numbers).size, numbers.length);
  const ids = [...numbers, 2 ** 25, 2 ** 30, 2 ** 32 + 1, 2 ** 45 - 1].map(requestIdOfNumber);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[\w-]{18}$/);
});

test("the head of an answer from data names the id of its own request, not of the one before", () => {
  const head = dataHead("2026-09-07", "en");
  for (const number of [1, 2 ** 40 - 1, 31, 32]) {
    const lines = Buffer.from(head(number)).toString("latin1").split("\r\n");
    assert.deepEqual(lines, [
      "200 OK",
      `X-Request-Id: ${requestIdOfNumber(number)}`,
      "X-Data-Edition: 2026-09-07",
      "Content-Type: application/json",
      "X-Content-Type-Options: nosniff",
      "Cache-Control: no-store",
      "Keep-Alive: timeout=7",
    ]);
  }
});
