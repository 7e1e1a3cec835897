import type { Piscina } from "piscina";
import { RequestError } from "../contract/errors.ts";
import { Admission, type RefusalReason } from "./admission.ts";
import { CrashBreaker } from "./crash-breaker.ts";
import { Dispatcher, type SlotOutcome } from "./dispatcher.ts";
import type { Counted, RequestWeight } from "./occupancy.ts";
import { createRings } from "./rings.ts";
import { createSharedMemory, EditionAreas } from "./shared-memory.ts";
import { SlotAges } from "./slot-ages.ts";
import { FreeSlots, type Slot, SlotField, SlotMemory, type SlotSize, SlotState } from "./slots.ts";
import { type Tenant, type TenantOwner, Tenants } from "./tenant.ts";
import { startWorkers, type WorkerOptions } from "./worker-threads.ts";

/** Rooms for long answers: as many as batches of 500 are posted for a worker at most. */
export const roomsPerWorker = 16;

/** Options of a pool. */
export interface CheckPoolOptions extends WorkerOptions {
  /** Accepted requests that may wait in addition to the running ones. */
  readonly queue: number;
  /** How long an accepted request may take before it is refused or fails, in milliseconds. */
  readonly checkTimeout: number;
  /** How long a task may run before its thread is replaced, in milliseconds. */
  readonly checkHardLimit: number;
  /** The tables of the kernel. */
  readonly kernelTables: Uint8Array;
}

/**
 * The outcome of an accepted request: its answer or error is in its slot, or what its task threw; it was late or lost
 * its worker; or, while it waited, it had to yield its place to another key or waited too long (refused), or its client
 * closed the connection.
 */
export type RequestOutcome = "answered" | "threw" | "failed" | "refused" | "abandoned";

const requestOutcomes = {
  answered: "answered",
  failed: "threw",
  crashed: "failed",
  unbegun: "failed",
  refused: "refused",
  abandoned: "abandoned",
} as const satisfies Readonly<Record<SlotOutcome, RequestOutcome>>;

/** Called once for an accepted request. */
export type RequestDone = (slot: Slot, outcome: RequestOutcome) => void;

/** For a late request's slot, whose task comes back after all. */
const noop: RequestDone = () => {};

/**
 * The worker pool behind its admission counter: a fixed number of threads and a bounded queue.
 *
 * A request that no worker has begun within `checkTimeout` is refused; one that takes longer fails, and its place is free
 * when the task comes back. A thread that runs one task beyond `checkHardLimit` is replaced.
 */
export class CheckPool {
  /** Worker threads. */
  readonly size: number;
  readonly #admission: Admission;
  readonly #breaker: CrashBreaker;
  readonly #ages: SlotAges;
  readonly #memory: SlotMemory;
  readonly #editions: EditionAreas;
  readonly #free: Readonly<Record<SlotSize, FreeSlots>>;
  /** By slot number: what is called at the end of the request inside. */
  readonly #done: RequestDone[];
  /** By slot number: weight and tenant that the request inside was admitted with, and its number. */
  readonly #weights: RequestWeight[];
  readonly #tenantOf: (Tenant | undefined)[];
  readonly #order: Float64Array;
  readonly #piscina: Piscina<number | undefined, unknown>;
  readonly #dispatcher: Dispatcher;
  readonly #busyMs: number[];
  readonly #tenants = new Tenants();
  #submissions = 0;
  #abandoned = 0;
  #restarts = 0;

  /** Starts the workers; nothing may be submitted before they are `ready`. */
  constructor(options: CheckPoolOptions) {
    this.size = options.size;
    this.#admission = new Admission({
      running: options.size,
      waiting: options.queue,
      timeoutMs: options.checkTimeout,
      now: () => this.#ages.now,
      preempt: (tenant, counted) => this.#preempt(tenant, counted),
    });
    const { ceiling, largeCeiling } = this.#admission;
    const counts = {
      smallSlots: ceiling,
      largeSlots: largeCeiling,
      rooms: Math.min(largeCeiling, roomsPerWorker * options.size),
    };
    const shared = createSharedMemory(options.kernelTables, counts, options.size);
    this.#memory = new SlotMemory(shared.slots);
    this.#editions = new EditionAreas(shared);
    const slots = Array.from({ length: this.#memory.size }, (_, number) => this.#memory.slot(number));
    this.#free = {
      small: new FreeSlots(slots.slice(0, ceiling)),
      large: new FreeSlots(slots.slice(ceiling)),
    };
    this.#done = slots.map(() => noop);
    this.#weights = slots.map(() => "light");
    this.#tenantOf = slots.map(() => undefined);
    this.#order = new Float64Array(slots.length);
    this.#busyMs = new Array<number>(options.size).fill(0);
    this.#ages = new SlotAges(slots.length, {
      lateAfter: options.checkTimeout,
      stuckAfter: options.checkHardLimit,
      late: (number) => this.#late(this.#memory.slot(number)),
      stuck: (number) => this.#endThreadOf(this.#memory.slot(number)),
    });
    this.#breaker = new CrashBreaker(() => this.#ages.now);
    const rings = createRings(options.size, slots.length);
    this.#piscina = startWorkers(options, shared, rings);
    this.#piscina.on("workerDestroy", () => {
      this.#restarts++;
      this.#dispatcher.threadEnded();
    });
    this.#dispatcher = new Dispatcher(
      (worker, signal) => this.#piscina.run(worker, { signal }),
      rings,
      this.#memory,
      (slot, outcome) => this.#finish(slot, outcome),
    );
  }

  /** Waits until each worker has loaded its code. Rejects, and closes the pool, when the worker module cannot run. */
  async ready(): Promise<void> {
    try {
      await Promise.all(this.#busyMs.map(() => this.#piscina.run(undefined)));
      this.#dispatcher.start();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Whether there is bank data to check with; nothing may be submitted before. */
  get hasEdition(): boolean {
    return this.#editions.current > 0;
  }

  /** The name of the edition that requests accepted now are answered from. */
  get edition(): string {
    return this.#editions.nameOf(this.#editions.current);
  }

  /** The name of the edition that the request in a slot is answered from. */
  editionOf(slot: Slot): string {
    return this.#editions.nameOf(slot.get(SlotField.edition));
  }

  /**
   * Puts another edition of the bank data into use for all requests accepted from then on, without holding any up.
   *
   * `write` fills its room in the shared memory (see `writeEdition`) and returns its name; where it fails nothing changes
   * and its error is passed on. Waits until no request uses the edition before the current one. One at a time.
   */
  replaceEdition(write: (room: Uint8Array) => Promise<string>): Promise<void> {
    return this.#editions.replace(write);
  }

  /** Throws server_busy unless such a request would be accepted; to be asked before its body is read. */
  admit(weight: RequestWeight, owner: TenantOwner): void {
    this.#admission.admit(weight, this.#tenants.of(owner));
  }

  /** Whether a request of an owner would be accepted now; for work that waits instead of being refused. */
  accepts(weight: RequestWeight, owner: TenantOwner): boolean {
    return this.#admission.accepts(weight, this.#tenants.of(owner));
  }

  /** Makes a report, which needs no worker, within the limits of its owner's key; throws server_busy beyond them. */
  async report<T>(owner: TenantOwner, make: () => Promise<T>): Promise<T> {
    const tenant = this.#tenants.of(owner);
    this.#admission.enterReport(tenant);
    try {
      return await make();
    } finally {
      // A report from memory takes no time; the limit applies to each turn of the event loop.
      setImmediate(() => this.#admission.leaveReport(tenant));
    }
  }

  /** Counts a request that is refused for a reason of its own and throws server_busy. */
  refuse(reason: RefusalReason): never {
    this.#admission.refuse(reason);
  }

  /** How many requests were answered server_busy, by reason. */
  get refused(): Readonly<Record<RefusalReason, number>> {
    return this.#admission.refused;
  }

  /** How many requests, blocks of streams included, were accepted since the start. */
  get submissions(): number {
    return this.#submissions;
  }

  /** Number of accepted requests that run or wait. */
  get inside(): number {
    return this.#admission.inside;
  }

  /** How many worker threads have ended since the start; each is replaced. */
  get restarts(): number {
    return this.#restarts;
  }

  /** By worker: busy milliseconds since the start; a replacement continues from its predecessor's value. */
  get busyMs(): readonly number[] {
    return this.#busyMs;
  }

  /** Number of accepted requests dropped because their client closed the connection before a worker began them. */
  get abandoned(): number {
    return this.#abandoned;
  }

  /** Whether a request would find a worker: false while none comes up. */
  get hasWorkers(): boolean {
    return this.#dispatcher.hasWorkers;
  }

  /** How many kinds of task fail without a worker because they kept killing workers. */
  get failingKinds(): number {
    return this.#breaker.open.length;
  }

  /** Maximum number of accepted requests: pool size plus queue. */
  get ceiling(): number {
    return this.#admission.ceiling;
  }

  /** How many of them may be others than single checks and look-ups. */
  get largeCeiling(): number {
    return this.#admission.largeCeiling;
  }

  /**
   * Accepts one request of an owner, lets `fill` write it into a slot, and hands it to the workers.
   *
   * Throws server_busy, before `fill`, where there is no place for it, and checker_failed for a kind of task that keeps
   * killing workers. What `fill` throws is passed on; no place is taken then. `done` is called on a later turn; the slot
   * is free again when it returns, so the answer must have left by then. Returns the number of the request.
   */
  submit(
    weight: RequestWeight,
    owner: TenantOwner,
    size: SlotSize,
    fill: (slot: Slot) => void,
    done: RequestDone,
  ): number {
    const tenant = this.#tenants.of(owner);
    this.#admission.enter(weight, tenant, size);
    const slot = this.#free[size].take();
    if (slot === undefined) throw new Error("fewer slots than the admission ceiling");
    this.#weights[slot.number] = weight;
    this.#tenantOf[slot.number] = tenant;
    this.#order[slot.number] = ++this.#submissions;
    slot.set(SlotField.edition, this.#editions.enter());
    try {
      fill(slot);
      if (!this.#breaker.allows(slot.get(SlotField.kind))) throw new RequestError("checker_failed");
    } catch (error) {
      this.#release(slot);
      throw error;
    }
    this.#done[slot.number] = done;
    this.#ages.begin(slot.number);
    this.#dispatcher.submit(slot, tenant);
    return this.#order[slot.number]!;
  }

  /** Drops the request with this number unless a worker has begun it; does nothing once it is done. */
  abandon(request: number): void {
    const number = this.#order.indexOf(request);
    if (number >= 0 && this.#dispatcher.drop(this.#memory.slot(number), "abandoned")) this.#abandoned++;
  }

  /** Ends the worker threads; running work is lost. */
  async close(): Promise<void> {
    this.#ages.close();
    this.#dispatcher.close();
    await this.#piscina.destroy();
  }

  #finish(slot: Slot, outcome: SlotOutcome): void {
    const kind = slot.get(SlotField.kind);
    if (outcome === "crashed") this.#breaker.crashed(kind);
    else if (outcome === "answered" || outcome === "failed") {
      this.#breaker.returned(kind);
      this.#busyMs[slot.worker]! += slot.get(SlotField.busy) / 1_000;
    }
    // The check that a request counts as was charged when it entered.
    if (outcome === "answered") this.#tenantOf[slot.number]!.charge(slot.get(SlotField.count) - 1);
    try {
      this.#done[slot.number]!(slot, requestOutcomes[outcome]);
    } finally {
      this.#release(slot);
    }
  }

  /** Refuses a request that no worker has begun; fails one that is in progress. */
  #late(slot: Slot): void {
    if (this.#dispatcher.drop(slot, "refused")) {
      this.#admission.recordRefusal("queue_time");
      return;
    }
    const done = this.#done[slot.number]!;
    this.#done[slot.number] = noop;
    done(slot, "failed");
  }

  /** Refuses the request of a tenant that came last and that no worker has begun, of those that are counted. */
  #preempt(tenant: Tenant, counted: Counted): boolean {
    const last = this.#lastWaiting(tenant, counted);
    if (last !== undefined && this.#dispatcher.drop(last, "refused")) return true;
    this.#dispatcher.settleFinished();
    return false;
  }

  #lastWaiting(tenant: Tenant, { weight, isLarge }: Counted): Slot | undefined {
    let last: Slot | undefined;
    for (let number = isLarge ? this.#memory.smallSlots : 0; number < this.#memory.size; number++) {
      if (this.#tenantOf[number] !== tenant) continue;
      if (weight !== undefined && this.#weights[number] !== weight) continue;
      if (last !== undefined && this.#order[number]! < this.#order[last.number]!) continue;
      const slot = this.#memory.slot(number);
      if (slot.state === SlotState.waiting || slot.state === SlotState.posted) last = slot;
    }
    return last;
  }

  /** Ends a thread that is stuck in the task of this slot; Piscina puts another one in its place. */
  #endThreadOf(slot: Slot): void {
    if (slot.state !== SlotState.running) return;
    const thread = this.#dispatcher.threadOf(slot);
    void this.#piscina.threads.find(({ threadId }) => threadId === thread)?.terminate();
  }

  #release(slot: Slot): void {
    const { number } = slot;
    const size = number < this.#memory.smallSlots ? "small" : "large";
    this.#done[number] = noop;
    this.#ages.end(number);
    this.#free[size].give(slot);
    this.#editions.leave(slot.get(SlotField.edition));
    this.#admission.leave(this.#weights[number]!, this.#tenantOf[number]!, size);
    this.#tenantOf[number] = undefined;
    this.#order[number] = 0;
  }
}
