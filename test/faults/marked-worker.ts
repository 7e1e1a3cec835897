import { type Slot, SlotField } from "../../src/pool/slots.ts";
import work, { type ShiftTask } from "../../workers/check.ts";
import { Gate } from "./gate.ts";
import { markers } from "./markers.ts";

const unknownKind = 99;
const gate = Gate.ofThread();

/** The real worker, except that tasks which hold a marker go wrong on the way. */
export default function workMarked(worker: ShiftTask): void {
  work(worker, goWrong);
}

function goWrong(slot: Slot): void {
  const input = slot.input.toString("latin1", 0, slot.get(SlotField.inputLength));
  if (input.includes(markers.throws)) slot.set(SlotField.kind, unknownKind);
  if (input.includes(markers.exit)) process.exit(1);
  if (input.includes(markers.exitOnce) && gate.isFirst()) process.exit(1);
  if (input.includes(markers.gate)) gate.pass();
}
