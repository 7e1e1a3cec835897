import type { BankDirectory } from "../banks/directory/directory.ts";
import type { BankSearch } from "../banks/search/bank-search.ts";
import { accountAnswer } from "../checks/account-answer.ts";
import type { AnswerOptions } from "../checks/answer.ts";
import { batchAnswer } from "../checks/batch-answer.ts";
import { ibanAnswer } from "../checks/iban-answer.ts";
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
  readonly directory: BankDirectory;
  readonly search: BankSearch;
  readonly kernel: Kernel;
}

/**
 * Does the task in a slot and leaves there the finished answer, or the error that the request is answered with.
 *
 * Throws for a task of unknown kind, and where an answer does not fit its slot.
 */
export function runTask(slot: Slot, worker: TaskWorker): void {
  const run = runners[slot.get(SlotField.kind)];
  if (run === undefined) throw new Error(`no task has the kind ${slot.get(SlotField.kind)}`);
  slot.set(SlotField.error, 0);
  try {
    const answer = run(slot, worker);
    slot.set(SlotField.outputLength, typeof answer === "number" ? answer : writeJson(slot, answer));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    encodeRefusal(slot, error);
  }
}

/** By kind; a runner returns an answer object, or the length of the answer that it has written itself. */
const runners: Readonly<Record<number, (slot: Slot, worker: TaskWorker) => object | number>> = {
  [TaskKind.iban]: runIban,
  [TaskKind.batch]: runBatch,
  [TaskKind.account]: runAccount,
  [TaskKind.search]: runSearch,
};

function writeJson({ output }: Slot, answer: object): number {
  const text = JSON.stringify(answer);
  if (text.length * 3 > output.length && Buffer.byteLength(text) > output.length) {
    throw new RangeError("the answer does not fit its slot");
  }
  return output.write(text);
}

function optionsIn(flags: number): AnswerOptions {
  const language = (flags & TaskFlag.german) === 0 ? "en" : "de";
  return { language, explain: (flags & TaskFlag.explain) !== 0 };
}

/** The kernel answers most plain checks; everything else is for the reference. */
function runIban(slot: Slot, { directory, kernel }: TaskWorker): object | number {
  const flags = slot.get(SlotField.flags);
  if ((flags & ~TaskFlag.sepa) === 0) {
    const length = slot.get(SlotField.inputLength);
    const written = kernel.writeSingle(slot.inputOffset, length, slot.outputOffset, slot.output.length);
    if (written !== notUnderstood) return written;
  }
  const bic = (flags & TaskFlag.bic) === 0 ? undefined : decodeText(slot, 1);
  return ibanAnswer(directory, decodeText(slot, 0), bic, optionsIn(flags));
}

/** The kernel answers most batches; those that it does not understand are parsed, validated and answered here. */
function runBatch(slot: Slot, { directory, kernel }: TaskWorker): object | number {
  const length = slot.get(SlotField.inputLength);
  const written = kernel.writeBatch(slot.inputOffset, length, slot.outputOffset, slot.output.length);
  if (written !== notUnderstood) {
    slot.set(SlotField.count, kernel.count);
    return written;
  }
  const body = parseJsonObject(slot.input.subarray(0, length));
  if (Object.hasOwn(body, "iban")) throw new RequestError("conflicting_iban_fields");
  validate("batchBody", body);
  slot.set(SlotField.count, body.ibans.length);
  return batchAnswer(directory, body.ibans);
}

function runAccount(slot: Slot, { directory }: TaskWorker): object {
  const flags = slot.get(SlotField.flags);
  const question = {
    kontonummer: decodeText(slot, 0),
    blz: decodeText(slot, 1),
    sepa: (flags & TaskFlag.sepa) !== 0,
  };
  return accountAnswer(directory, question, optionsIn(flags));
}

function runSearch(slot: Slot, { directory, search }: TaskWorker): object {
  const flags = slot.get(SlotField.flags);
  const query = {
    name: decodeText(slot, 0),
    location: decodeText(slot, 1),
    zip: decodeText(slot, 2),
    bankleitzahl: decodeText(slot, 3),
    max: flags >>> searchLimitShift,
  };
  return searchAnswer(directory, search, query, optionsIn(flags).language);
}
