import type { BankDirectory } from "../banks/directory/directory.ts";
import type { BankSearch } from "../banks/search/bank-search.ts";
import { accountAnswer } from "../checks/account-answer.ts";
import type { AnswerOptions } from "../checks/answer.ts";
import { batchAnswer } from "../checks/batch-answer.ts";
import { extractAnswer } from "../checks/extract-answer.ts";
import { ibanAnswer } from "../checks/iban-answer.ts";
import { searchAnswer } from "../checks/search-answer.ts";
import { suggestAnswer } from "../checks/suggest-answer.ts";
import { RequestError } from "../contract/errors.ts";
import type { Language } from "../contract/messages.ts";
import { parseJsonObject } from "../contract/schema/json-object.ts";
import { validate } from "../contract/schema/validate.ts";
import { type Kernel, notUnderstood } from "../kernel/kernel.ts";
import type { BankFilters } from "../suggest/filters.ts";
import { SlotField } from "./slot-layout.ts";
import type { Slot } from "./slot-memory.ts";
import { decodeText, encodeRefusal, limitShift, TaskFlag, TaskKind } from "./tasks.ts";

/** What a worker thread does its tasks with. */
export interface TaskWorker {
  readonly directory: BankDirectory;
  readonly search: BankSearch;
  readonly kernel: Kernel;
  /** What corrections have to pass. */
  readonly filters: BankFilters;
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
  [TaskKind.suggest]: runSuggest,
  [TaskKind.extract]: runExtract,
};

function writeJson({ output }: Slot, answer: object): number {
  const text = JSON.stringify(answer);
  if (text.length * 3 > output.length && Buffer.byteLength(text) > output.length) {
    throw new RangeError("the answer does not fit its slot");
  }
  return output.write(text);
}

function languageIn(flags: number): Language {
  return (flags & TaskFlag.german) === 0 ? "en" : "de";
}

function optionsIn(flags: number, { filters }: TaskWorker): AnswerOptions {
  return {
    language: languageIn(flags),
    explain: (flags & TaskFlag.explain) !== 0,
    suggest: (flags & TaskFlag.suggest) === 0 ? undefined : filters,
    lenient: (flags & TaskFlag.lenient) !== 0,
  };
}

/** The kernel answers most plain checks; everything else is for the reference. */
function runIban(slot: Slot, worker: TaskWorker): object | number {
  const { directory, kernel } = worker;
  const flags = slot.get(SlotField.flags);
  const isPlain = (flags & ~TaskFlag.sepa) === 0;
  if (isPlain && !hasPrefix(slot)) {
    const length = slot.get(SlotField.inputLength);
    const written = kernel.writeSingle(slot.inputOffset, length, slot.outputOffset, slot.output.length);
    if (written !== notUnderstood) return written;
  }
  const bic = (flags & TaskFlag.bic) === 0 ? undefined : decodeText(slot, 1);
  return ibanAnswer(directory, decodeText(slot, 0), bic, optionsIn(flags, worker));
}

/** The message for "IBAN DE89 …" names that word, which the kernel takes for a country. */
function hasPrefix({ input }: Slot): boolean {
  return input[0] === 0x49 && input[1] === 0x42 && input[2] === 0x41 && input[3] === 0x4e;
}

/** The kernel answers most batches; those that it does not understand are parsed, validated and answered here. */
function runBatch(slot: Slot, worker: TaskWorker): object | number {
  const { directory, kernel } = worker;
  const length = slot.get(SlotField.inputLength);
  const flags = slot.get(SlotField.flags);
  if ((flags & (TaskFlag.suggest | TaskFlag.lenient)) === 0) {
    const written = kernel.writeBatch(slot.inputOffset, length, slot.outputOffset, slot.output.length);
    if (written !== notUnderstood) {
      slot.set(SlotField.count, kernel.count);
      return written;
    }
  }
  const body = parseJsonObject(slot.input.subarray(0, length));
  if (Object.hasOwn(body, "iban")) throw new RequestError("conflicting_iban_fields");
  validate("batchBody", body);
  slot.set(SlotField.count, body.ibans.length);
  return batchAnswer(directory, body.ibans, optionsIn(flags, worker));
}

function runAccount(slot: Slot, worker: TaskWorker): object {
  const flags = slot.get(SlotField.flags);
  const question = {
    kontonummer: decodeText(slot, 0),
    blz: decodeText(slot, 1),
    sepa: (flags & TaskFlag.sepa) !== 0,
  };
  return accountAnswer(worker.directory, question, optionsIn(flags, worker));
}

function runSearch(slot: Slot, { directory, search }: TaskWorker): object {
  const flags = slot.get(SlotField.flags);
  const query = {
    name: decodeText(slot, 0),
    location: decodeText(slot, 1),
    zip: decodeText(slot, 2),
    bankleitzahl: decodeText(slot, 3),
    max: flags >>> limitShift,
  };
  return searchAnswer(directory, search, query, languageIn(flags));
}

function runSuggest(slot: Slot, { filters }: TaskWorker): object {
  const flags = slot.get(SlotField.flags);
  return suggestAnswer(filters, decodeText(slot, 0), flags >>> limitShift, languageIn(flags));
}

function runExtract(slot: Slot, { filters }: TaskWorker): object {
  const body = parseJsonObject(slot.input.subarray(0, slot.get(SlotField.inputLength)));
  validate("extractBody", body);
  const { answer, count } = extractAnswer(filters, body.text, languageIn(slot.get(SlotField.flags)));
  slot.set(SlotField.count, count);
  return answer;
}
