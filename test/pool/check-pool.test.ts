import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import { loadEdition } from "../../src/banks/editions/load.ts";
import { defaultPolicy } from "../../src/banks/lookup/account-policy.ts";
import { compileKernel } from "../../src/kernel/kernel.ts";
import { kernelTables } from "../../src/kernel/kernel-tables.ts";
import { type CheckPool, type CheckPoolOptions, openCheckPool } from "../../src/pool/check-pool.ts";
import { largeRoom, type Slot, SlotState } from "../../src/pool/slots.ts";
import { decodeRefusal, encodeTask, TaskFlag } from "../../src/pool/tasks.ts";
import type { TenantOwner } from "../../src/pool/tenant.ts";
import { dataFolder } from "../banks/shipped.ts";
import { Gate, until } from "../faults/gate.ts";
import { markers } from "../faults/markers.ts";

const iban = "DE89370400440532013000";
const fillWith = (text: string) => (slot: Slot) => encodeTask(slot, "checkIbanByPath", 0, text);
const answerOf = (slot: Slot) => slot.answer.toString();
const workerFile = fileURLToPath(new URL("../faults/marked-thread.js", import.meta.url));

/** Waits until no request is inside any more. */
const empty = (of: CheckPool) => until(() => of.admission.inside === 0);

let gate: Gate;
let options: CheckPoolOptions;
let pool: CheckPool;
before(async () => {
  gate = Gate.make();
  options = {
    size: 1,
    queue: 2,
    checkTimeout: 60_000,
    checkHardLimit: 120_000,
    workerFile,
    kernel: await compileKernel(),
    kernelTables: kernelTables(),
    observeAccounts: defaultPolicy.observed,
  };
  pool = openCheckPool(options);
  await pool.ready();
  await pool.editions.replace(async (room) => {
    const { edition } = await loadEdition({ dataFolder, day: "2026-09-07", room });
    return edition.german;
  });
});
after(async () => {
  gate.open();
  await pool.close();
});

/** Submits one check and returns its answer, or undefined if it failed. */
function check(text: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    pool.submit("small", pool.tenantOf(), fillWith(text), (slot, outcome) => {
      resolve(outcome === "answered" ? answerOf(slot) : undefined);
    });
  });
}

test("slots of both sizes have separate places up to the ceiling, and beyond it nothing is filled, answered or counted", async () => {
  const { admission } = pool;
  const busy = { code: "server_busy" };
  const never = () => assert.fail("it was refused");
  for (const sizes of [
    ["small", "small", "small"],
    ["small", "large", "large"],
  ] as const) {
    gate.shut();
    const refused = admission.refused.queue_full;
    const numbers: number[] = [];
    const remember = (slot: Slot) => {
      numbers.push(slot.number);
      fillWith(markers.gate)(slot);
    };
    for (const size of sizes) pool.submit(size, pool.tenantOf(), remember, () => {});
    assert.equal(admission.ceiling, sizes.length);
    assert.throws(() => admission.admit("small", pool.tenantOf()), busy);
    for (const size of ["small", "large"] as const)
      assert.throws(() => pool.submit(size, pool.tenantOf(), never, never), busy);
    assert.deepEqual([admission.refused.queue_full, admission.inside], [refused + 3, sizes.length]);
    assert.equal(new Set(numbers).size, sizes.length);
    const small = numbers.filter((number) => number < admission.ceiling);
    assert.equal(small.length, sizes.filter((size) => size === "small").length);
    gate.open();
    await empty(pool);
  }
  admission.admit("small", pool.tenantOf());
});

test("a task that cannot be written leaves its place free", async () => {
  for (let round = 0; round < 2 * pool.admission.ceiling; round++) {
    const tooLong = fillWith("x".repeat(largeRoom.input + 1));
    assert.throws(() => pool.submit("large", pool.tenantOf(), tooLong, () => {}), {
      code: "payload_too_large",
    });
  }
  assert.equal(pool.admission.inside, 0);
  assert.match((await check(iban)) ?? "", /"status":1/);
});

test("a finished request holds no place against another key", async () => {
  const german = (slot: Slot) => encodeTask(slot, "checkIbanByPath", TaskFlag.german, iban);
  const checked = () => new Promise((done) => pool.submit("small", pool.tenantOf(), german, done));
  // Tasks that are known to be cheap are all posted at once.
  for (let round = 0; round < 64; round++) await checked();
  const slots: Slot[] = [];
  const outcomes: string[] = [];
  const flood = {};
  for (let place = 0; place < pool.admission.ceiling; place++) {
    const remember = (slot: Slot) => {
      slots.push(slot);
      german(slot);
    };
    pool.submit("small", pool.tenantOf(flood), remember, (_, outcome) => outcomes.push(outcome));
  }
  await nextTurn();
  // This thread is busy until the workers have done it all.
  const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const isDone = ({ state }: Slot) => state === SlotState.answered || state === SlotState.free;
  while (!slots.every(isDone)) Atomics.wait(pause, 0, 0, 1);
  await new Promise<void>((resolve) => {
    pool.submit("small", pool.tenantOf({}), fillWith(iban), () => resolve());
    assert.deepEqual(outcomes, ["answered", "answered", "answered"]);
    assert.equal(pool.admission.inside, 1);
  });
  assert.equal(pool.admission.refused.gave_way, 0);
  await empty(pool);
});

test("a refused batch is charged to its key as one check, not as the batch that had its slot before", async () => {
  const limited = { limits: { maxPerSecond: 10 } };
  const submitted = (owner: TenantOwner | undefined, body: string) =>
    new Promise<boolean>((resolve) => {
      const fill = (slot: Slot) => encodeTask(slot, "batch", 0, Buffer.from(body));
      pool.submit("large", pool.tenantOf(owner), fill, (slot) => resolve(decodeRefusal(slot) === undefined));
    });
  assert.equal(await submitted(undefined, JSON.stringify({ ibans: new Array(20).fill(iban) })), true);
  await empty(pool);
  assert.equal(await submitted(limited, '{"ibans":{}}'), false);
  await empty(pool);
  pool.admission.admit("small", pool.tenantOf(limited));
});

test("a pool that is closed fails what is inside and does not spin", async () => {
  gate.shut();
  const closing = openCheckPool(options);
  await closing.ready();
  const outcomes: string[] = [];
  for (let place = 0; place < closing.admission.ceiling; place++) {
    const report = (_: Slot, outcome: string) => void outcomes.push(outcome);
    closing.submit("small", closing.tenantOf(), fillWith(markers.gate), report);
  }
  await nextTurn();
  await nextTurn();
  await closing.close();
  await empty(closing);
  assert.deepEqual(outcomes, ["unbegun", "unbegun", "unbegun"]);
  gate.open();
});

test("a worker module that cannot be loaded stops the start", async () => {
  await assert.rejects(openCheckPool({ ...options, workerFile: "/nowhere/worker.js" }).ready());
});

test("a worker that dies is counted, and its replacement's work is added to its own", async () => {
  const { restarts } = pool.counts;
  assert.match((await check(iban)) ?? "", /"status":1/);
  const [before = 0] = pool.busyMs;
  assert.ok(before > 0);
  assert.equal(await check(markers.exit), undefined);
  assert.match((await check(iban)) ?? "", /"status":1/);
  assert.equal(pool.counts.restarts, restarts + 1);
  const [then = 0, ...others] = pool.busyMs;
  assert.ok(then > before);
  assert.deepEqual(others, []);
});

test("a thread that ends while it starts is replaced, also where it was itself a replacement", async () => {
  const module = createRequire(import.meta.url)("node:worker_threads") as { Worker: typeof Worker };
  const original = module.Worker;
  let ends = 3;
  // As if something killed the next threads before they have loaded their code.
  module.Worker = class extends original {
    constructor(...values: ConstructorParameters<typeof Worker>) {
      super(...values);
      if (ends-- > 0) void this.terminate();
    }
  };
  try {
    assert.equal(await check(markers.exit), undefined);
    await until(async () => (await check(iban)) !== undefined);
    assert.ok(ends < 0, `${ends} are left`);
  } finally {
    module.Worker = original;
  }
});
