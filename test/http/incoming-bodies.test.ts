import assert from "node:assert/strict";
import { test } from "node:test";
import { IncomingBodies } from "../../src/http/incoming-bodies.ts";

test("what is kept of unfinished bodies is counted, bounded and let go", () => {
  const incoming = new IncomingBodies<string>(60_000, () => {}, 10);
  incoming.begin("a");
  incoming.begin("b");
  assert.equal(incoming.keep("a", 4), true);
  assert.equal(incoming.keep("a", 2), true);
  assert.equal(incoming.keep("b", 5), false);
  assert.equal(incoming.keep("b", 4), true);
  assert.equal(incoming.total, 10);
  incoming.end("a");
  assert.equal(incoming.total, 4);
  incoming.end("a");
  assert.equal(incoming.total, 4);
  incoming.end("b");
  assert.equal(incoming.total, 0);
  incoming.close();
});

test("that none is on its way is told at once, or when the last one has come", async () => {
  const incoming = new IncomingBodies<string>(60_000, () => {});
  await incoming.none();
  incoming.begin("a");
  incoming.begin("b");
  let isQuiet = false;
  const quiet = incoming.none().then(() => {
    isQuiet = true;
  });
  incoming.end("a");
  await Promise.resolve();
  assert.equal(isQuiet, false);
  incoming.end("b");
  await quiet;
  incoming.close();
});
