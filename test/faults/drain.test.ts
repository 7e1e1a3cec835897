import assert from "node:assert/strict";
import { test } from "node:test";
import { batchOf, startMarkedService } from "./marked-service.ts";
import { markers } from "./markers.ts";

const iban = "DE89370400440532013000";

test("a stopping service answers the tasks of its worker and only then ends", async () => {
  const stopping = await startMarkedService();
  const held = await stopping.check(markers.gate);
  await stopping.gate.reachedBy(1);
  const behind = await stopping.send(batchOf(iban));
  await stopping.inside(2);
  let isStopped = false;
  const stop = stopping.stopAsItIs().finally(() => (isStopped = true));
  await assert.rejects(stopping.check(iban), "no new connection is taken");
  assert.equal(isStopped, false);
  stopping.gate.open();
  for (const connection of [held, behind]) {
    const answer = await connection.answer();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("connection"), "close");
    await connection.closed;
  }
  await stop;
});

test("a service whose worker hangs for ever still stops after the stop timeout", async () => {
  const stopping = await startMarkedService({ STOP_TIMEOUT: "200" });
  const held = await stopping.check(markers.gate);
  await stopping.gate.reachedBy(1);
  const started = performance.now();
  await stopping.stopAsItIs();
  assert.ok(performance.now() - started < 30_000);
  await held.closed;
});
