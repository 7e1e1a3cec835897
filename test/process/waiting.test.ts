import assert from "node:assert/strict";
import { test } from "node:test";
import { within } from "../../src/process/waiting.ts";

test("what takes too long is given up", async () => {
  await assert.rejects(within(1, new Promise(() => {})), /within 1 ms/);
  await assert.rejects(within(1_000, Promise.reject(new Error("at once"))), /at once/);
  assert.equal(await within(1_000, Promise.resolve(1)), 1);
});
