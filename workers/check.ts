import { threadId, workerData } from "node:worker_threads";
import { AdaptiveSpin } from "../src/pool/adaptive-spin.ts";
import { workerQueues } from "../src/pool/queues.ts";
import { runLoop } from "../src/pool/run-loop.ts";
import { openTaskWorker, runTask, type TaskWorker } from "../src/pool/run-task.ts";
import { templatesIn, type WorkerInput } from "../src/pool/shared-memory.ts";
import { type Slot, SlotField, SlotMemory, SlotState } from "../src/pool/slots.ts";
import { encodeFailure } from "../src/pool/tasks.ts";

const input = workerData as WorkerInput;
const { shared, queues } = input;
const memory = new SlotMemory(shared.slots);

/**
 * The run loop of a worker: takes tasks from the ring and writes each finished answer into its slot, as long as the
 * thread lives. A task that throws leaves its error in the slot and never stops the others. `before` is called for each
 * task that begins. Without the number of a worker it only loads the module.
 */
export default function work(worker: number | undefined, before?: (slot: Slot) => void): void {
  if (worker === undefined) return;
  const templates = templatesIn(shared, worker);
  /** The edition in each area and the tools opened on it by its first task. */
  const opened: { edition: number; tools: TaskWorker }[] = [];

  function toolsOf(edition: number): TaskWorker {
    const area = edition & 1;
    if (opened[area]?.edition !== edition)
      opened[area] = { edition, tools: openTaskWorker(input, edition, templates) };
    return opened[area].tools;
  }

  const doTask = (slot: Slot) => {
    before?.(slot);
    try {
      runTask(slot, toolsOf(slot.get(SlotField.edition)));
      return SlotState.answered;
    } catch (error) {
      encodeFailure(slot, error);
      return SlotState.failed;
    }
  };
  runLoop(workerQueues(queues, memory, worker, threadId), doTask, new AdaptiveSpin());
}
