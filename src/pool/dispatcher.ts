import { wakeUpMs } from "./adaptive-spin.ts";
import { between, now, stampOf } from "./clock.ts";
import { FairQueue } from "./fair-queue.ts";
import type { MainQueues } from "./queues.ts";
import { type RunLoops, runLoops } from "./run-loops.ts";
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
 * Sends requests to the workers and reports their outcome.
 *
 * They wait in a fair queue. From there they go to a short ring in shared memory, from which running workers take the
 * next one, and come back through a list of finished slots. As long as that takes less time than it costs to sleep,
 * this thread looks for them once a turn of the event loop; otherwise it sleeps and a worker wakes it.
 * When a worker dies, only the request it was working on fails.
 */
export class Dispatcher {
  readonly #memory: SlotMemory;
  readonly #settled: (slot: Slot, outcome: RequestOutcome) => void;
  readonly #queues: MainQueues;
  readonly loops: RunLoops;
  readonly #waiting = new FairQueue();
  readonly #costs: TaskCosts;
  /** Requests that wait or are posted. */
  #inside = 0;
  /** Requests in the ring and in progress, how many are heavy, and their cost: each at most the share of one worker. */
  #posted = 0;
  #postedCost = 0;
  #postedHeavy = 0;
  /** The first turn since which nothing came or was finished, 0 if something was; whether the last such time was short. */
  #idleSince = 0;
  #wasWaitShort = false;
  #isTurnPlanned = false;
  readonly #turnIsDue = () => this.#turn();
  readonly #woken = () => {
    if (!this.#isTurnPlanned) this.#turn();
  };

  /** `settled` is called once for each submitted request, on a later turn; the slot must be free when it returns. */
  constructor(
    run: Parameters<typeof runLoops>[0],
    queues: MainQueues,
    memory: SlotMemory,
    settled: (slot: Slot, outcome: RequestOutcome) => void,
    costs = new TaskCosts(),
  ) {
    this.#costs = costs;
    this.#memory = memory;
    this.#settled = settled;
    this.#queues = queues;
    this.loops = runLoops(run, queues, (worker) => this.#died(worker));
  }

  submit(slot: Slot): void {
    slot.state = SlotState.waiting;
    slot.expectedCost = this.#costs.expected(formOf(slot), slot.get(SlotField.inputLength));
    this.#waiting.push(slot);
    this.#inside++;
    this.#idleSince = 0;
    this.#planTurn();
    // A worker that spins takes a lone task before this turn is over.
    if (this.#inside === 1) this.#post();
  }

  /** Takes back a request that no worker has begun, and reports that; false for one that is begun. */
  drop(slot: Slot, outcome: "unbegun" | "refused"): boolean {
    const state = slot.drop();
    if (state === undefined) return false;
    this.#settle(slot, outcome, state === SlotState.posted);
    // What waited behind it may be posted now, and no worker will report.
    if (this.#inside > 0) this.#planTurn();
    return true;
  }

  /** Fails all that waits, and from now on all whose worker ends; call it before the workers are ended. */
  close(): void {
    this.loops.close();
    this.#dropAll();
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return;
    this.#isTurnPlanned = true;
    this.#queues.wakeUp();
    setImmediate(this.#turnIsDue);
  }

  #turn(): void {
    this.#isTurnPlanned = false;
    // Workers begin the new tasks while this thread answers the finished ones.
    this.#post();
    this.#wakeWorkers();
    if (this.settleFinished()) {
      this.#idleSince = 0;
      this.#post();
      this.#wakeWorkers();
    } else if (this.#idleSince === 0) {
      // One more turn shows whether the awake workers have begun the tasks in the ring.
      this.#idleSince = now();
    } else if (
      !(this.#wasWaitShort && now() - this.#idleSince < wakeUpMs) &&
      this.#queues.sleep(this.#woken)
    ) {
      // The awake workers are busy with long tasks, and this thread will not look for a while.
      this.#queues.wake(this.#posted);
      return;
    }
    if (this.#inside > 0) this.#planTurn();
  }

  /** Posts what is next to the workers, but only as much as they will soon begin: the rest stays in fair order. */
  #post(): void {
    const { workers } = this.#queues;
    while (
      (this.#posted < workers || this.#postedCost < workers * postedPerWorker) &&
      this.#queues.hasPlace &&
      this.#memory.hasRoom
    ) {
      const mayBeHeavy = this.#postedHeavy < Math.max(1, workers - 1);
      const slot = this.#waiting.take(mayBeHeavy ? undefined : costOfHeavyTask);
      if (slot === undefined) return;
      if (slot.expectedCost >= costOfHeavyTask) this.#postedHeavy++;
      this.#memory.takeRoom(slot);
      slot.state = SlotState.posted;
      this.#posted++;
      this.#postedCost += Math.min(slot.expectedCost, postedPerWorker);
      this.#queues.put(slot.number);
    }
  }

  /** Wakes as many workers as the posted work pays for, and at least one: it passes the slots that were taken back. */
  #wakeWorkers(): void {
    const { length } = this.#queues;
    if (length === 0) return;
    const waitingCost = (this.#postedCost / Math.max(1, this.#posted)) * length;
    this.#queues.wake(Math.max(1, Math.min(Math.floor(waitingCost / costWorthWaking), this.#posted)));
  }

  /** Reports all finished requests now instead of on the next turn; false if there are none. */
  settleFinished(): boolean {
    const finished = this.#queues.takeFinished().map((number) => this.#memory.slots[number]!);
    if (finished.length > 0 && this.#idleSince > 0) this.#recordWait(finished[0]!);
    for (const slot of finished) this.#settleByState(slot);
    return finished.length > 0;
  }

  /** The wait ended when the task did: this thread may have slept longer. */
  #recordWait(slot: Slot): void {
    const finishedAt = (slot.get(SlotField.begun) + slot.get(SlotField.busy)) | 0;
    this.#wasWaitShort = between(stampOf(this.#idleSince), finishedAt) < wakeUpMs;
  }

  #settleByState(slot: Slot): void {
    const outcome = outcomes[slot.state];
    if (outcome !== undefined) this.#settle(slot, outcome, true);
  }

  /** A worker has died: its running task fails, tasks that it had finished without a report are reported. */
  #died(worker: number): void {
    this.settleFinished();
    for (const slot of this.#memory.slots) if (slot.worker === worker) this.#settleByState(slot);
    if (!this.loops.hasWorkers) this.#dropAll();
    else if (this.#inside > 0) this.#planTurn();
  }

  #dropAll(): void {
    for (const slot of this.#memory.slots) this.drop(slot, "unbegun");
  }

  #settle(slot: Slot, outcome: RequestOutcome, isPosted: boolean): void {
    const { tenant, expectedCost: expected } = slot;
    this.#inside--;
    if (isPosted) {
      this.#posted--;
      if (expected >= costOfHeavyTask) this.#postedHeavy--;
      this.#postedCost = this.#posted === 0 ? 0 : this.#postedCost - Math.min(expected, postedPerWorker);
      if (outcome === "crashed") {
        this.#costs.forget(formOf(slot));
        tenant.served += costOfHeavyTask - expected;
      } else if (outcome === "answered" || outcome === "threw") {
        const cost = slot.get(SlotField.busy);
        this.#costs.learn(formOf(slot), slot.get(SlotField.inputLength), cost);
        tenant.served += cost - expected;
      }
    } else this.#waiting.remove(slot);
    try {
      this.#settled(slot, outcome);
    } finally {
      if (isPosted) this.#memory.giveRoom(slot);
    }
  }
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
