import { getEnvironmentData } from "node:worker_threads";
import { SlotField } from "../../.dist/src/pool/slots.js";
import work from "../../.dist/workers/check.js";

// The compiled worker, since a thread that loads TypeScript takes a second of processor time to start.
const unknownKind = 99;
const { words, wordOf, markers } = getEnvironmentData("bankcheck.test.gate");

/** The real worker, except that tasks which hold a marker go wrong on the way. */
export default function workMarked(worker) {
  work(worker, goWrong);
}

function goWrong(slot) {
  const input = slot.input.toString("latin1", 0, slot.get(SlotField.inputLength));
  if (input.includes(markers.throws)) slot.set(SlotField.kind, unknownKind);
  if (input.includes(markers.exit)) process.exit(1);
  if (input.includes(markers.exitOnce) && Atomics.exchange(words, wordOf.met, 1) === 0) process.exit(1);
  if (input.includes(markers.gate)) {
    Atomics.add(words, wordOf.reached, 1);
    Atomics.wait(words, wordOf.isOpen, 0);
  }
}
