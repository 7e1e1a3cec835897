import type { AdaptiveSpin } from "./adaptive-spin.ts";
import { now, stampOf } from "./clock.ts";
import { type WorkerQueues, WorkerState } from "./queues.ts";
import { type Slot, SlotField, type SlotState } from "./slots.ts";

/**
 * The run loop of a worker: takes slots as they come and finishes them, as long as its thread lives. `work` does the
 * task in a slot and returns its new state; it must not throw.
 */
export function runLoop(
  queues: WorkerQueues,
  work: (slot: Slot) => SlotState,
  spin: Pick<AdaptiveSpin, "spinMs" | "spun">,
): never {
  let time = now();
  for (;;) {
    let taken = 0;
    for (let slot = queues.take(); slot !== undefined; slot = queues.take()) {
      const begun = time;
      slot.set(SlotField.begun, stampOf(begun));
      const state = work(slot);
      time = now();
      slot.set(SlotField.busy, (time - begun) * 1e3);
      slot.finish(state);
      queues.finished(slot);
      taken++;
    }
    const idleSince = time;
    const spinMs = spin.spinMs(taken);
    // Another worker that is awake takes the next task: a second one would only compete for the processor.
    if (spinMs > 0 && queues.count(WorkerState.awake) === 1) {
      const hasFound = queues.spin(idleSince + spinMs);
      time = now();
      spin.spun(hasFound, time - idleSince);
      if (hasFound) continue;
    }
    queues.park();
    time = now();
  }
}
