import { accountAnswer } from "../checks/account-answer.ts";
import { writeBatchEntry, writeBatchHead, writeBatchTail } from "../checks/batch-answer.ts";
import type { Checker } from "../checks/checker.ts";
import { writeIbanAnswer } from "../checks/iban-answer.ts";
import { searchAnswer } from "../checks/search-answer.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { SlotField } from "./slot-layout.ts";
import type { Slot } from "./slot-memory.ts";
import { decodeText, packedLength, TaskFlag, TaskKind } from "./tasks.ts";

/** What a worker thread does its tasks with. */
export interface TaskWorker {
  readonly checker: Checker;
  readonly kernel: Kernel;
}

/** Does the task in a slot and leaves the finished answer and its length there. Throws for a task of unknown kind. */
export function runTask(slot: Slot, worker: TaskWorker): void {
  const { checker } = worker;
  checker.answer.open(slot.output);
  const run = runners[slot.get(SlotField.kind)];
  if (run === undefined) throw new Error(`no task has the kind ${slot.get(SlotField.kind)}`);
  slot.set(SlotField.outputLength, run(slot, worker) ?? checker.answer.position);
}

/** By kind; a runner that does not write through `checker.answer` gives the answer's length itself. */
const runners: Readonly<Record<number, (slot: Slot, worker: TaskWorker) => number | undefined>> = {
  [TaskKind.iban]: runIban,
  [TaskKind.batch]: runBatch,
  [TaskKind.account]: runAccount,
  [TaskKind.search]: runSearch,
  [TaskKind.rawBatch]: runRawBatch,
};

function runIban(slot: Slot, { checker }: TaskWorker): undefined {
  const flags = slot.get(SlotField.flags);
  const bic = (flags & TaskFlag.bic) === 0 ? undefined : decodeText(slot, 1);
  const length = slot.get(SlotField.textLengths);
  writeIbanAnswer(checker.answer, checker.iban, slot.input, length, bic, (flags & TaskFlag.explain) !== 0);
}

function runBatch(slot: Slot, { checker }: TaskWorker): undefined {
  const { input } = slot;
  const count = slot.get(SlotField.count);
  writeBatchHead(checker.answer, count);
  let position = 0;
  for (let index = 0; index < count; index++) {
    const length = packedLength(input, position);
    position += 4;
    writeBatchEntry(checker.answer, checker.iban, input, position, length, index === 0);
    if (length > 0) position += length;
  }
  writeBatchTail(checker.answer);
}

function runAccount(slot: Slot, { checker }: TaskWorker): undefined {
  const flags = slot.get(SlotField.flags);
  const answer = accountAnswer(checker.directory, {
    kontonummer: decodeText(slot, 0),
    blz: decodeText(slot, 1),
    sepa: (flags & TaskFlag.sepa) !== 0,
    explain: (flags & TaskFlag.explain) !== 0,
  });
  checker.answer.text(JSON.stringify(answer));
}

/** The flags word of a search holds the number of results asked for. */
function runSearch(slot: Slot, { checker }: TaskWorker): undefined {
  const query = {
    name: decodeText(slot, 0),
    location: decodeText(slot, 1),
    zip: decodeText(slot, 2),
    bankleitzahl: decodeText(slot, 3),
    max: slot.get(SlotField.flags),
  };
  checker.answer.text(JSON.stringify(searchAnswer(checker.directory, checker.search, query)));
}

function runRawBatch(slot: Slot, { kernel }: TaskWorker): number {
  const length = slot.get(SlotField.inputLength);
  const written = kernel.writeBatch(slot.inputOffset, length, slot.outputOffset, slot.output.length);
  slot.set(SlotField.count, kernel.count);
  return written;
}
