import { threadId } from "node:worker_threads";
import { Piscina } from "piscina";
import { openEdition } from "../src/banks/editions/edition-block.ts";
import { Checker } from "../src/checks/checker.ts";
import { Kernel } from "../src/kernel/kernel.ts";
import { now, stampOf } from "../src/pool/clock.ts";
import { runTask, type TaskWorker } from "../src/pool/run-task.ts";
import { areaOf } from "../src/pool/shared-memory.ts";
import { SlotField, SlotState } from "../src/pool/slot-layout.ts";
import { type Slot, SlotMemory } from "../src/pool/slot-memory.ts";
import type { WorkerInput } from "../src/pool/worker-input.ts";

const { shared, kernel } = Piscina.workerData as WorkerInput;
const memory = new SlotMemory(shared.slots);

/** What works on the edition in each area, opened by its first task. */
const opened: { edition: number; worker: TaskWorker }[] = [];

function workerOf(edition: number): TaskWorker {
  const area = edition & 1;
  const known = opened[area];
  if (known?.edition === edition) return known.worker;
  const place = areaOf(shared, edition);
  const { directory, search } = openEdition(shared.slots.buffer, place);
  const worker = {
    checker: new Checker(directory, search),
    kernel: new Kernel(kernel, shared.memory, { tables: shared.tables, directory: place }),
  };
  opened[area] = { edition, worker };
  return worker;
}

const microsecondsPerMs = 1_000;

/**
 * Works through the slots of the given numbers: reads each task, checks, and writes the finished answer into its slot.
 *
 * A task that throws is marked as failed and never stops the others; one that was taken back meanwhile is passed over.
 */
export default function checkSlots(slotNumbers: readonly number[]): void {
  let begun = now();
  for (const number of slotNumbers) {
    const slot = memory.slot(number);
    if (!slot.change(SlotState.queued, SlotState.running)) continue;
    slot.set(SlotField.thread, threadId);
    slot.set(SlotField.begun, stampOf(begun));
    const outcome = outcomeOf(slot);
    const ended = now();
    slot.set(SlotField.busy, (ended - begun) * microsecondsPerMs);
    slot.state = outcome;
    begun = ended;
  }
}

function outcomeOf(slot: Slot): SlotState {
  try {
    runTask(slot, workerOf(slot.get(SlotField.edition)));
    return SlotState.answered;
  } catch {
    return SlotState.failed;
  }
}
