import { threadId } from "node:worker_threads";
import { Piscina } from "piscina";
import { Checker } from "../src/answers/checker.ts";
import { BankDirectory } from "../src/banks/directory.ts";
import { Kernel } from "../src/kernel/kernel.ts";
import { runTask } from "../src/pool/run-task.ts";
import { SlotField, SlotState } from "../src/pool/slot-layout.ts";
import { SlotMemory } from "../src/pool/slot-memory.ts";
import type { WorkerInput } from "../src/pool/worker-input.ts";

const { shared, kernel } = Piscina.workerData as WorkerInput;
const memory = new SlotMemory(shared.slots);
const worker = {
  checker: new Checker(new BankDirectory(shared.slots.buffer, shared.directory)),
  kernel: new Kernel(kernel, shared.memory, shared),
};

/**
 * Works through the slots of the given numbers: reads each task, checks, and writes the finished answer into its slot.
 *
 * A task that throws is marked as failed and never stops the others; one that was taken back meanwhile is passed over. A run without slots readies the worker: it builds
 * the search index, which the first search would otherwise wait for.
 */
export default function checkSlots(slotNumbers: readonly number[]): void {
  if (slotNumbers.length === 0) worker.checker.search.prepare();
  for (const number of slotNumbers) {
    const slot = memory.slot(number);
    if (!slot.change(SlotState.queued, SlotState.running)) continue;
    slot.set(SlotField.thread, threadId);
    try {
      runTask(slot, worker);
      slot.state = SlotState.answered;
    } catch {
      slot.state = SlotState.failed;
    }
  }
}
