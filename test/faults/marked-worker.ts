import { threadId } from "node:worker_threads";
import { Piscina } from "piscina";
import { SlotField, SlotState } from "../../src/pool/slot-layout.ts";
import { type Slot, SlotMemory } from "../../src/pool/slot-memory.ts";
import type { WorkerInput } from "../../src/pool/worker-input.ts";
import checkSlots from "../../workers/check.ts";
import { Gate } from "./gate.ts";
import { markers } from "./markers.ts";

const unknownKind = 99;
const memory = new SlotMemory((Piscina.workerData as WorkerInput).shared.slots);
const gate = Gate.ofThread();

/** The real worker, except that tasks which hold a marker go wrong on the way. */
export default function checkMarkedSlots(slotNumbers: readonly number[]): void {
  if (slotNumbers.length === 0) checkSlots(slotNumbers);
  for (const number of slotNumbers) {
    goWrong(memory.slot(number));
    checkSlots([number]);
  }
}

function goWrong(slot: Slot): void {
  const input = slot.input.toString("latin1", 0, slot.get(SlotField.inputLength));
  if (input.includes(markers.throws)) slot.set(SlotField.kind, unknownKind);
  if (!input.includes(markers.gate) && !input.includes(markers.exit)) return;
  if (!slot.change(SlotState.queued, SlotState.running)) return;
  slot.set(SlotField.thread, threadId);
  if (input.includes(markers.exit)) process.exit(1);
  gate.pass();
  slot.state = SlotState.queued;
}
