import { wakeUpMs } from "./adaptive-spin.ts";
import { between, now, stampOf } from "./clock.ts";
import { FairQueue } from "./fair-queue.ts";
import { MainRings, type SharedRings } from "./rings.ts";
import { RunLoops, type StartRunLoop } from "./run-loops.ts";
import { type Slot, SlotField, type SlotMemory, SlotState } from "./slots.ts";
import { costOfHeavyTask, TaskCosts } from "./task-costs.ts";
import { limitShift } from "./tasks.ts";
import type { AcceptedRequest, RequestOutcome } from "./tenant.ts";

/**
 * Work posted to the workers, for each in µs of expected cost: enough that they do not idle while this thread spends a
 * turn of the event loop on other things (with 64 connections it takes 64 × 10 µs), little enough that a key that comes
 * next is served soon. A task that costs as much is posted at once.
 */
const postedPerWorker = 1_000;

/** Waiting work, in µs of expected cost, that wakes another worker: for less, waking costs more than it gains. */
const costWorthWaking = wakeUpMs * 1_000;

/**
 * Sends requests to the workers and reports their outcome.
 *
 * They wait in a fair queue. From there they go to a short ring in shared memory, from which running workers take the
 * next one, and come back through rings of finished slots. As long as they are finished within a few turns of the event
 * loop this thread looks for them once a turn and no thread has to be woken; otherwise it sleeps and a worker wakes it.
 * When a worker dies, only the request it was working on fails.
 */
export class Dispatcher {
  readonly #memory: SlotMemory;
  /** By slot number. */
  readonly #requests: readonly AcceptedRequest[];
  readonly #settled: (request: AcceptedRequest, outcome: RequestOutcome) => void;
  readonly #rings: MainRings;
  /** Keeps the workers running. */
  readonly loops: RunLoops;
  readonly #queue = new FairQueue();
  readonly #costs: TaskCosts;
  /** Requests in the ring and in progress, and their expected cost. */
  #posted = 0;
  #postedCost = 0;
  #postedHeavy = 0;
  /** Head of the ring at the last turn, and when it last moved or a worker was last woken. */
  #lastHead = 0;
  #stuckSince = 0;
  /** Turns since the last one that brought something, and when the first of them was. */
  #idleTurns = 0;
  #idleSince = 0;
  /** Whether the last wait for a finished task was shorter than what it costs to sleep. */
  #wasWaitShort = false;
  #isTurnPlanned = false;
  #isAsleep = false;
  readonly #turnIsDue = () => this.#turn();
  readonly #woken = () => {
    if (this.#isAsleep) this.#turn();
  };

  /** `settled` is called once for each submitted request, on a later turn; the slot must be free when it returns. */
  constructor(
    run: StartRunLoop,
    rings: SharedRings,
    memory: SlotMemory,
    requests: readonly AcceptedRequest[],
    settled: (request: AcceptedRequest, outcome: RequestOutcome) => void,
    costs = new TaskCosts(),
  ) {
    this.#costs = costs;
    this.#memory = memory;
    this.#requests = requests;
    this.#settled = settled;
    this.#rings = new MainRings(rings);
    this.loops = new RunLoops(run, this.#rings, (worker) => this.#died(worker));
  }

  /** Queues a request whose slot is filled. */
  submit(request: AcceptedRequest): void {
    const { slot } = request;
    slot.state = SlotState.waiting;
    request.expected = this.#costs.expected(formOf(slot), slot.get(SlotField.inputLength));
    this.#queue.push(request);
    this.#idleTurns = 0;
    this.#planTurn();
    const isLong = request.expected >= postedPerWorker;
    // A worker that spins takes a lone task before this turn is over.
    if (isLong || this.#inside === 1) this.#post();
    if (isLong) this.#wakeWorkers();
  }

  /** Takes back a request that no worker has begun, and reports that; false for one that is begun. */
  drop(request: AcceptedRequest, outcome: "unbegun" | "refused" | "abandoned"): boolean {
    const state = request.slot.drop();
    if (state === undefined) return false;
    this.#settle(request, outcome, state === SlotState.posted);
    return true;
  }

  /** Requests that wait, and those in the ring and in progress. */
  get #inside(): number {
    return this.#queue.length + this.#posted;
  }

  /** Fails all that waits, and from now on all whose worker ends; call it before the workers are ended. */
  close(): void {
    this.loops.close();
    this.#dropAll();
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return;
    this.#isTurnPlanned = true;
    this.#wakeUp();
    setImmediate(this.#turnIsDue);
  }

  #turn(): void {
    this.#isTurnPlanned = false;
    this.#wakeUp();
    // Workers begin the new tasks while this thread answers the finished ones.
    this.#post();
    this.#wakeWorkers();
    const hasSettled = this.settleFinished();
    if (this.#inside === 0) return;
    if (hasSettled) {
      this.#post();
      this.#wakeWorkers();
    }
    if (hasSettled) this.#idleTurns = 0;
    else if (this.#idleTurns++ === 0) this.#idleSince = now();
    // One more turn shows whether the awake workers have begun the tasks in the ring.
    if (this.#idleTurns <= 1 || (this.#wasWaitShort && now() - this.#idleSince < wakeUpMs)) this.#planTurn();
    else this.#sleep();
  }

  #sleep(): void {
    this.#isAsleep = true;
    this.#rings.sleep(this.#woken);
    // Settle slots that were finished before the workers could see that this thread sleeps.
    if (this.settleFinished()) {
      if (this.#inside > 0) this.#planTurn();
      return;
    }
    // The awake workers are busy with long tasks, and this thread will not look for a while.
    const { length, workers } = this.#rings;
    if (length > 0) this.loops.wake(Math.min(this.loops.awake + length, this.#posted, workers));
  }

  #wakeUp(): void {
    if (!this.#isAsleep) return;
    this.#isAsleep = false;
    this.#rings.wakeUp();
  }

  /** Posts what is next to the workers, but only as much as they will soon begin: the rest stays in fair order. */
  #post(): void {
    const { workers } = this.#rings;
    while (
      this.#queue.length > 0 &&
      (this.#posted < workers || this.#postedCost < workers * postedPerWorker) &&
      this.#rings.hasPlace &&
      this.#memory.hasRoom
    ) {
      const mayBeHeavy = this.#postedHeavy < Math.max(1, workers - 1);
      const request = this.#queue.take(mayBeHeavy ? undefined : costOfHeavyTask);
      if (request === undefined) return;
      const { slot, expected } = request;
      if (expected >= costOfHeavyTask) this.#postedHeavy++;
      const cost = postedCostOf(expected);
      this.#memory.takeRoom(slot);
      slot.post();
      this.#posted++;
      this.#postedCost += cost;
      this.#rings.put(slot.number);
    }
  }

  /** Wakes as many workers as the waiting work pays for, and one more where none of it has been begun for a while. */
  #wakeWorkers(): void {
    const { head, length, workers } = this.#rings;
    const time = now();
    if (head !== this.#lastHead) this.#stuckSince = time;
    this.#lastHead = head;
    if (length === 0 || this.#posted === 0) return;
    const waitingCost = (this.#postedCost / this.#posted) * length;
    const paid = Math.max(1, Math.floor(waitingCost / costWorthWaking));
    const isStuck = time - this.#stuckSince >= wakeUpMs;
    const wanted = isStuck ? Math.max(paid, this.loops.awake + 1) : paid;
    if (this.loops.wake(Math.min(wanted, this.#posted, workers))) this.#stuckSince = time;
  }

  /** Reports all finished requests now instead of on the next turn; false if there are none. */
  settleFinished(): boolean {
    let hasSettled = false;
    for (let worker = 0; worker < this.#rings.workers; worker++) {
      for (;;) {
        const number = this.#rings.takeFinished(worker);
        if (number < 0) break;
        const request = this.#requests[number]!;
        if (!hasSettled) this.#recordWait(request.slot);
        hasSettled = true;
        this.#settleByState(request);
      }
    }
    return hasSettled;
  }

  #recordWait(slot: Slot): void {
    const finished = (slot.get(SlotField.begun) + slot.get(SlotField.busy)) | 0;
    // Tasks that had finished before this thread looked were not waited for.
    if (this.#idleTurns > 0) this.#wasWaitShort = between(stampOf(this.#idleSince), finished) < wakeUpMs;
  }

  #settleByState(request: AcceptedRequest): void {
    const outcome = outcomes[request.slot.state];
    if (outcome !== undefined) this.#settle(request, outcome, true);
  }

  /** A worker has died: its running task fails, tasks that it had finished without a report are reported. */
  #died(worker: number): void {
    this.settleFinished();
    for (const request of this.#requests) {
      if (request.slot.worker === worker) this.#settleByState(request);
    }
    if (!this.loops.hasWorkers) this.#dropAll();
    else if (this.#inside > 0) this.#planTurn();
  }

  /** Id of the thread that a request's task runs in. */
  threadOf({ slot }: AcceptedRequest): number {
    return this.#rings.threadOf(slot.worker);
  }

  #dropAll(): void {
    for (const request of this.#requests) this.drop(request, "unbegun");
  }

  #settle(request: AcceptedRequest, outcome: RequestOutcome, isPosted: boolean): void {
    const { slot, tenant, expected } = request;
    if (outcome === "abandoned") tenant.abandoned();
    if (isPosted) {
      this.#posted--;
      if (expected >= costOfHeavyTask) this.#postedHeavy--;
      this.#postedCost = this.#posted === 0 ? 0 : this.#postedCost - postedCostOf(expected);
      if (outcome === "crashed") {
        this.#costs.forget(formOf(slot));
        tenant.served += costOfHeavyTask - expected;
      } else if (outcome === "answered" || outcome === "threw") {
        const cost = slot.get(SlotField.busy);
        this.#costs.learn(formOf(slot), slot.get(SlotField.inputLength), cost);
        tenant.served += cost - expected;
      }
    } else this.#queue.remove(request);
    try {
      this.#settled(request, outcome);
    } finally {
      if (isPosted) this.#memory.giveRoom(slot);
    }
  }
}

/** Kind and options of a task, by which costs are learned: the same batch is a hundred times as dear with `explain=1`. */
function formOf(slot: Slot): number {
  return (slot.get(SlotField.kind) << limitShift) | (slot.get(SlotField.flags) & ((1 << limitShift) - 1));
}

/** What a posted task counts for: at most the share of one worker, since it keeps no other one busy. */
function postedCostOf(expected: number): number {
  return Math.min(expected, postedPerWorker);
}

/** Outcome of a request by the state of its slot; a worker that dies during a task leaves it running. */
const outcomes: Readonly<Partial<Record<SlotState, RequestOutcome>>> = {
  [SlotState.answered]: "answered",
  [SlotState.failed]: "threw",
  [SlotState.running]: "crashed",
};
