import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { expectError } from "../contract/error-table.ts";
import { checkOf, startMarkedService, useMarkedService } from "./marked-service.ts";
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
    const next = await connection.ask(checkOf(iban));
    assert.equal((JSON.parse(next.body.toString()) as { data: { iban: string } }).data.iban, iban);
    assert.equal(connection.unread, "");
    connection.destroy();
  }
});

/** What is promised of a short time; on a busy machine, of a longer one. */
async function holdsInTime(isKept: (timeout: number) => Promise<boolean>): Promise<void> {
  assert.ok((await isKept(2_000)) || (await isKept(6_000)) || (await isKept(30_000)));
}

test("a task that has waited for longer than it has run when its time is up is refused, since a later try may succeed", (t) =>
  // The first one must be answered within its time, and the time of the second one be up soon after.
  holdsInTime(async (timeout) => {
    const slow = await startMarkedService({ CHECK_TIMEOUT: String(timeout) });
    t.after(slow.stop);
    const before = await slow.check(markers.gate);
    await slow.inside(1);
    const behind = await slow.check(markers.gate);
    await slow.inside(2);
    await delay(timeout * 0.8);
    slow.gate.letThrough();
    if ((await before.answer()).status !== 200) return false;
    const refused = await behind.answer();
    if (refused.status !== 503) return false;
    expectError(refused, "server_busy");
    return true;
  }));

test("a thread that hangs beyond the hard limit is replaced, and what waited for it is done", (t) =>
  // Another thread must come up within the time of what waits.
  holdsInTime(async (timeout) => {
    const settings = { CHECK_TIMEOUT: String(timeout), CHECK_HARD_LIMIT: String(timeout + 200) };
    const stuck = await startMarkedService(settings);
    t.after(stuck.stop);
    expectError(await (await stuck.check(markers.gate)).answer(), "checker_failed");
    const { status } = await (await stuck.check(iban)).answer();
    await stuck.inside(0);
    return status === 200;
  }));
