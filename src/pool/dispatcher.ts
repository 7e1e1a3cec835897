import { wakeUpMs } from "./adaptive-spin.ts";
import { between, now, stampOf } from "./clock.ts";
import { FairQueue } from "./fair-queue.ts";
import type { MainQueues } from "./queues.ts";
import { runLoops } from "./run-loops.ts";
import { type RequestOutcome, type Slot, SlotField, type SlotMemory, SlotState } from "./slots.ts";
import { costOfHeavyTask, TaskCosts } from "./task-costs.ts";
import { flagBits } from "./tasks.ts";

/**
 * Work posted to the workers, for each in µs of expected cost: enough that they do not idle while this thread spends a
 * turn of the event loop on other things (with 64 connections it takes 64 × 10 µs), little enough that a key that comes
 * next is served soon.
 */
const postedPerWorker = 1_000;

/** Waiting work, in µs of expected cost, that wakes another worker: for less, waking costs more than it gains. */
const costWorthWaking = wakeUpMs * 1_000;

/**
 * Sends requests to the workers and reports their outcome: `settled` is called once for each submitted request, on a later
 * turn; the slot must be free when it returns.
 *
 * They wait in a fair queue. From there they go to a short ring in shared memory, from which running workers take the
 * next one, and come back through a list of finished slots. As long as that takes less time than it costs to sleep,
 * this thread looks for them once a turn of the event loop; otherwise it sleeps and a worker wakes it.
 * When a worker dies, only the request it was working on fails.
 */
export function openDispatcher(
  run: Parameters<typeof runLoops>[0],
  queues: MainQueues,
  memory: SlotMemory,
  settled: (slot: Slot, outcome: RequestOutcome) => void,
  costs = new TaskCosts(),
) {
  const loops = runLoops(run, queues, died);
  const waiting = new FairQueue();
  /** Requests that wait or are posted. */
  let inside = 0;
  /** Requests in the ring and in progress, how many are heavy, and their cost: each at most the share of one worker. */
  let posted = 0;
  let postedHeavy = 0;
  let postedCost = 0;
  /** The first turn since which nothing came or was finished, 0 if something was; whether the last such time was short. */
  let idleSince = 0;
  let wasWaitShort = false;
  let isTurnPlanned = false;

  function woken(): void {
    if (!isTurnPlanned) turn();
  }

  function planTurn(): void {
    if (isTurnPlanned) return;
    isTurnPlanned = true;
    queues.wakeUp();
    setImmediate(turn);
  }

  function turn(): void {
    isTurnPlanned = false;
    // Workers begin the new tasks while this thread answers the finished ones.
    post();
    wakeWorkers();
    if (settleFinished()) {
      idleSince = 0;
      post();
      wakeWorkers();
    } else if (idleSince === 0) {
      // One more turn shows whether the awake workers have begun the tasks in the ring.
      idleSince = now();
    } else if (!(wasWaitShort && now() - idleSince < wakeUpMs) && queues.sleep(woken)) {
      // The awake workers are busy with long tasks, and this thread will not look for a while.
      queues.wake(posted);
      return;
    }
    if (inside > 0) planTurn();
  }

  /** Posts what is next to the workers, but only as much as they will soon begin: the rest stays in fair order. */
  function post(): void {
    const { workers } = queues;
    while (
      (posted < workers || postedCost < workers * postedPerWorker) &&
      queues.hasPlace() &&
      memory.hasRoom
    ) {
      const mayBeHeavy = postedHeavy < Math.max(1, workers - 1);
      const slot = waiting.take(mayBeHeavy ? undefined : costOfHeavyTask);
      if (slot === undefined) return;
      if (slot.expectedCost >= costOfHeavyTask) postedHeavy++;
      memory.takeRoom(slot);
      slot.state = SlotState.posted;
      posted++;
      postedCost += Math.min(slot.expectedCost, postedPerWorker);
      queues.put(slot.number);
    }
  }

  /** Wakes as many workers as the posted work pays for, and at least one: it passes the slots that were taken back. */
  function wakeWorkers(): void {
    const length = queues.length();
    if (length === 0) return;
    const waitingCost = (postedCost / Math.max(1, posted)) * length;
    queues.wake(Math.max(1, Math.min(Math.floor(waitingCost / costWorthWaking), posted)));
  }

  /** Reports all finished requests now instead of on the next turn; false if there are none. */
  function settleFinished(): boolean {
    const finished = queues.takeFinished().map((number) => memory.slots[number]!);
    const [first] = finished;
    if (first !== undefined && idleSince > 0) {
      // The wait ended when the task did: this thread may have slept longer.
      const finishedAt = (first.get(SlotField.begun) + first.get(SlotField.busy)) | 0;
      wasWaitShort = between(stampOf(idleSince), finishedAt) < wakeUpMs;
    }
    for (const slot of finished) settleByState(slot);
    return first !== undefined;
  }

  function settleByState(slot: Slot): void {
    const outcome = outcomes[slot.state];
    if (outcome !== undefined) settle(slot, outcome, true);
  }

  /** A worker has died: its running task fails, tasks that it had finished without a report are reported. */
  function died(worker: number): void {
    settleFinished();
    for (const slot of memory.slots) if (slot.worker === worker) settleByState(slot);
    if (!loops.hasWorkers) dropAll();
    else if (inside > 0) planTurn();
  }

  function dropAll(): void {
    for (const slot of memory.slots) drop(slot, "unbegun");
  }

  /** Takes back a request that no worker has begun, and reports that; false for one that is begun. */
  function drop(slot: Slot, outcome: "unbegun" | "refused"): boolean {
    const state = slot.drop();
    if (state === undefined) return false;
    settle(slot, outcome, state === SlotState.posted);
    // What waited behind it may be posted now, and no worker will report.
    if (inside > 0) planTurn();
    return true;
  }

  function settle(slot: Slot, outcome: RequestOutcome, isPosted: boolean): void {
    const { tenant, expectedCost: expected } = slot;
    inside--;
    if (isPosted) {
      posted--;
      if (expected >= costOfHeavyTask) postedHeavy--;
      postedCost = posted === 0 ? 0 : postedCost - Math.min(expected, postedPerWorker);
      if (outcome === "crashed") {
        costs.forget(formOf(slot));
        tenant.served += costOfHeavyTask - expected;
      } else if (outcome === "answered" || outcome === "threw") {
        const cost = slot.get(SlotField.busy);
        costs.learn(formOf(slot), slot.get(SlotField.inputLength), cost);
        tenant.served += cost - expected;
      }
    } else waiting.remove(slot);
    try {
      settled(slot, outcome);
    } finally {
      if (isPosted) memory.giveRoom(slot);
    }
  }

  return {
    loops,
    drop,
    settleFinished,

    submit: (slot: Slot) => {
      slot.state = SlotState.waiting;
      slot.expectedCost = costs.expected(formOf(slot), slot.get(SlotField.inputLength));
      waiting.push(slot);
      inside++;
      idleSince = 0;
      planTurn();
      // A worker that spins takes a lone task before this turn is over.
      if (inside === 1) post();
    },

    /** Fails all that waits, and from now on all whose worker ends; call it before the workers are ended. */
    close: () => {
      loops.close();
      dropAll();
    },
  };
}

/** Kind and options of a task, by which costs are learned: the same batch is a hundred times as dear with `explain=1`. */
function formOf(slot: Slot): number {
  return (slot.get(SlotField.kind) << flagBits) | slot.get(SlotField.flags);
}

/** Outcome of a request by the state of its slot; a worker that dies during a task leaves it running. */
const outcomes: Readonly<Partial<Record<SlotState, RequestOutcome>>> = {
  [SlotState.answered]: "answered",
  [SlotState.failed]: "threw",
  [SlotState.running]: "crashed",
};
