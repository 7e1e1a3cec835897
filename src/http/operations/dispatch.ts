import type { KeyHolder } from "../../keys/key-ring.ts";
import { between, stampOf } from "../../pool/clock.ts";
import type { Task } from "../../pool/requests.ts";
import { anybody } from "../../pool/share.ts";
import { SlotField } from "../../pool/slot-layout.ts";
import { decodeRefusal } from "../../pool/tasks.ts";
import type { Call, OperationContext } from "./operation.ts";

/**
 * Hands a call to the pool and answers with what the worker leaves: 200 with the finished bytes, an error of the
 * catalogue, or checker_failed where the worker could not. Throws what `CheckPool.submit` throws.
 *
 * `etag` is sent with the answer. What is answered with 200 is counted as usage of the key's holder, and nothing else is.
 */
export function dispatch(context: OperationContext, call: Call, { size, fill }: Task, etag?: string): void {
  const { exchange, holder } = call;
  context.pool.submit(call.weight, holder ?? anybody, size, fill, (slot, outcome) => {
    if (exchange.closed) return;
    if (outcome !== "answered")
      return exchange.refuse(outcome === "refused" ? "server_busy" : "checker_failed");
    const refusal = decodeRefusal(slot);
    if (refusal !== undefined) return exchange.fail(refusal);
    context.counts.queueWait.observe(between(stampOf(exchange.arrivedAt), slot.get(SlotField.begun)));
    const answer = slot.answer(slot.get(SlotField.outputLength));
    exchange.answerFromData(answer, context.pool.editionOf(slot), etag);
    countChecks(context, slot.get(SlotField.count), holder);
  });
  exchange.detach();
}

/** Counts checks that were answered, in the metrics and as usage of the key's holder. */
export function countChecks(
  { counts, usage }: OperationContext,
  checks: number,
  holder: KeyHolder | undefined,
): void {
  counts.checks += checks;
  if (holder !== undefined) usage.add(holder, checks);
}
