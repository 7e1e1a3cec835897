import type { DirectoryParts } from "../../src/banks/directory/directory-layout.ts";
import { defaultPolicy } from "../../src/banks/lookup/account-policy.ts";
import { plain } from "../../src/checks/answer.ts";
import { maxStreamLineBytes } from "../../src/contract/limits.ts";
import { Slot, SlotField, slotBytes } from "../../src/pool/slots.ts";
import type { LineOptions } from "../../src/pool/stream/line-answer.ts";
import type { BlockWorker } from "../../src/pool/stream/number-answers.ts";
import { runBlock } from "../../src/pool/stream/run-block.ts";
import {
  BlockEnd,
  decodeStreamProgress,
  encodeStreamBlock,
  newStreamState,
  type StreamQuestion,
  type StreamState,
} from "../../src/pool/stream/stream-task.ts";
import { KernelMemory } from "./kernel-memory.ts";

/** Returns the options of a stream that sets nothing but the formats of its lines. */
export function questionOf(more: Partial<StreamQuestion> = {}): StreamQuestion {
  return { input: "csv", output: "csv", columns: { column: [] }, ...more };
}

export const lineOptions: LineOptions = { ...plain, sepa: false };

/** A worker and one slot in a separate memory, which answer blocks without a service. */
export class Blocks {
  readonly worker: BlockWorker;
  readonly slot: Slot;
  /** Opens the room of the templates as another thread does. */
  readonly again: () => Pick<BlockWorker, "templates">;

  constructor(directory: DirectoryParts) {
    const slot = slotBytes({ smallSlots: 0, largeSlots: 1, rooms: 1 });
    const memory = new KernelMemory(directory, defaultPolicy, 1, slot);
    this.again = () => ({ templates: memory.templatesOf(0) });
    this.worker = memory;
    this.slot = new Slot(0, "large", memory.memory.buffer as SharedArrayBuffer, memory.output);
  }

  /** Answers a body of which `cuts` says how much has come at each block. */
  answer(
    body: Buffer,
    question: StreamQuestion,
    options: LineOptions = lineOptions,
    cuts: readonly number[] = [],
  ) {
    const { slot } = this;
    const answers: Buffer[] = [];
    let state = newStreamState(question);
    let [at, checks, blocks] = [0, 0, 0];
    for (let isFinished = false; !isFinished; blocks++) {
      const come = cuts[blocks] ?? body.length;
      const given = body.subarray(at, Math.max(at, come)).subarray(0, maxStreamLineBytes);
      const isEnd = at + given.length === body.length;
      encodeStreamBlock(slot, 0, given, state, isEnd ? BlockEnd.body : BlockEnd.more);
      slot.set(SlotField.outputLength, runBlock(slot, this.worker, options));
      answers.push(Buffer.from(slot.answer));
      const progress = decodeStreamProgress(slot);
      if (progress.consumed === 0 && isEnd && !progress.isFinished)
        throw new Error("a block does not progress");
      at += progress.consumed;
      checks += slot.get(SlotField.count);
      state = progress.state as typeof state;
      isFinished = progress.isFinished;
    }
    const last = JSON.parse(Buffer.from(state).toString()) as StreamState;
    return { bytes: Buffer.concat(answers), state: last, checks, blocks };
  }
}
