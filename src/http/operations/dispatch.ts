import type { SlotSize } from "../../pool/check-pool.ts";
import { between, stampOf } from "../../pool/clock.ts";
import { anybody } from "../../pool/share.ts";
import { SlotField, smallRoom } from "../../pool/slot-layout.ts";
import type { Slot } from "../../pool/slot-memory.ts";
import { decodeRefusal, encodeTexts, type TaskKind } from "../../pool/tasks.ts";
import type { Call, OperationContext } from "./operation.ts";

/**
 * Hands a call to the pool and answers with what the worker leaves: 200 with the finished bytes, an error of the
 * catalogue, or checker_failed where the worker could not. Throws what `CheckPool.submit` throws.
 *
 * What is answered with 200 is counted as usage of the key's holder, and nothing else is.
 */
export function dispatch(
  context: OperationContext,
  call: Call,
  size: SlotSize,
  fill: (slot: Slot) => void,
): void {
  const { exchange, holder } = call;
  context.pool.submit(call.weight, holder ?? anybody, size, fill, (slot, outcome) => {
    if (exchange.closed) return;
    if (outcome !== "answered")
      return exchange.refuse(outcome === "refused" ? "server_busy" : "checker_failed");
    const refusal = decodeRefusal(slot);
    if (refusal !== undefined) return exchange.fail(refusal);
    context.counts.queueWait.observe(between(stampOf(exchange.arrivedAt), slot.get(SlotField.begun)));
    exchange.answerFromData(slot.answer(slot.get(SlotField.outputLength)), context.pool.editionOf(slot));
    const checks = slot.get(SlotField.count);
    context.counts.checks += checks;
    if (holder !== undefined) holder.used += checks;
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
