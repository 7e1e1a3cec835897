import assert from "node:assert/strict";
import { test } from "node:test";
import { IncomingBodies } from "../../src/http/incoming-bodies.ts";

test("what is kept of unfinished bodies is counted, bounded and let go", () => {
  const incoming = new IncomingBodies<string>(60_000, () => {}, 10);
  incoming.begin("a");
  incoming.begin("b");
  assert.equal(incoming.size, 2);
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
  assert.equal(incoming.size, 0);
  incoming.close();
});
