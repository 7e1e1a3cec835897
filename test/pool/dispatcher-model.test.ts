import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Actor, Simulation, upTo } from "./simulated-workers.ts";

/** Something that happens just before an atomic step. */
type Event = (simulation: Simulation) => void;

/** Whether the main thread is faster than the workers, and whether workers spin before they park. */
const allScenarios = [false, true].flatMap((isMainFast) =>
  [false, true].map((doWorkersSpin) => ({ isMainFast, doWorkersSpin })),
);

/**
 * Runs four slots through two workers, once for each atomic step of an actor with an event just before it, and checks what
 * was reported. Returns how many steps there are.
 */
async function atEachStep(
  actor: Actor,
  event: Event,
  check: (reported: readonly string[], at: number) => void,
): Promise<number> {
  let most = 0;
  for (const scenario of allScenarios) {
    for (let at = 1; ; at++) {
      let steps = 0;
      const simulation = new Simulation({
        workers: 2,
        ...scenario,
        beforeStep: (who, running) => {
          if (who === actor && ++steps === at) event(running);
        },
      });
      simulation.submit(upTo(4));
      await simulation.settle(4);
      await simulation.settle(simulation.submitted);
      if (steps < at) break;
      const { begun, reported } = simulation;
      assert.equal(new Set(begun).size, begun.length, `step ${at}: a slot was begun twice`);
      check(reported, at);
      most = Math.max(most, at);
    }
  }
  return most;
}

/** Each slot was reported once, and none of them failed but those that crashed with their worker. */
function expectReportedOnce(reported: readonly string[], count: number, crashes: number, where: string) {
  const numbers = reported.map((one) => Number.parseInt(one, 10)).sort((a, b) => a - b);
  assert.deepEqual(numbers, upTo(count), where);
  const failed = reported.filter((one) => one.includes(" "));
  assert.ok(failed.length <= crashes, `${where}: ${reported}`);
  for (const one of failed) assert.match(one, / crashed$/, where);
}

test("a worker that dies at any atomic step costs at most the slot that it had in hand, between its tasks none", async () => {
  const crashes = new Set<number>();
  const steps = await atEachStep(
    "worker",
    (simulation) => simulation.kill(),
    (reported, at) => {
      expectReportedOnce(reported, 4, 1, `killed at step ${at}`);
      if (reported.some((one) => one.includes("crashed"))) crashes.add(at);
    },
  );
  assert.ok(steps > 20, `only ${steps} steps`);
  // For each of four tasks: few steps lie between the claim and the report that it is finished.
  assert.ok(crashes.size > 0 && crashes.size <= 4 * 4, `${[...crashes]}`);
});

const workAll: Event = (simulation) => void simulation.comeUp();
const submitMore: Event = (simulation) => {
  simulation.submit([4, 5]);
  while (simulation.takeTurn());
};

for (const [what, actor, count, event] of [
  ["the other worker may do any amount of work", "worker", 4, (simulation) => void simulation.work(1)],
  [
    "the main thread may take turns and be given more work, also while the worker parks,",
    "worker",
    6,
    submitMore,
  ],
  ["workers may do any amount of work", "main", 4, workAll],
] satisfies [what: string, actor: Actor, submitted: number, event: Event][]) {
  test(`${what} at any atomic step of ${actor === "main" ? "the main thread" : "a worker"}`, async () => {
    await atEachStep(actor, event, (reported, at) => expectReportedOnce(reported, count, 0, `step ${at}`));
  });
}

test("a slot may be taken back at any atomic step of a worker, and is used again at once", async () => {
  const takeBack: Event = (simulation) => {
    if (!simulation.drop(3)) return;
    assert.equal(simulation.reported.at(-1), "3 unbegun");
    simulation.submit([3, 4]);
  };
  let taken = 0;
  await atEachStep("worker", takeBack, (reported, at) => {
    const others = reported.filter((one) => one !== "3 unbegun");
    const isTaken = others.length < reported.length;
    if (isTaken) taken++;
    expectReportedOnce(others, isTaken ? 5 : 4, 0, `step ${at}: ${reported}`);
  });
  assert.ok(taken > 0);
});

const events = fc.array(
  fc.record({
    after: fc.integer({ min: 1, max: 40 }),
    what: fc.constantFrom("kill", "turn", "work", "submit", "drop"),
    slot: fc.nat(11),
  }),
  { maxLength: 25 },
);

/** What happens while no thread is in the midst of a step; requests of an unknown kind are taken to be heavy. */
const beforehand = fc.array(
  fc.record({ what: fc.constantFrom("submit", "heavy", "drop", "turn", "work"), slot: fc.nat(11) }),
  { maxLength: 60 },
);

/** `DISPATCH_PLANS=10000 npm test -- pool/dispatcher-model` tries 10,000. */
const plans = Number(process.env["DISPATCH_PLANS"] ?? 200);

test("for any order of the steps of workers and main thread, each slot is reported once and nothing is lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), beforehand, events, async (workers, first, plan) => {
      const inside = new Set<number>();
      const outcomes: string[] = [];
      let [submitted, kills, steps] = [0, 0, 0];
      const takeReports = ({ reported }: Simulation) => {
        for (const one of reported.splice(0)) {
          assert.ok(inside.delete(Number.parseInt(one, 10)), `${one} was not inside`);
          outcomes.push(one);
        }
      };
      const act = (running: Simulation, { what, slot }: { what: string; slot: number }) => {
        takeReports(running);
        if (what === "work") running.work();
        else if (what === "turn") running.takeTurn();
        else if (what === "drop") running.drop(slot);
        else if (what === "kill") {
          kills++;
          running.kill();
        } else if (!inside.has(slot)) {
          inside.add(slot);
          submitted++;
          running.submit([slot], running.tenant, what === "heavy" ? 2 : 1);
        }
      };
      const waiting = [...plan];
      const simulation = new Simulation({
        workers,
        beforeStep: (actor, running) => {
          const next = waiting[0];
          if (next === undefined || ++steps < next.after) return;
          waiting.shift();
          steps = 0;
          // The main thread never does two things at once.
          if (actor !== "main" || next.what === "work") act(running, next);
        },
      });
      for (const event of first) act(simulation, event);
      for (let round = 0; round < 20 && inside.size > 0; round++) {
        await simulation.settle(inside.size);
        takeReports(simulation);
      }
      assert.equal(inside.size, 0, `lost: ${[...inside]}`);
      assert.equal(outcomes.length, submitted);
      assert.ok(outcomes.filter((one) => one.endsWith("crashed")).length <= kills);
      assert.ok(!outcomes.some((one) => one.endsWith("failed")));
    }),
    { numRuns: plans },
  );
});
