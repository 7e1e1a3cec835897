import { now, stampOf } from "./clock.ts";
import { costOfCrash, Patience, TaskCosts } from "./estimates.ts";
import { FairQueue, type FlowQueue } from "./fair-queue.ts";
import { MainRings, type SharedRings } from "./rings.ts";
import { RunLoops, type StartRunLoop } from "./run-loops.ts";
import { type Slot, SlotField, type SlotMemory, SlotState } from "./slots.ts";
import { limitShift } from "./tasks.ts";

/**
 * Outcome of a submitted slot: its answer is there, its task threw, its task ended the worker thread, no worker began it,
 * it was taken back to be refused, or it was abandoned by its client before a worker began it.
 */
export type SlotOutcome = "answered" | "failed" | "crashed" | "unbegun" | "refused" | "abandoned";

/** Called once for each submitted slot, on a later turn than the submission. */
export type SlotDone = (slot: Slot, outcome: SlotOutcome) => void;

/**
 * How much work the workers may have before them that none has begun, for each worker in µs of expected cost: enough that
 * they do not idle while this thread is busy with other things, little enough that who comes next is served soon.
 */
const postedPerWorker = 1_000;

/** Waiting work, in µs of expected cost, that wakes another worker: for less, waking costs more than it gains. */
const costWorthWaking = 80;

/** Tasks of this expected cost in µs are posted at once: the rest of this turn of the event loop may take as long. */
const costOfLongTask = 500;

/** Tasks of this expected cost in µs leave one worker free, where there are two or more: short ones never wait for them. */
const costOfHeavyTask = 5_000;

/** Time that a woken worker has to take a task before another one is woken, in milliseconds. */
const wakingMs = 0.1;

/** How long this thread stays awake for a finished slot, in milliseconds, while recent ones took less. */
const patienceMs = 0.1;

/** Where a submitted slot is: nowhere any more, in the queue, or in the ring from which workers take. */
const Place = { none: 0, queue: 1, ring: 2 } as const;

/**
 * Sends slots to the workers and reports their outcome.
 *
 * Slots wait in a fair queue. From there they go to a short ring in shared memory, from which running workers take the
 * next one, and come back through rings of finished slots. As long as slots are finished within a few turns of the event
 * loop this thread looks for them once a turn and no thread has to be woken; otherwise it sleeps and a worker wakes it.
 * When a worker dies, only the slot it was working on fails.
 */
export class Dispatcher {
  readonly #memory: SlotMemory;
  readonly #done: SlotDone;
  readonly #rings: MainRings;
  readonly #loops: RunLoops;
  readonly #queue: FairQueue;
  readonly #costs = new TaskCosts();
  readonly #patience = new Patience(patienceMs);
  /** By slot number. */
  readonly #places: Uint8Array;
  readonly #expected: Float64Array;
  readonly #flows: (FlowQueue | undefined)[];
  #inside = 0;
  /** Slots in the ring and in progress, and their expected cost. */
  #posted = 0;
  #postedCost = 0;
  #postedHeavy = 0;
  /** Where the ring began at the last turn, and since when, or since a worker was woken, that has not changed. */
  #lastHead = 0;
  #stuckSince = 0;
  /** Turns since the last one that brought something, and when the first of them was. */
  #idleTurns = 0;
  #idleSince = 0;
  #isTurnPlanned = false;
  #isAsleep = false;
  readonly #turnIsDue = () => this.#turn();
  readonly #woken = () => {
    if (this.#isAsleep) this.#turn();
  };

  constructor(run: StartRunLoop, rings: SharedRings, memory: SlotMemory, done: SlotDone) {
    this.#memory = memory;
    this.#done = done;
    this.#rings = new MainRings(rings);
    this.#places = new Uint8Array(memory.size);
    this.#expected = new Float64Array(memory.size);
    this.#flows = new Array<FlowQueue | undefined>(memory.size).fill(undefined);
    this.#queue = new FairQueue(this.#expected);
    this.#loops = new RunLoops(run, this.#rings, (worker) => this.#died(worker));
  }

  /** Begins the run loops of the workers. */
  start(): void {
    this.#loops.start();
  }

  /** Queues a filled slot for a flow of the queue. */
  submit(slot: Slot, flow: FlowQueue): void {
    const { number } = slot;
    slot.state = SlotState.waiting;
    this.#places[number] = Place.queue;
    this.#expected[number] = this.#costs.expected(formOf(slot), slot.get(SlotField.inputLength));
    this.#flows[number] = flow;
    this.#inside++;
    this.#queue.push(flow, number);
    this.#idleTurns = 0;
    this.#planTurn();
    const isLong = this.#expected[number]! >= costOfLongTask;
    // A worker that looks takes a lone task before this turn is over.
    if (isLong || this.#inside === 1) this.#post();
    if (isLong) this.#wakeWorkers();
  }

  /** Takes back a slot that no worker has begun, and reports that; false for one that is begun. */
  drop(slot: Slot, outcome: "unbegun" | "refused" | "abandoned" = "unbegun"): boolean {
    if (!slot.drop()) return false;
    this.#settle(slot, outcome);
    return true;
  }

  /** False while no worker comes up, so that all waiting slots fail. */
  get hasWorkers(): boolean {
    return this.#loops.hasWorkers;
  }

  /** Fails all that waits, and from now on all whose worker ends; call it before the workers are ended. */
  close(): void {
    this.#loops.close();
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
    if (this.#idleTurns <= 1 || now() - this.#idleSince < this.#patience.ms) this.#planTurn();
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
    if (length > 0) this.#loops.wake(Math.min(this.#loops.awake + length, this.#posted, workers));
  }

  #wakeUp(): void {
    if (!this.#isAsleep) return;
    this.#isAsleep = false;
    this.#rings.wakeUp();
  }

  /** Lets the workers have what is next, but only as much as they will soon begin: the rest stays in fair order. */
  #post(): void {
    const { workers, hasPlace } = this.#rings;
    if (!hasPlace) return;
    while (
      this.#queue.length > 0 &&
      (this.#posted < workers || this.#postedCost < workers * postedPerWorker) &&
      this.#rings.hasPlace &&
      this.#memory.hasRoom
    ) {
      const mayBeHeavy = this.#postedHeavy < Math.max(1, workers - 1);
      const number = this.#queue.take(mayBeHeavy ? undefined : costOfHeavyTask);
      if (number < 0) return;
      if (this.#expected[number]! >= costOfHeavyTask) this.#postedHeavy++;
      const cost = postedCostOf(this.#expected[number]!);
      const slot = this.#memory.slot(number);
      this.#memory.takeRoom(slot);
      slot.state = SlotState.posted;
      this.#places[number] = Place.ring;
      this.#posted++;
      this.#postedCost += cost;
      this.#rings.put(number, cost);
    }
  }

  /** Wakes as many workers as the waiting work pays for, and one more where none of it has been begun for a while. */
  #wakeWorkers(): void {
    const { head, length, workers } = this.#rings;
    const time = now();
    if (head !== this.#lastHead) this.#stuckSince = time;
    this.#lastHead = head;
    if (length === 0) return;
    const paid = Math.max(1, Math.floor(this.#rings.costFrom(head) / costWorthWaking));
    const isStuck = time - this.#stuckSince >= wakingMs;
    const wanted = isStuck ? Math.max(paid, this.#loops.awake + 1) : paid;
    if (this.#loops.wake(Math.min(wanted, Math.max(1, this.#posted), workers))) this.#stuckSince = time;
  }

  /** Reports all finished slots now instead of on the next turn; false if there are none. */
  settleFinished(): boolean {
    let hasSettled = false;
    for (let worker = 0; worker < this.#rings.workers; worker++) {
      for (;;) {
        const number = this.#rings.takeFinished(worker);
        if (number < 0) break;
        const slot = this.#memory.slot(number);
        if (!hasSettled) this.#recordWait(slot);
        hasSettled = true;
        this.#settleByState(slot);
      }
    }
    return hasSettled;
  }

  #recordWait(slot: Slot): void {
    const finished = (slot.get(SlotField.begun) + slot.get(SlotField.busy)) | 0;
    // Tasks that had finished before this thread looked were not waited for.
    if (this.#idleTurns === 0) this.#patience.waited(0, 0);
    else this.#patience.waited(stampOf(this.#idleSince), finished);
  }

  #settleByState(slot: Slot): void {
    const outcome = outcomes[slot.state];
    if (outcome !== undefined) this.#settle(slot, outcome);
  }

  /** A worker has died: its running task fails, tasks that it had finished without a report are reported. */
  #died(worker: number): void {
    this.settleFinished();
    for (const [number, place] of this.#places.entries()) {
      if (place !== Place.ring) continue;
      const slot = this.#memory.slot(number);
      if (slot.worker === worker) this.#settleByState(slot);
    }
    if (!this.hasWorkers) this.#dropAll();
    else if (this.#inside > 0) this.#planTurn();
  }

  /** To be called when any thread of the workers has ended. */
  threadEnded(): void {
    this.#loops.threadEnded();
  }

  /** Id of the thread that a slot's task runs in. */
  threadOf(slot: Slot): number {
    return this.#rings.threadOf(slot.worker);
  }

  #dropAll(): void {
    for (const [number, place] of this.#places.entries()) {
      if (place !== Place.none) this.drop(this.#memory.slot(number));
    }
  }

  #settle(slot: Slot, outcome: SlotOutcome): void {
    const { number } = slot;
    const place = this.#places[number];
    if (place === Place.none) return;
    const flow = this.#flows[number]!;
    const expected = this.#expected[number]!;
    this.#places[number] = Place.none;
    this.#flows[number] = undefined;
    this.#inside--;
    if (outcome === "abandoned") flow.abandoned();
    if (place === Place.queue) this.#queue.remove(flow, number);
    else {
      this.#posted--;
      if (expected >= costOfHeavyTask) this.#postedHeavy--;
      this.#postedCost = this.#posted === 0 ? 0 : this.#postedCost - postedCostOf(expected);
      const cost = slot.get(SlotField.busy);
      if (outcome === "answered" || outcome === "failed") {
        this.#costs.learn(formOf(slot), slot.get(SlotField.inputLength), cost);
        flow.served += cost - expected;
      } else if (outcome === "crashed") {
        this.#costs.crashed(formOf(slot));
        flow.served += costOfCrash - expected;
      }
    }
    try {
      this.#done(slot, outcome);
    } finally {
      if (place === Place.ring) this.#memory.giveRoom(slot);
    }
  }
}

/** Kind and options of a task, by which costs are learned: the same batch is a hundred times as dear with `explain=1`. */
function formOf(slot: Slot): number {
  return (slot.get(SlotField.kind) << limitShift) | (slot.get(SlotField.flags) & ((1 << limitShift) - 1));
}

/** A long task keeps one worker busy: what it costs beyond that one's part leaves the others their own. */
function postedCostOf(expected: number): number {
  return Math.min(expected, postedPerWorker);
}

/** Outcome of a slot by its state; a worker that dies during a task leaves it running. */
const outcomes: Readonly<Partial<Record<SlotState, SlotOutcome>>> = {
  [SlotState.answered]: "answered",
  [SlotState.failed]: "failed",
  [SlotState.running]: "crashed",
};
