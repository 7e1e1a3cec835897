import type { BankListFacts, EditionFacts, RegisterFacts } from "../../banks/editions/live-edition.ts";
import type { Reading } from "../../contract/work-period.ts";
import type { KeyHolder } from "../../keys/key-ring.ts";
import type { RequestCounts } from "../../metrics/request-counts.ts";
import type { CheckPool } from "../../pool/check-pool.ts";
import { between, stampOf } from "../../pool/clock.ts";
import type { RequestWeight } from "../../pool/places.ts";
import type { Task, TaskRequest } from "../../pool/requests.ts";
import { anybody } from "../../pool/share.ts";
import { SlotField } from "../../pool/slots.ts";
import { decodeRefusal } from "../../pool/tasks.ts";
import type { ProcessLoad } from "../../process/facts.ts";
import type { UsageSummary } from "../../usage/usage-store.ts";
import type { Exchange } from "../exchange.ts";

/** One request on its way to an answer: authenticated, routed, its body read. */
export interface Call extends TaskRequest {
  readonly exchange: Exchange;
  /** The `If-None-Match` header, empty where there is none. */
  readonly ifNoneMatch: string;
  /** The `Accept-Encoding` header, empty where there is none. */
  readonly acceptEncoding: string;
  /** What it weighs at admission. */
  readonly weight: RequestWeight;
  /** The API key's holder; undefined where the route may be called without a key and none was sent. */
  readonly holder: KeyHolder | undefined;
}

/** What the service can say of itself. */
export interface ServiceFacts {
  readonly version: string;
  /** Facts about the bank data in use. */
  data(): EditionFacts;
  /** The lists of banks in use, by country. */
  lists(): readonly BankListFacts[];
  /** The other lists in use. */
  registers(): readonly RegisterFacts[];
  /** A text that changes with the bank data in use. */
  dataTag(): string;
  /** How busy the process has been since the last call. */
  load(): ProcessLoad;
}

/** What the processes of the service did; of all of them as finished JSON answers, without one that is not in time. */
export interface WorkReader {
  /** The counters and gauges of this process as they are now. */
  own(): Reading;
  processes(): Promise<string>;
  history(): Promise<string>;
}

/** Where a key's usage is counted and read. */
export interface UsageReader {
  /** Counts checks of a key. */
  add(holder: KeyHolder, checks: number): void;
  /** Sums up the usage of a key and of its holder's other keys; rejects where the store does not answer and was never read. */
  summaryOf(holder: KeyHolder, lastDays?: number): Promise<UsageSummary>;
}

/** What operations work with. */
export interface OperationContext {
  readonly pool: CheckPool;
  readonly about: ServiceFacts;
  readonly usage: UsageReader;
  readonly counts: RequestCounts;
  readonly work: WorkReader;
  /** Whether the service is on its way to stop. */
  isDraining(): boolean;
}

/** Does a call: answers at once, hands it to the pool, or throws a RequestError. */
export type Operation = (context: OperationContext, call: Call) => void;

/**
 * Hands a call to the pool and answers with what the worker leaves: 200 with the finished bytes, an error of the
 * catalogue, or checker_failed where the worker could not. Throws what `CheckPool.submit` throws.
 *
 * `etag` is sent with the answer. Only answers with 200 count as usage of the key's holder.
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
