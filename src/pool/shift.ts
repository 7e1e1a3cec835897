import { now, stampOf } from "./clock.ts";
import { SlotField, type SlotState } from "./slot-layout.ts";
import type { Slot } from "./slot-memory.ts";
import type { WorkerRings } from "./worker-rings.ts";

const microsecondsPerMs = 1_000;

/**
 * A worker's shift: takes slots as they come and finishes them, until it has had nothing to do for `idleMs`
 * milliseconds. `work` does the task in a slot and returns what became of it; it must not throw.
 */
export function workShift(rings: WorkerRings, idleMs: number, work: (slot: Slot) => SlotState): void {
  do {
    let begun = now();
    for (let slot = rings.take(); slot !== undefined; slot = rings.take()) {
      slot.set(SlotField.begun, stampOf(begun));
      const state = work(slot);
      const ended = now();
      slot.set(SlotField.busy, (ended - begun) * microsecondsPerMs);
      slot.finish(state);
      rings.finished(slot);
      begun = ended;
    }
  } while (rings.park(idleMs));
}
