import { Piscina } from "piscina";
import { RequestError } from "../contract/errors.ts";
import { openAdmission } from "./admission.ts";
import { between, now, stampOf } from "./clock.ts";
import { crashBreaker } from "./crash-breaker.ts";
import { openDispatcher } from "./dispatcher.ts";
import { createQueues, mainQueues } from "./queues.ts";
import { createSharedMemory, editionAreas, type WorkerInput } from "./shared-memory.ts";
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

/** Rooms for long answers: as many as batches of 500, of 62 µs each, fit what the dispatcher posts for a worker. */
export const roomsPerWorker = 16;

export interface CheckPoolOptions extends Pick<WorkerInput, "kernel" | "observeAccounts"> {
  readonly size: number;
  readonly workerFile: string;
  /** Accepted requests that may wait in addition to the running ones. */
  readonly queue: number;
  readonly checkTimeout: number;
  readonly checkHardLimit: number;
  readonly kernelTables: Uint8Array;
}

/** A worker's heap holds some 10 MB; the bank data is in shared memory, which does not count. */
const maxWorkerHeapMb = 128;

/**
 * By default V8 lets the garbage of each worker grow to 48 MB before it collects it. That is reached after half a million
 * requests, so that memory would seem to leak. Half of 8 MB costs suggestions a fifth of their rate.
 */
const maxWorkerYoungMb = 8;

const anybody: TenantOwner = {};

export type CheckPool = ReturnType<typeof openCheckPool>;

/**
 * Opens the worker pool behind its admission counter: a fixed number of threads and a bounded queue. Nothing may be
 * submitted before the workers are `ready`.
 *
 * A request that no worker has begun within `checkTimeout` milliseconds is refused; one that takes longer fails, and its
 * place is free when the task comes back. A thread that runs one task beyond `checkHardLimit` is replaced.
 */
export function openCheckPool(options: CheckPoolOptions) {
  const { size, queue, checkTimeout, checkHardLimit, kernelTables, kernel, observeAccounts } = options;
  const counts = {
    /** Accepted requests, blocks of streams included. */
    submissions: 0,
    /** Accepted requests that were dropped because their client closed the connection before a worker began them. */
    abandoned: 0,
    /** Worker threads that have ended; each is replaced. */
    restarts: 0,
  };
  const admission = openAdmission({ running: size, waiting: queue, timeoutMs: checkTimeout }, preempt);
  const { ceiling, largeCeiling } = admission;
  const rooms = Math.min(largeCeiling, roomsPerWorker * size);
  const slotCounts = { smallSlots: ceiling, largeSlots: largeCeiling, rooms };
  const shared = createSharedMemory(kernelTables, slotCounts, size);
  const memory = new SlotMemory(shared.slots);
  const { slots } = memory;
  /** The one returned last is taken first, so that its memory is still in the cache. */
  const free: Readonly<Record<SlotSize, Slot[]>> = {
    small: slots.slice(0, ceiling).reverse(),
    large: slots.slice(ceiling).reverse(),
  };
  const editions = editionAreas(shared);
  const busyMs = new Array<number>(size).fill(0);
  const breaker = crashBreaker();
  const tenants = new WeakMap<TenantOwner, Tenant>();
  /** The time that requests have been inside, for the price of one stored number each. */
  const ticks = new Ticks(checkTimeout, lookAtAges);
  const lateTicks = ticks.in(checkTimeout);
  const stuckTicks = ticks.in(checkHardLimit);
  const queues = createQueues(size, slots.length);
  const main = mainQueues(queues);
  const piscina = new Piscina<number | undefined, unknown>({
    filename: options.workerFile,
    minThreads: size,
    maxThreads: size,
    // A task of Piscina is a run loop, which lasts as long as its thread: its timing says nothing.
    concurrentTasksPerWorker: 1,
    recordTiming: false,
    // A task that uses up the memory ends its worker, which is replaced, and not the process.
    resourceLimits: {
      maxOldGenerationSizeMb: maxWorkerHeapMb,
      maxYoungGenerationSizeMb: maxWorkerYoungMb,
    },
    workerData: { shared, queues, kernel, observeAccounts } satisfies WorkerInput,
  });
  // A run loop that fails rejects. This is the end of a worker that had none: it is replaced, and an event without a
  // listener would end the process.
  piscina.on("error", () => {});
  const dispatcher = openDispatcher(
    (worker, signal) => piscina.run(worker, { signal }),
    main,
    memory,
    finish,
  );
  piscina.on("workerDestroy", () => {
    counts.restarts++;
    dispatcher.loops.threadEnded();
  });

  function finish(slot: Slot, outcome: RequestOutcome): void {
    const kind = slot.get(SlotField.kind);
    if (outcome === "crashed") breaker.crashed(kind);
    else if (outcome === "answered" || outcome === "threw") {
      breaker.returned(kind);
      busyMs[slot.worker]! += slot.get(SlotField.busy) / 1_000;
    }
    // The check that a request counts as was charged when it entered.
    if (outcome === "answered") slot.tenant.charge(slot.get(SlotField.count) - 1);
    try {
      slot.done?.(slot, outcome);
    } finally {
      release(slot);
    }
  }

  /** Acts on the requests that have just reached a limit of time; false if none is inside. */
  function lookAtAges(): boolean {
    for (const slot of slots) {
      if (slot.since === 0) continue;
      const age = ticks.now - slot.since;
      if (age === lateTicks) late(slot);
      if (age === stuckTicks) endThreadOf(slot);
    }
    return admission.inside > 0;
  }

  /** Refuses a request that no worker has begun, or that has waited longer than it has run; fails any other one. */
  function late(slot: Slot): void {
    const isDropped = dispatcher.drop(slot, "refused");
    const ranMs = between(slot.get(SlotField.begun), stampOf(now()));
    const hasWaited = isDropped || ranMs < checkTimeout / 2;
    if (hasWaited) admission.refused.queue_time++;
    if (isDropped) return;
    slot.done?.(slot, hasWaited ? "refused" : "late");
    slot.done = undefined;
  }

  /** Refuses the request of a tenant that came last and that no worker has begun, of those in such places. */
  function preempt(tenant: Tenant, places: Places): boolean {
    let last: Slot | undefined;
    for (const slot of slots) {
      if (slot.tenant !== tenant || (places !== "all" && slot.size !== places)) continue;
      const isUnbegun = slot.state === SlotState.waiting || slot.state === SlotState.posted;
      if (isUnbegun && slot.request > (last?.request ?? 0)) last = slot;
    }
    if (last !== undefined && dispatcher.drop(last, "refused")) return true;
    dispatcher.settleFinished();
    return false;
  }

  /** Ends the thread that a request's task runs in; Piscina puts another one in its place. */
  function endThreadOf({ state, worker }: Slot): void {
    if (state !== SlotState.running) return;
    const thread = main.threadOf(worker);
    void piscina.threads.find(({ threadId }) => threadId === thread)?.terminate();
  }

  function release(slot: Slot): void {
    slot.done = undefined;
    slot.since = 0;
    slot.state = SlotState.free;
    free[slot.size].push(slot);
    editions.leave(slot.get(SlotField.edition));
    admission.leave(slot.size, slot.tenant);
  }

  /** Ends the worker threads; running work is lost. */
  async function close(): Promise<void> {
    ticks.stop();
    dispatcher.close();
    await piscina.destroy();
  }

  return {
    size,
    admission,
    counts,
    /** By worker: busy milliseconds since the start; a replacement continues from its predecessor's value. */
    busyMs: busyMs as readonly number[],
    /** Nothing may be submitted before there is one. */
    editions,
    close,

    /** Waits until each worker has loaded its code. Rejects, and closes the pool, when the worker module cannot run. */
    ready: async () => {
      try {
        await Promise.all(busyMs.map(() => piscina.run(undefined)));
        dispatcher.loops.start();
      } catch (error) {
        await close();
        throw error;
      }
    },

    /** Requests without a key, and those of a command line, are one tenant. */
    tenantOf: (owner: TenantOwner = anybody) => {
      let tenant = tenants.get(owner);
      if (tenant === undefined) {
        tenant = new Tenant(owner);
        tenants.set(owner, tenant);
      }
      return tenant;
    },

    get load() {
      const { inside } = admission;
      return { size, inside, ceiling, large_ceiling: largeCeiling, failing_task_kinds: breaker.open };
    },

    get waiting() {
      return Math.max(0, admission.inside - size);
    },

    get hasWorkers() {
      return dispatcher.loops.hasWorkers;
    },

    /**
     * Accepts one request of a tenant, lets `fill` write it into a slot, and hands it to the workers.
     *
     * Throws server_busy, before `fill`, where there is no place for it, and checker_failed for a kind of task that keeps
     * killing workers. What `fill` throws is passed on; no place is taken then. `done` is called on a later turn; the slot
     * is free again when it returns, so the answer must have left by then. Returns what drops the request unless a worker has begun it.
     */
    submit: (slotSize: SlotSize, tenant: Tenant, fill: (slot: Slot) => void, done: RequestDone) => {
      admission.enter(slotSize, tenant);
      const slot = free[slotSize].pop()!;
      slot.tenant = tenant;
      slot.request = ++counts.submissions;
      slot.set(SlotField.edition, editions.enter());
      try {
        fill(slot);
        if (!breaker.allows(slot.get(SlotField.kind))) throw new RequestError("checker_failed");
      } catch (error) {
        release(slot);
        throw error;
      }
      slot.done = done;
      ticks.start();
      slot.since = ticks.now;
      dispatcher.submit(slot);
      const { request } = slot;
      return () => {
        if (slot.request !== request || !dispatcher.drop(slot, "refused")) return;
        tenant.abandoned();
        counts.abandoned++;
      };
    },
  };
}
