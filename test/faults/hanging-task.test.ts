import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { expectError } from "../contract/error-table.ts";
import { requestBytes } from "../http/raw-socket.ts";
import { startMarkedService, useMarkedService } from "./marked-service.ts";
import { markers } from "./markers.ts";

const checkTimeout = 300;
const service = useMarkedService({ CHECK_TIMEOUT: String(checkTimeout) });

const iban = "DE89370400440532013000";

test("a task that hangs is answered after the check timeout and sends nothing more when it comes back; one that no worker has begun by then is refused, never done, and its place is free at once", async () => {
  const started = performance.now();
  const holder = await service.check(markers.gate);
  const behind = await service.check(iban);
  expectError(await behind.answer(), "server_busy");
  expectError(await holder.answer(), "checker_failed");
  const elapsed = performance.now() - started;
  // A timer may be a millisecond early.
  assert.ok(elapsed >= checkTimeout - 1, `answered after ${elapsed} ms`);
  // The place is taken as long as the worker is.
  await service.inside(1);
  service.gate.open();
  await service.inside(0);
  for (const connection of [holder, behind]) {
    const next = await connection.ask(requestBytes("GET", `/v1/iban/${iban}`));
    assert.equal((JSON.parse(next.body.toString()) as { data: { iban: string } }).data.iban, iban);
    assert.equal(connection.unread, "");
    connection.destroy();
  }
});

test("a task that has waited for longer than it has run when its time is up is refused, since a later try may succeed", async () => {
  const isRefused = async (timeout: number) => {
    const slow = await startMarkedService({ CHECK_TIMEOUT: String(timeout) });
    try {
      const before = await slow.check(markers.gate);
      await slow.inside(1);
      const behind = await slow.check(markers.gate);
      await slow.inside(2);
      await delay(timeout * 0.8);
      slow.gate.letThrough();
      const { status } = await before.answer();
      const refused = await behind.answer();
      for (const connection of [before, behind]) connection.destroy();
      if (status !== 200 || refused.status !== 503) return false;
      expectError(refused, "server_busy");
      return true;
    } finally {
      await slow.stop();
    }
  };
  // The first one must be answered within its time, and the time of the second one be up soon after: not on a busy machine.
  assert.ok((await isRefused(2_000)) || (await isRefused(6_000)) || (await isRefused(30_000)));
});

test("a thread that hangs beyond the hard limit is replaced, and what waited for it is done", async () => {
  const isNextDone = async (timeout: number) => {
    const settings = { CHECK_TIMEOUT: String(timeout), CHECK_HARD_LIMIT: String(timeout + 200) };
    const stuck = await startMarkedService(settings);
    try {
      const holder = await stuck.check(markers.gate);
      expectError(await holder.answer(), "checker_failed");
      const next = await stuck.check(iban);
      const { status } = await next.answer();
      await stuck.inside(0);
      for (const connection of [holder, next]) connection.destroy();
      return status === 200;
    } finally {
      await stuck.stop();
    }
  };
  // Another thread must come up within the time of what waits, which may take long on a busy machine.
  assert.ok((await isNextDone(2_000)) || (await isNextDone(6_000)) || (await isNextDone(30_000)));
});
