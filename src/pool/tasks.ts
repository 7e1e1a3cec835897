import { type CheckOptionName, checkOptions } from "../contract/check-options.ts";
import { type ErrorCode, type ErrorDetail, RequestError } from "../contract/errors.ts";
import { type PooledOperationName, pooledOperations } from "../contract/routes.ts";
import { pageBytes, type Slot, SlotField } from "./slots.ts";

export type TaskName = PooledOperationName | "batch" | "stream";

/** By the number of its kind, less one: the name of a task. */
export const taskNames: readonly TaskName[] = [...pooledOperations, "batch", "stream"];

/** By name: the number of a kind of task in a slot, from 1. */
export const taskKinds = Object.fromEntries(taskNames.map((name, index) => [name, index + 1])) as Readonly<
  Record<TaskName, number>
>;

/** Options of a task, as bits of one word: those of a check, a BIC beside the IBAN, the language of the answer. */
export const TaskFlag = {
  ...(Object.fromEntries(checkOptions.map(({ name, flag }) => [name, flag])) as Record<
    CheckOptionName,
    number
  >),
  bic: 64,
  german: 128,
};

/** The options that only the reference knows. */
export const forReference = checkOptions
  .filter(({ needsReference }) => needsReference)
  .reduce((flags, { flag }) => flags | flag, TaskFlag.bic);

export const flagBits = 8;

/** Writes a task into a slot: its text, or the body of a request unchanged. Throws if there is no room for the text. */
export function encodeTask(slot: Slot, task: TaskName, flags: number, input: string | Uint8Array): void {
  slot.set(SlotField.kind, taskKinds[task]);
  slot.set(SlotField.flags, flags);
  // Until its worker has counted them; a refused body counts as one check too.
  slot.set(SlotField.count, 1);
  if (typeof input !== "string") slot.input.set(input);
  slot.set(SlotField.inputLength, typeof input === "string" ? writeText(slot.input, input) : input.length);
}

/** Writes UTF-8 and returns the number of bytes; throws if there is no room for all of it. */
function writeText(target: Buffer, text: string): number {
  const room = target.length;
  if (text.length <= room) {
    // For the short ASCII of an IBAN a loop beats the call into Node.
    let index = 0;
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) break;
      target[index] = code;
    }
    if (index === text.length) return index;
  }
  if (text.length * 3 > room && Buffer.byteLength(text) > room) throw new RequestError("payload_too_large");
  return target.write(text);
}

/** Leaves an error in a slot in place of an answer. */
export function encodeRefusal(slot: Slot, { code, detail }: RequestError): void {
  slot.set(SlotField.isRefusal, 1);
  slot.set(SlotField.outputLength, slot.output.write(JSON.stringify([code, detail])));
}

/** Reads the error that `encodeRefusal` left in a slot; undefined if the slot holds an answer. */
export function decodeRefusal(slot: Slot): RequestError | undefined {
  if (slot.get(SlotField.isRefusal) === 0) return undefined;
  const [code, detail] = JSON.parse(slot.answer.toString()) as [ErrorCode, ErrorDetail | null];
  return new RequestError(code, detail ?? undefined);
}

/** Leaves in a slot what its task threw, a page at most; without quoted text and numbers, which may be an account's. */
export function encodeFailure(slot: Slot, thrown: unknown): void {
  const { name, message, stack = "" } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const unquoted = message.replace(/["'`].*["'`]/s, '"…"');
  // One expression for a word with a digit would look at each character of a long word once more for every one before it.
  const text = unquoted.replace(/\S+/g, (word) => (/\d/.test(word) ? "#" : word));
  const frames = stack.slice(stack.indexOf(message) + message.length);
  slot.set(SlotField.outputLength, slot.output.write(`${name}: ${text}${frames}`, 0, pageBytes));
}

export type TaskFailure = ReturnType<typeof decodeFailure>;

export function decodeFailure(slot: Slot) {
  const kind = slot.get(SlotField.kind);
  return { task: taskNames[kind - 1] ?? `kind ${kind}`, stack: slot.answer.toString() };
}
