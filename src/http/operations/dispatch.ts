import type { SlotSize } from "../../pool/check-pool.ts";
import { between, stampOf } from "../../pool/clock.ts";
import { notUnderstood, SlotField, smallRoom } from "../../pool/slot-layout.ts";
import type { Slot } from "../../pool/slot-memory.ts";
import { encodeTexts, type TaskKind } from "../../pool/tasks.ts";
import type { Call, OperationContext } from "./operation.ts";

/**
 * Hands a call to the pool and answers with what the worker writes: 200 with the finished bytes, or checker_failed
 * where the worker could not. Throws what `CheckPool.submit` throws.
 *
 * What is answered with 200 is counted as usage of the key's holder, and nothing else is.
 *
 * A task that the worker did not understand is filled again by `refill`, in the same slot, and goes on its way once
 * more; what `refill` throws is the answer.
 */
export function dispatch(
  context: OperationContext,
  call: Call,
  size: SlotSize,
  fill: (slot: Slot) => void,
  refill?: (slot: Slot) => void,
): void {
  const { exchange, holder } = call;
  context.pool.submit(call.weight, size, fill, (slot, answered) => {
    if (exchange.closed) return "done";
    if (!answered) {
      exchange.refuse("checker_failed");
      return "done";
    }
    const length = slot.get(SlotField.outputLength);
    if (length !== notUnderstood) {
      context.counts.queueWait.observe(between(stampOf(exchange.arrivedAt), slot.get(SlotField.begun)));
      exchange.answerFromData(slot.answer(length), context.pool.editionOf(slot));
      const checks = slot.get(SlotField.count);
      context.counts.checks += checks;
      if (holder !== undefined) holder.used += checks;
      return "done";
    }
    try {
      refill?.(slot);
      return "again";
    } catch (error) {
      exchange.fail(error);
      return "done";
    }
  });
  exchange.detach();
}

/** Hands over a call that consists of a few short texts. */
export function dispatchTexts(
  context: OperationContext,
  call: Call,
  kind: TaskKind,
  flags: number,
  texts: readonly string[],
): void {
  // UTF-8 takes at most three bytes for each UTF-16 unit.
  const fitsSmall = texts.reduce((sum, text) => sum + text.length * 3, 0) <= smallRoom.input;
  dispatch(context, call, fitsSmall ? "small" : "large", (slot) => encodeTexts(slot, kind, flags, texts));
}
