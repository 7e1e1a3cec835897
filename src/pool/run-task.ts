import { berlinDay } from "../banks/editions/days.ts";
import { openEdition } from "../banks/editions/edition-file.ts";
import type { AccountPolicy } from "../banks/lookup/account-policy.ts";
import { accountAnswer } from "../checks/account-answer.ts";
import type { AnswerOptions } from "../checks/answer.ts";
import { bankAnswer } from "../checks/bank-answer.ts";
import { bicAnswer } from "../checks/bic-answer.ts";
import { type ComposeQuestion, composeAnswer } from "../checks/compose-answer.ts";
import { extractAnswer } from "../checks/extract-answer.ts";
import { batchAnswer, ibanAnswer } from "../checks/iban-answer.ts";
import { type SampleQuestion, sampleAnswer } from "../checks/sample-answer.ts";
import { type SearchQuestion, searchAnswer } from "../checks/search-answer.ts";
import { suggestAnswer } from "../checks/suggest-answer.ts";
import { RequestError } from "../contract/errors.ts";
import { parseJsonObject, validate } from "../contract/schema/validate.ts";
import { notUnderstood, openKernel, type TaskPlace } from "../kernel/kernel.ts";
import type { BankFilters } from "../suggest/filters.ts";
import { areaOf, templatesIn, type WorkerInput } from "./shared-memory.ts";
import { type Slot, SlotField } from "./slots.ts";
import { runBlock } from "./stream/run-block.ts";
import { encodeRefusal, forReference, TaskFlag, type TaskName, taskNames } from "./tasks.ts";

export type TaskWorker = ReturnType<typeof openTaskWorker>;

/** Opens what a worker needs on the edition of a number; costs a few milliseconds. */
export function openTaskWorker(
  { shared, kernel, observeAccounts }: Omit<WorkerInput, "queues">,
  edition: number,
  templates = templatesIn(shared, 0),
) {
  const { weights, ...parts } = openEdition(shared.slots.buffer, areaOf(shared, edition));
  const policy: AccountPolicy = { weights, observed: observeAccounts };
  const filters: BankFilters = { ...parts, policy };
  return {
    ...parts,
    policy,
    filters,
    templates,
    kernel: openKernel(kernel, shared.memory, shared.tables, parts.directory, templates, policy),
  };
}

/** Does the task in a slot and leaves there the finished answer, or the error that the request is answered with. */
export function runTask(slot: Slot, worker: TaskWorker): void {
  const run = runnerOfKind[slot.get(SlotField.kind) - 1];
  if (run === undefined) throw new Error(`no task has the kind ${slot.get(SlotField.kind)}`);
  slot.set(SlotField.isRefusal, 0);
  try {
    const flags = slot.get(SlotField.flags);
    const answer = run(slot, worker, optionsIn(flags, worker), flags);
    slot.set(SlotField.outputLength, typeof answer === "number" ? answer : writeJson(slot, answer));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    encodeRefusal(slot, error);
  }
}

/** Returns an answer object, or the length of the answer that it has written itself. */
type Runner = (slot: Slot, worker: TaskWorker, options: AnswerOptions, flags: number) => object | number;

const runSearch: Runner = (slot, { directory, search }, { language }) =>
  searchAnswer(directory, search, jsonIn<SearchQuestion>(slot), language);

const runners: Readonly<Record<TaskName, Runner>> = {
  checkIbanByPath: runIban,
  checkIbanAndBicByPath: runIban,
  checkIbanByBody: runIban,
  batch: runBatch,
  checkAccountByPath: runAccount,
  checkAccountByBody: runAccount,
  searchByQuery: runSearch,
  searchByBody: runSearch,
  suggest: (slot, { filters }, { language }) => {
    const { iban, max } = jsonIn<{ readonly iban: string; readonly max: number }>(slot);
    return suggestAnswer(filters, iban, max, language);
  },
  extract: (slot, { filters }, { language }) => {
    const body = bodyIn(slot);
    validate("extractBody", body);
    const { answer, count } = extractAnswer(filters, body.text, language);
    slot.set(SlotField.count, count);
    return answer;
  },
  lookUpBic: (slot, worker, { language }) => bicAnswer(worker, textIn(slot), berlinDay(Date.now()), language),
  lookUpBank: (slot, worker, { language }) =>
    bankAnswer(worker, ...jsonIn<[string, string]>(slot), berlinDay(Date.now()), language),
  composeIban: (slot, worker, { language }) => composeAnswer(worker, jsonIn<ComposeQuestion>(slot), language),
  sampleIbans: (slot, worker, { language }) => sampleAnswer(worker, jsonIn<SampleQuestion>(slot), language),
  // The summary counts reasons also where the lines do not name them.
  stream: (slot, worker, { today = dayByUtc(), ...options }, flags) =>
    runBlock(slot, worker, { ...options, sepa: (flags & TaskFlag.sepa) !== 0, today }),
};

/** The same by the number of the task's kind, less one. */
const runnerOfKind = taskNames.map((name) => runners[name]);

function textIn(slot: Slot): string {
  return slot.input.toString("utf8", 0, slot.get(SlotField.inputLength));
}

/** Splits at the first space: a BIC or a bank code, which has none, precedes the number. */
function pairIn(slot: Slot): [string, string] {
  const text = textIn(slot);
  const end = text.indexOf(" ");
  return [text.slice(0, end), text.slice(end + 1)];
}

function jsonIn<Question>(slot: Slot): Question {
  return JSON.parse(textIn(slot)) as Question;
}

function bodyIn(slot: Slot): Readonly<Record<string, unknown>> {
  return parseJsonObject(slot.input.subarray(0, slot.get(SlotField.inputLength)));
}

function writeJson({ output }: Slot, answer: object): number {
  const text = JSON.stringify(answer);
  if (text.length * 3 > output.length && Buffer.byteLength(text) > output.length) {
    throw new RangeError("the answer does not fit its slot");
  }
  return output.write(text);
}

/** The day on which lists have their age; the one in Berlin costs twenty times as much. */
function dayByUtc(): string {
  return new Date().toISOString().slice(0, 10);
}

function optionsIn(flags: number, { filters, policy, register }: TaskWorker): AnswerOptions {
  return {
    language: (flags & TaskFlag.german) === 0 ? "en" : "de",
    reason: (flags & TaskFlag.reason) !== 0,
    ...((flags & TaskFlag.reason) === 0 ? {} : { today: dayByUtc() }),
    explain: (flags & TaskFlag.explain) !== 0,
    suggest: (flags & TaskFlag.suggest) === 0 ? undefined : filters,
    lenient: (flags & TaskFlag.lenient) !== 0,
    policy,
    ...((flags & TaskFlag.reach) === 0 ? {} : { reach: { register, today: berlinDay(Date.now()) } }),
  };
}

function placeOf(slot: Slot): TaskPlace {
  return {
    input: slot.input.byteOffset,
    inputLength: slot.get(SlotField.inputLength),
    output: slot.output.byteOffset,
    outputRoom: slot.output.length,
  };
}

/** The kernel answers most plain checks; everything else is for the reference. */
function runIban(slot: Slot, { directory, kernel }: TaskWorker, options: AnswerOptions, flags: number) {
  if ((flags & forReference) === 0) {
    const written = kernel.writeSingle(placeOf(slot), options);
    if (written !== notUnderstood) return written;
  }
  const [bic, iban] = (flags & TaskFlag.bic) === 0 ? [undefined, textIn(slot)] : pairIn(slot);
  return ibanAnswer(directory, iban, bic, options);
}

/** The kernel answers most batches; those that it does not understand are parsed, validated and answered here. */
function runBatch(slot: Slot, { directory, kernel }: TaskWorker, options: AnswerOptions, flags: number) {
  if ((flags & forReference) === 0) {
    const written = kernel.writeBatch(placeOf(slot), options);
    if (written !== notUnderstood) {
      slot.set(SlotField.count, kernel.count());
      return written;
    }
  }
  const body = bodyIn(slot);
  if (Object.hasOwn(body, "iban")) throw new RequestError("conflicting_iban_fields");
  validate("batchBody", body);
  slot.set(SlotField.count, body.ibans.length);
  return batchAnswer(directory, body.ibans, options);
}

function runAccount(slot: Slot, { directory }: TaskWorker, options: AnswerOptions, flags: number) {
  const [blz, kontonummer] = pairIn(slot);
  return accountAnswer(directory, { kontonummer, blz, sepa: (flags & TaskFlag.sepa) !== 0 }, options);
}
