import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { Dispatcher } from "../../src/pool/dispatcher.ts";
import { SlotField, SlotState } from "../../src/pool/slot-layout.ts";
import { allocateSlots, SlotMemory } from "../../src/pool/slot-memory.ts";

/** A run that was sent to the workers, to be settled by the test. */
interface Run {
  readonly numbers: readonly number[];
  /** The worker goes through all slots. */
  succeed(): void;
  /** The worker dies after `finished` slots, in the middle of the next one unless `between`. */
  die(finished: number, between?: boolean): void;
}

/** A dispatcher over workers that do what the test says. */
function setUp(workers: number, size = 400) {
  const memory = new SlotMemory(allocateSlots(size, 0));
  const slots = Array.from({ length: size }, (_, number) => memory.slot(number));
  const runs: Run[] = [];
  const finished: string[] = [];
  let busy = 0;
  let mostBusy = 0;
  const run = (numbers: readonly number[]) => {
    mostBusy = Math.max(mostBusy, ++busy);
    return new Promise((resolve, reject) => {
      const settle = (answered: number) => {
        for (const number of numbers.slice(0, answered)) slots[number]!.state = SlotState.answered;
        busy--;
      };
      runs.push({
        numbers,
        succeed: () => {
          settle(numbers.length);
          resolve(undefined);
        },
        die: (answered, between = false) => {
          settle(answered);
          const next = numbers[answered];
          if (!between && next !== undefined) slots[next]!.state = SlotState.running;
          reject(new Error("the worker has died"));
        },
      });
    });
  };
  const dispatcher = new Dispatcher(run, workers, (slot, outcome) => {
    finished.push(outcome === "answered" ? String(slot.number) : `${slot.number} ${outcome}`);
  });
  const submit = (numbers: readonly number[], inputLength = ibanBytes) => {
    for (const number of numbers) {
      slots[number]!.set(SlotField.inputLength, inputLength);
      dispatcher.submit(slots[number]!);
    }
  };
  return { dispatcher, runs, finished, submit, slots, mostBusy: () => mostBusy };
}

const ibanBytes = 22;
const batchBytes = 14_000;

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

test("nothing is sent within the call, so that what comes in the same turn travels together", async () => {
  const { runs, submit, dispatcher } = setUp(1);
  submit([3, 1, 2]);
  assert.equal(runs.length, 0);
  assert.equal(dispatcher.waiting, 3);
  await nextTurn();
  assert.deepEqual(
    runs.map(({ numbers }) => numbers),
    [[3, 1, 2]],
  );
  assert.equal(dispatcher.waiting, 0);
});

test("what comes while all workers are busy leaves together, first in first out, when one has finished", async () => {
  const { runs, finished, submit } = setUp(1);
  submit([0]);
  await nextTurn();
  for (const number of upTo(10, 1)) {
    submit([number]);
    await nextTurn();
  }
  assert.equal(runs.length, 1);
  runs[0]!.succeed();
  await nextTurn();
  assert.deepEqual(finished, ["0"]);
  assert.deepEqual(runs[1]?.numbers, upTo(10, 1));
});

test("much waiting work is shared among the workers that are free, little goes to one", async () => {
  const much = setUp(4);
  much.submit(upTo(80));
  await nextTurn();
  assert.deepEqual(
    much.runs.map(({ numbers }) => numbers),
    [upTo(20), upTo(20, 20), upTo(20, 40), upTo(20, 60)],
  );
  const little = setUp(4);
  little.submit(upTo(15));
  await nextTurn();
  assert.deepEqual(
    little.runs.map(({ numbers }) => numbers),
    [upTo(15)],
  );
  const batches = setUp(4);
  batches.submit(upTo(3), batchBytes);
  await nextTurn();
  assert.deepEqual(
    batches.runs.map(({ numbers }) => numbers),
    [[0], [1], [2]],
    "a batch is much",
  );
});

test("much work goes to a worker that is still busy, little work waits", async () => {
  const { runs, submit } = setUp(1);
  submit([0]);
  await nextTurn();
  submit([1], batchBytes);
  await nextTurn();
  assert.equal(runs.length, 2, "a batch is worth a second run");
  submit([2], batchBytes);
  submit(upTo(50, 3));
  await nextTurn();
  assert.equal(runs.length, 2, "but never a third");
});

test("one run never carries more than 256 single checks or ten batches of 500", async () => {
  const single = setUp(1, 1_000);
  single.submit(upTo(1_000));
  await nextTurn();
  assert.equal(single.runs[0]?.numbers.length, 256);
  const batches = setUp(1, 100);
  batches.submit(upTo(100), batchBytes);
  await nextTurn();
  assert.equal(batches.runs[0]?.numbers.length, 10);
});

test("a slot that its worker marks as failed is told as failed, the others as answered", async () => {
  const { runs, finished, submit, slots } = setUp(1);
  submit([0, 1, 2]);
  await nextTurn();
  runs[0]!.succeed();
  slots[1]!.state = SlotState.failed;
  await nextTurn();
  assert.deepEqual(finished, ["0", "1 failed", "2"]);
});

test("when a worker dies only the slot it was working on fails; the rest goes back to the head of the queue", async () => {
  const { runs, finished, submit } = setUp(1);
  submit(upTo(5));
  await nextTurn();
  submit(upTo(3, 5));
  runs[0]!.die(2);
  await nextTurn();
  await nextTurn();
  assert.deepEqual(finished, ["0", "1", "2 crashed"]);
  assert.deepEqual(runs[1]?.numbers, [3, 4, 5, 6, 7]);
  runs[1]!.succeed();
  await nextTurn();
  assert.deepEqual(finished.slice(3), ["3", "4", "5", "6", "7"]);
});

test("a worker that dies between two slots costs none of them", async () => {
  const { runs, finished, submit } = setUp(1);
  submit(upTo(3));
  await nextTurn();
  runs[0]!.die(1, true);
  await nextTurn();
  await nextTurn();
  runs[1]!.succeed();
  await nextTurn();
  assert.deepEqual(finished, ["0", "1", "2"]);
});

test("slots that kill their worker one after the other fail alone, however many there are", async () => {
  const { runs, finished, submit } = setUp(1);
  submit(upTo(20));
  for (let run = 0; run < 19; run++) {
    await nextTurn();
    await nextTurn();
    runs[run]!.die(0);
  }
  await nextTurn();
  await nextTurn();
  runs[19]!.succeed();
  await nextTurn();
  assert.deepEqual(finished, [...upTo(19).map((number) => `${number} crashed`), "19"]);
});

test("workers that never begin anything are given up after some attempts, and never make the dispatcher spin", async () => {
  const { runs, finished, submit } = setUp(1);
  submit([0, 1]);
  let attempts = 0;
  while (finished.length < 2) {
    await nextTurn();
    runs[attempts]?.die(0, true);
    if (runs[attempts] !== undefined) attempts++;
    assert.ok(attempts < 20, "it was not given up");
  }
  assert.deepEqual(finished, ["0 unbegun", "1 unbegun"]);
  assert.ok(attempts > 1, "the first vain run is not the end");
});

test("a closed dispatcher fails what waits at once and what is at work when its worker ends", async () => {
  const { dispatcher, runs, finished, submit } = setUp(1);
  submit([0, 1]);
  await nextTurn();
  submit([2]);
  dispatcher.close();
  assert.deepEqual(finished, ["2 unbegun"]);
  runs[0]!.die(0);
  await nextTurn();
  await nextTurn();
  assert.deepEqual(finished, ["2 unbegun", "0 crashed", "1 unbegun"]);
  assert.equal(runs.length, 1);
});

test("a slot that is taken back before it was sent is told at once, and not sent", async () => {
  const { dispatcher, runs, finished, submit, slots } = setUp(1);
  submit([0]);
  await nextTurn();
  submit([1, 2, 3]);
  assert.equal(dispatcher.drop(slots[2]!), true);
  assert.deepEqual(finished, ["2 unbegun"]);
  assert.equal(dispatcher.drop(slots[2]!), false);
  runs[0]!.succeed();
  await nextTurn();
  assert.deepEqual(runs[1]?.numbers, [1, 3]);
});

test("a slot that is taken back after it was sent is told when its run has ended, and one that is begun stays", async () => {
  const { dispatcher, runs, finished, submit, slots } = setUp(1);
  submit([0, 1, 2]);
  await nextTurn();
  slots[0]!.state = SlotState.running;
  assert.equal(dispatcher.drop(slots[0]!), false);
  assert.equal(dispatcher.drop(slots[1]!), true);
  assert.deepEqual(finished, []);
  runs[0]!.die(0);
  await nextTurn();
  await nextTurn();
  assert.deepEqual(finished, ["0 crashed", "1 unbegun"]);
  assert.deepEqual(runs[1]?.numbers, [2]);
});

test("a slot may be submitted again from within the word that it is done", async () => {
  const memory = new SlotMemory(allocateSlots(1, 0));
  const slot = memory.slot(0);
  let rounds = 0;
  const run = async (numbers: readonly number[]) => {
    for (const number of numbers) memory.slot(number).state = SlotState.answered;
  };
  const dispatcher: Dispatcher = new Dispatcher(run, 1, (done) => {
    if (++rounds < 5) dispatcher.submit(done);
  });
  dispatcher.submit(slot);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  assert.equal(rounds, 5);
});

const event = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("submit" as const),
      count: fc.integer({ min: 1, max: 40 }),
      inputLength: fc.constantFrom(ibanBytes, batchBytes),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("succeed" as const), which: fc.nat(7) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("die" as const), which: fc.nat(7), after: fc.nat(20) }),
  },
);

test("whatever the workers do, each slot is told once, never are more runs out than may be, and nothing is forgotten", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(event, { maxLength: 30 }),
      async (workers, events) => {
        const { runs, finished, submit, mostBusy } = setUp(workers, 1_500);
        const settled = new Set<Run>();
        const settle = (which: number, how: (run: Run) => void) => {
          const open = runs.filter((run) => !settled.has(run));
          const run = open[which % Math.max(1, open.length)];
          if (run === undefined) return;
          settled.add(run);
          how(run);
        };
        let submitted = 0;
        for (const step of events) {
          if (step.do === "submit") {
            submit(upTo(step.count, submitted), step.inputLength);
            submitted += step.count;
          } else if (step.do === "succeed") settle(step.which, (run) => run.succeed());
          else settle(step.which, (run) => run.die(Math.min(step.after, run.numbers.length - 1)));
          await nextTurn();
        }
        for (let turn = 0; turn < 300 && finished.length < submitted; turn++) {
          settle(0, (run) => run.succeed());
          await nextTurn();
        }
        const numbers = finished.map((told) => Number.parseInt(told, 10)).sort((a, b) => a - b);
        assert.deepEqual(numbers, upTo(submitted));
        assert.ok(mostBusy() <= 2 * workers);
      },
    ),
    { numRuns: 150 },
  );
});
