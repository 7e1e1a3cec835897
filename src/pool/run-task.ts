import { accountAnswer } from "../checks/account-answer.ts";
import { writeBatchEntry, writeBatchHead, writeBatchTail } from "../checks/batch-answer.ts";
import type { Checker } from "../checks/checker.ts";
import { writeIbanAnswer } from "../checks/iban-answer.ts";
import { searchAnswer } from "../checks/search-answer.ts";
import { RequestError } from "../contract/errors.ts";
import { parseJsonObject } from "../contract/schema/json-object.ts";
import { validate } from "../contract/schema/validate.ts";
import { type Kernel, notUnderstood } from "../kernel/kernel.ts";
import { SlotField } from "./slot-layout.ts";
import type { Slot } from "./slot-memory.ts";
import { decodeText, encodeRefusal, searchLimitShift, TaskFlag, TaskKind } from "./tasks.ts";

/** What a worker thread does its tasks with. */
export interface TaskWorker {
  readonly checker: Checker;
  readonly kernel: Kernel;
}

/**
 * Does the task in a slot and leaves there the finished answer, or the error that the request is answered with.
 *
 * Throws for a task of unknown kind.
 */
export function runTask(slot: Slot, worker: TaskWorker): void {
  const run = runners[slot.get(SlotField.kind)];
  if (run === undefined) throw new Error(`no task has the kind ${slot.get(SlotField.kind)}`);
  slot.set(SlotField.error, 0);
  worker.checker.answer.open(slot.output);
  try {
    slot.set(SlotField.outputLength, run(slot, worker) ?? worker.checker.answer.position);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    encodeRefusal(slot, error);
  }
}

/** By kind; a runner that does not write through `checker.answer` gives the answer's length itself. */
const runners: Readonly<Record<number, (slot: Slot, worker: TaskWorker) => number | undefined>> = {
  [TaskKind.iban]: runIban,
  [TaskKind.batch]: runBatch,
  [TaskKind.account]: runAccount,
  [TaskKind.search]: runSearch,
};

function runIban(slot: Slot, { checker }: TaskWorker): undefined {
  const flags = slot.get(SlotField.flags);
  const bic = (flags & TaskFlag.bic) === 0 ? undefined : decodeText(slot, 1);
  const length = slot.get(SlotField.textLengths);
  writeIbanAnswer(checker.answer, checker.iban, slot.input, length, bic, (flags & TaskFlag.explain) !== 0);
}

/** The kernel answers most batches; those that it does not understand are parsed, validated and answered here. */
function runBatch(slot: Slot, worker: TaskWorker): number | undefined {
  const { kernel } = worker;
  const length = slot.get(SlotField.inputLength);
  const written = kernel.writeBatch(slot.inputOffset, length, slot.outputOffset, slot.output.length);
  if (written === notUnderstood) return answerBatch(slot, worker);
  slot.set(SlotField.count, kernel.count);
  return written;
}

function answerBatch(slot: Slot, { checker }: TaskWorker): undefined {
  const body = parseJsonObject(slot.input.subarray(0, slot.get(SlotField.inputLength)));
  if (Object.hasOwn(body, "iban")) throw new RequestError("conflicting_iban_fields");
  validate("batchBody", body);
  const { ibans } = body;
  slot.set(SlotField.count, ibans.length);
  writeBatchHead(checker.answer, ibans.length);
  for (const [index, iban] of ibans.entries()) {
    const text = Buffer.from(typeof iban === "string" ? iban : "");
    const length = typeof iban === "string" ? text.length : -1;
    writeBatchEntry(checker.answer, checker.iban, text, 0, length, index === 0);
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

function runSearch(slot: Slot, { checker }: TaskWorker): undefined {
  const query = {
    name: decodeText(slot, 0),
    location: decodeText(slot, 1),
    zip: decodeText(slot, 2),
    bankleitzahl: decodeText(slot, 3),
    max: slot.get(SlotField.flags) >>> searchLimitShift,
  };
  checker.answer.text(JSON.stringify(searchAnswer(checker.directory, checker.search, query)));
}
