import type { Piscina } from "piscina";
import { RequestError } from "../contract/errors.ts";
import { Admission } from "./admission.ts";
import { between, now, stampOf } from "./clock.ts";
import { CrashBreaker } from "./crash-breaker.ts";
import { Dispatcher } from "./dispatcher.ts";
import { createQueues, MainQueues } from "./queues.ts";
import { createSharedMemory, EditionAreas } from "./shared-memory.ts";
import {
  type RequestDone,
  type RequestOutcome,
  type Slot,
  SlotField,
  SlotMemory,
  type SlotSize,
  SlotState,
} from "./slots.ts";
import { type Places, Tenant, type TenantOwner } from "./tenant.ts";
import { Ticks } from "./ticks.ts";
import { startWorkers, type WorkerOptions } from "./worker-threads.ts";

/** Rooms for long answers: as many as batches of 500, of 62 µs each, fit what the dispatcher posts for a worker. */
export const roomsPerWorker = 16;

export interface CheckPoolOptions extends WorkerOptions {
  /** Accepted requests that may wait in addition to the running ones. */
  readonly queue: number;
  /** How long an accepted request may take before it is refused or fails, in milliseconds. */
  readonly checkTimeout: number;
  /** How long a task may run before its thread is replaced, in milliseconds. */
  readonly checkHardLimit: number;
  readonly kernelTables: Uint8Array;
}

const anybody: TenantOwner = {};

/**
 * The worker pool behind its admission counter: a fixed number of threads and a bounded queue.
 *
 * A request that no worker has begun within `checkTimeout` is refused; one that takes longer fails, and its place is free
 * when the task comes back. A thread that runs one task beyond `checkHardLimit` is replaced.
 */
export class CheckPool {
  readonly size: number;
  readonly admission: Admission;
  readonly counts = {
    /** Accepted requests, blocks of streams included. */
    submissions: 0,
    /** Accepted requests that were dropped because their client closed the connection before a worker began them. */
    abandoned: 0,
    /** Worker threads that have ended; each is replaced. */
    restarts: 0,
  };
  /** By worker: busy milliseconds since the start; a replacement continues from its predecessor's value. */
  readonly busyMs: number[];
  readonly #breaker = new CrashBreaker();
  /** The time that requests have been inside, for the price of one stored number each. */
  readonly #ticks: Ticks;
  readonly #lateTicks: number;
  readonly #stuckTicks: number;
  /** Nothing may be submitted before there is one. */
  readonly editions: EditionAreas;
  readonly #slots: readonly Slot[];
  /** The one returned last is taken first, so that its memory is still in the cache. */
  readonly #free: Readonly<Record<SlotSize, Slot[]>>;
  readonly #piscina: Piscina<number | undefined, unknown>;
  readonly #queues: MainQueues;
  readonly #dispatcher: Dispatcher;
  readonly #checkTimeout: number;
  readonly #tenants = new WeakMap<TenantOwner, Tenant>();

  /** Starts the workers; nothing may be submitted before they are `ready`. */
  constructor(options: CheckPoolOptions) {
    this.size = options.size;
    this.#checkTimeout = options.checkTimeout;
    this.admission = new Admission(
      { running: options.size, waiting: options.queue, timeoutMs: options.checkTimeout },
      (tenant, places) => this.#preempt(tenant, places),
    );
    const { ceiling, largeCeiling } = this.admission;
    const counts = {
      smallSlots: ceiling,
      largeSlots: largeCeiling,
      rooms: Math.min(largeCeiling, roomsPerWorker * options.size),
    };
    const shared = createSharedMemory(options.kernelTables, counts, options.size);
    const memory = new SlotMemory(shared.slots);
    this.editions = new EditionAreas(shared);
    this.#slots = memory.slots;
    this.#free = {
      small: memory.slots.slice(0, ceiling).reverse(),
      large: memory.slots.slice(ceiling).reverse(),
    };
    this.busyMs = new Array<number>(options.size).fill(0);
    this.#ticks = new Ticks(options.checkTimeout, () => this.#lookAtAges());
    this.#lateTicks = this.#ticks.in(options.checkTimeout);
    this.#stuckTicks = this.#ticks.in(options.checkHardLimit);
    const queues = createQueues(options.size, memory.slots.length);
    this.#queues = new MainQueues(queues);
    this.#piscina = startWorkers(options, shared, queues);
    this.#piscina.on("workerDestroy", () => {
      this.counts.restarts++;
      this.#dispatcher.loops.threadEnded();
    });
    this.#dispatcher = new Dispatcher(
      (worker, signal) => this.#piscina.run(worker, { signal }),
      this.#queues,
      memory,
      (slot, outcome) => this.#finish(slot, outcome),
    );
  }

  /** Waits until each worker has loaded its code. Rejects, and closes the pool, when the worker module cannot run. */
  async ready(): Promise<void> {
    try {
      await Promise.all(this.busyMs.map(() => this.#piscina.run(undefined)));
      this.#dispatcher.loops.start();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Requests without a key, and those of a command line, are one tenant. */
  tenantOf(owner: TenantOwner = anybody): Tenant {
    let tenant = this.#tenants.get(owner);
    if (tenant === undefined) {
      tenant = new Tenant(owner);
      this.#tenants.set(owner, tenant);
    }
    return tenant;
  }

  get load() {
    const { inside, ceiling, largeCeiling } = this.admission;
    return {
      size: this.size,
      inside,
      ceiling,
      large_ceiling: largeCeiling,
      failing_task_kinds: this.#breaker.open,
    };
  }

  get waiting(): number {
    return Math.max(0, this.admission.inside - this.size);
  }

  get hasWorkers(): boolean {
    return this.#dispatcher.loops.hasWorkers;
  }

  /**
   * Accepts one request of a tenant, lets `fill` write it into a slot, and hands it to the workers.
   *
   * Throws server_busy, before `fill`, where there is no place for it, and checker_failed for a kind of task that keeps
   * killing workers. What `fill` throws is passed on; no place is taken then. `done` is called on a later turn; the slot
   * is free again when it returns, so the answer must have left by then. Returns the number of the request.
   */
  submit(size: SlotSize, tenant: Tenant, fill: (slot: Slot) => void, done: RequestDone): number {
    this.admission.enter(size, tenant);
    const slot = this.#free[size].pop()!;
    slot.tenant = tenant;
    slot.request = ++this.counts.submissions;
    slot.set(SlotField.edition, this.editions.enter());
    try {
      fill(slot);
      if (!this.#breaker.allows(slot.get(SlotField.kind))) throw new RequestError("checker_failed");
    } catch (error) {
      this.#release(slot);
      throw error;
    }
    slot.done = done;
    this.#ticks.start();
    slot.since = this.#ticks.now;
    this.#dispatcher.submit(slot);
    return slot.request;
  }

  /** Drops the request with this number unless a worker has begun it; does nothing once it is done. */
  abandon(number: number): void {
    const slot = this.#slots.find(({ request }) => request === number);
    if (slot === undefined || !this.#dispatcher.drop(slot, "refused")) return;
    slot.tenant.abandoned();
    this.counts.abandoned++;
  }

  /** Ends the worker threads; running work is lost. */
  async close(): Promise<void> {
    this.#ticks.stop();
    this.#dispatcher.close();
    await this.#piscina.destroy();
  }

  #finish(slot: Slot, outcome: RequestOutcome): void {
    const kind = slot.get(SlotField.kind);
    if (outcome === "crashed") this.#breaker.crashed(kind);
    else if (outcome === "answered" || outcome === "threw") {
      this.#breaker.returned(kind);
      this.busyMs[slot.worker]! += slot.get(SlotField.busy) / 1_000;
    }
    // The check that a request counts as was charged when it entered.
    if (outcome === "answered") slot.tenant.charge(slot.get(SlotField.count) - 1);
    try {
      slot.done?.(slot, outcome);
    } finally {
      this.#release(slot);
    }
  }

  /** Acts on the requests that have just reached a limit of time; false if none is inside. */
  #lookAtAges(): boolean {
    for (const slot of this.#slots) {
      if (slot.since === 0) continue;
      const age = this.#ticks.now - slot.since;
      if (age === this.#lateTicks) this.#late(slot);
      if (age === this.#stuckTicks) this.#endThreadOf(slot);
    }
    return this.admission.inside > 0;
  }

  /** Refuses a request that no worker has begun, or that has waited longer than it has run; fails any other one. */
  #late(slot: Slot): void {
    const isDropped = this.#dispatcher.drop(slot, "refused");
    const ranMs = between(slot.get(SlotField.begun), stampOf(now()));
    const hasWaited = isDropped || ranMs < this.#checkTimeout / 2;
    if (hasWaited) this.admission.refused.queue_time++;
    if (isDropped) return;
    slot.done?.(slot, hasWaited ? "refused" : "late");
    slot.done = undefined;
  }

  /** Refuses the request of a tenant that came last and that no worker has begun, of those in such places. */
  #preempt(tenant: Tenant, places: Places): boolean {
    let last: Slot | undefined;
    for (const slot of this.#slots) {
      if (slot.tenant !== tenant || (places !== "all" && slot.size !== places)) continue;
      const isUnbegun = slot.state === SlotState.waiting || slot.state === SlotState.posted;
      if (isUnbegun && slot.request > (last?.request ?? 0)) last = slot;
    }
    if (last !== undefined && this.#dispatcher.drop(last, "refused")) return true;
    this.#dispatcher.settleFinished();
    return false;
  }

  /** Ends the thread that a request's task runs in; Piscina puts another one in its place. */
  #endThreadOf({ state, worker }: Slot): void {
    if (state !== SlotState.running) return;
    const thread = this.#queues.threadOf(worker);
    void this.#piscina.threads.find(({ threadId }) => threadId === thread)?.terminate();
  }

  #release(slot: Slot): void {
    slot.done = undefined;
    slot.since = 0;
    slot.state = SlotState.free;
    this.#free[slot.size].push(slot);
    this.editions.leave(slot.get(SlotField.edition));
    this.admission.leave(slot.size, slot.tenant);
  }
}
