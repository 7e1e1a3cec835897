import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FairQueue } from "../../src/pool/fair-queue.ts";
import { SlotMemory } from "../../src/pool/slots.ts";
import { Tenant } from "../../src/pool/tenant.ts";
import { allocateSlots } from "../support/slots.ts";

const { slots } = new SlotMemory(allocateSlots(256, 0));

/** A queue of slot numbers; each costs 1 by default. */
function setUp() {
  const costs = new Float64Array(slots.length).fill(1);
  const all = new FairQueue();
  const queue = {
    push: (tenant: Tenant, number: number) => {
      const slot = slots[number]!;
      slot.tenant = tenant;
      slot.expectedCost = costs[number]!;
      all.push(slot);
    },
    take: (maxCost?: number) => all.take(maxCost)?.number,
    remove: (number: number) => all.remove(slots[number]!),
  };
  return { costs, queue };
}

type Queue = ReturnType<typeof setUp>["queue"];

/** Takes up to `count` slots from the queue. */
function take(queue: Queue, count = slots.length): number[] {
  return Array.from({ length: count }, () => queue.take()).filter((slot) => slot !== undefined);
}

test("while clients of a tenant give up, the newest come first, and the oldest are not starved", () => {
  const { queue } = setUp();
  const tenant = new Tenant({});
  for (let number = 0; number < 200; number++) queue.push(tenant, number);
  const taken = Array.from({ length: 64 }, () => {
    tenant.abandoned();
    return queue.take()!;
  });
  assert.deepEqual(taken.slice(0, 3), [0, 199, 198]);
  const oldest = taken.filter((number) => number < 100);
  assert.deepEqual(oldest, [0, 1, 2, 3], "a sixteenth");
  take(queue, 16);
  assert.deepEqual(take(queue, 3), [5, 6, 7], "a round later it is first in, first out again");
});

test("tenants are served in rotation, weighted by the cost of tasks, not by their number", () => {
  const { queue, costs } = setUp();
  const [searches, checks] = [new Tenant({}), new Tenant({})];
  for (let number = 0; number < 10; number++) {
    costs[number] = 100;
    queue.push(searches, number);
  }
  for (let number = 10; number < 200; number++) queue.push(checks, number);
  assert.equal(searches.waitingCost, 1_000);
  const order = take(queue, 150);
  assert.equal(order.filter((number) => number < 10).length, 2);
  assert.equal(searches.waitingCost, 800);
});

test("a tenant that returns after a pause has no saved credit, and is served soon", () => {
  const { queue } = setUp();
  const [busy, resting] = [new Tenant({}), new Tenant({})];
  queue.push(resting, 0);
  take(queue);
  for (let number = 1; number < 150; number++) queue.push(busy, number);
  take(queue, 100);
  for (let number = 160; number < 180; number++) queue.push(resting, number);
  const next = take(queue, 20);
  const ofResting = next.filter((number) => number >= 160).length;
  assert.ok(ofResting >= 9 && ofResting <= 11, `${ofResting} of 20`);
});

test("a task that turns out dearer than expected is made up for", () => {
  const { queue } = setUp();
  const [dear, cheap] = [new Tenant({}), new Tenant({})];
  for (const number of [0, 1, 2]) queue.push(dear, number);
  for (const number of [10, 11, 12, 13]) queue.push(cheap, number);
  assert.equal(queue.take(), 0);
  dear.served += 50;
  assert.deepEqual(take(queue, 4), [10, 11, 12, 13]);
});

test("with a bound of cost, dear tasks stay where they are and the others pass them", () => {
  const { queue, costs } = setUp();
  const [mixed, dear] = [new Tenant({}), new Tenant({})];
  for (const number of [0, 2, 10, 11]) costs[number] = 9;
  for (const number of [0, 1, 2, 3]) queue.push(mixed, number);
  for (const number of [10, 11]) queue.push(dear, number);
  assert.deepEqual([queue.take(9), queue.take(9), queue.take(9)], [1, 3, undefined]);
  assert.deepEqual(take(queue), [10, 0, 11, 2]);
});

test("through any sequence, slots that are taken or removed were in the queue, and each tenant keeps its order", () => {
  const move = fc.record({
    what: fc.constantFrom("push", "push", "take", "remove"),
    tenant: fc.nat(3),
    slot: fc.nat(15),
  });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 80 }), (moves) => {
      const { queue } = setUp();
      const tenants = Array.from({ length: 4 }, () => new Tenant({}));
      const model: number[][] = tenants.map(() => []);
      for (const { what, tenant, slot } of moves) {
        const holder = model.findIndex((slots) => slots.includes(slot));
        if (what === "push" && holder === -1) {
          queue.push(tenants[tenant]!, slot);
          model[tenant]!.push(slot);
        } else if (what === "remove" && holder !== -1) {
          queue.remove(slot);
          model[holder]!.splice(model[holder]!.indexOf(slot), 1);
        } else if (what === "take") {
          const taken = queue.take();
          assert.ok(
            taken === undefined ? model.flat().length === 0 : model.some(([first]) => first === taken),
          );
          for (const slots of model) if (slots[0] === taken) slots.shift();
        }
      }
      assert.equal(take(queue).length, model.flat().length);
      assert.ok(tenants.every(({ waitingCost }) => waitingCost === 0));
    }),
  );
});
