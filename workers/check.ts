import { Piscina } from "piscina";
import { Checker } from "../src/answers/checker.ts";
import { BankDirectory } from "../src/banks/directory.ts";
import { runTask } from "../src/pool/run-task.ts";
import { SlotState } from "../src/pool/slot-layout.ts";
import { SlotMemory } from "../src/pool/slot-memory.ts";
import type { WorkerInput } from "../src/pool/worker-input.ts";

const { slots, directory } = Piscina.workerData as WorkerInput;
const memory = new SlotMemory(slots);
const checker = new Checker(new BankDirectory(directory));

/**
 * Works through the slots of the given numbers: reads each task, checks, and writes the finished answer into its slot.
 *
 * A task that throws is marked as failed and never stops the others.
 */
export default function checkSlots(slotNumbers: readonly number[]): void {
  for (const number of slotNumbers) {
    const slot = memory.slot(number);
    slot.state = SlotState.running;
    try {
      runTask(slot, checker);
      slot.state = SlotState.answered;
    } catch {
      slot.state = SlotState.failed;
    }
  }
}
