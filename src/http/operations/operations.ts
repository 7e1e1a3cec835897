import { assumedSepaEdition } from "../../banking/sepa.ts";
import type { LiveEdition } from "../../banks/editions/live-edition.ts";
import { type MessageId, textOf } from "../../contract/message.ts";
import type { RouteRow } from "../../contract/route-groups.ts";
import { type OperationName, type PooledOperationName, routeOf } from "../../contract/routes.ts";
import type { KeyHolder } from "../../keys/key-table.ts";
import type { ProcessLoad } from "../../metrics/process-load.ts";
import type { RequestCounts } from "../../metrics/request-counts.ts";
import type { CheckPool } from "../../pool/check-pool.ts";
import { between, stampOf } from "../../pool/clock.ts";
import { queryOf, type Task, taskOf } from "../../pool/requests.ts";
import { SlotField } from "../../pool/slots.ts";
import { decodeFailure, decodeRefusal } from "../../pool/tasks.ts";
import { productVersion } from "../../settings.ts";
import type { UsageRecorder } from "../../usage/usage-recorder.ts";
import type { Exchange } from "../exchange.ts";
import { pageFile } from "../pages/serve.ts";

/** Reads the work of this process, and of all of them without those that reply too late; as JSON. */
export interface WorkReader {
  own(): string;
  processes(): Promise<string>;
  history(): Promise<string>;
}

export interface OperationContext {
  readonly pool: CheckPool;
  readonly live: LiveEdition;
  readonly usage: UsageRecorder;
  readonly counts: RequestCounts;
  readonly work: WorkReader;
  load(): ProcessLoad;
  isDraining(): boolean;
}

/** Handles a request, whose body is read: answers at once, hands it to the pool, or throws a RequestError. */
type OperationHandler = (context: OperationContext, exchange: Exchange) => void;

/**
 * Hands a request to the pool and answers with what the worker leaves: 200 with the finished bytes, an error of the
 * catalogue, or checker_failed where the worker could not. Throws what `submit` of the pool throws.
 *
 * `etag` is sent with the answer. Only answers with 200 count as usage of the key's holder.
 */
function dispatch(context: OperationContext, exchange: Exchange, { size, fill }: Task, etag?: string): void {
  const { holder } = exchange;
  exchange.abandon = context.pool.submit(size, context.pool.tenantOf(holder), fill, (slot, outcome) => {
    if (exchange.closed) return;
    if (outcome === "threw") exchange.failure = decodeFailure(slot);
    if (outcome !== "answered")
      return exchange.refuse(outcome === "refused" ? "server_busy" : "checker_failed");
    const refusal = decodeRefusal(slot);
    if (refusal !== undefined) return exchange.fail(refusal);
    context.counts.queueWait.observe(between(stampOf(exchange.arrivedAt), slot.get(SlotField.begun)));
    exchange.answerFromData(slot.answer, context.pool.editions.nameIn(slot), etag);
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

/** Whether the client says that it has the answer of a tag already, which is in quotes. */
function isKnown({ headers: { ifNoneMatch } }: Exchange, etag: string): boolean {
  return ifNoneMatch === "*" || ifNoneMatch.includes(etag);
}

function answerUnlessKnown(
  exchange: Exchange,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> & { readonly ETag: string },
): void {
  exchange.answer(isKnown(exchange, headers.ETag) ? 304 : 200, body, headers);
}

/** The answers of the operations that report that the service is reachable. */
export const pongs = { ping: pong("pong"), testPing: pong("test_pong") };

function pong(id: MessageId): object {
  return { status: 1, message: textOf({ id }, "en") };
}

/** State of the service: `up` while there are bank data and workers. A single kind of task that fails does not count: the others are answered. */
export function statusOf({ isDraining, pool }: OperationContext): "up" | "draining" | "failing" {
  if (isDraining()) return "draining";
  return pool.editions.isLoaded && pool.hasWorkers ? "up" : "failing";
}

const pooledOperations = Object.fromEntries(
  Object.entries(taskOf).map(([name, make]): [string, OperationHandler] => {
    const { etag: isTagged }: RouteRow = routeOf[name as PooledOperationName];
    const handle: OperationHandler = (context, exchange) => {
      const task = make(exchange);
      // The answer changes with the bank data only, so its tag is that of the edition.
      const etag = isTagged && `"${context.live.tag}-${exchange.language}"`;
      if (etag !== undefined && isKnown(exchange, etag)) exchange.answer(304, "", { ETag: etag });
      else dispatch(context, exchange, task, etag);
    };
    return [name, handle];
  }),
) as Record<PooledOperationName, OperationHandler>;

export type DispatchedOperation = Exclude<OperationName, "stream">;

/** Answers with JSON that is made without a worker, and later. */
function report({ pool }: OperationContext, exchange: Exchange, make: () => Promise<string>): void {
  exchange.detach();
  pool.admission.report(pool.tenantOf(exchange.holder), make).then(
    (answer) => exchange.answer(200, answer),
    (error: unknown) => exchange.fail(error),
  );
}

export const operations: Readonly<Record<DispatchedOperation, OperationHandler>> = {
  ...pooledOperations,
  ping: (_, exchange) => exchange.answerJson(200, pongs.ping),
  testPing: (_, exchange) => exchange.answerJson(200, pongs.testPing),
  bankData: ({ live }, exchange) => {
    const { facts, lists, registers, tag } = live;
    const body = JSON.stringify({
      edition: facts.edition,
      lists,
      registers,
      assumed_sepa_edition: assumedSepaEdition,
    });
    answerUnlessKnown(exchange, body, { ETag: `"${tag}"` });
  },
  openApi: (_, exchange) => {
    const { content, headers } = pageFile("openapi.json", "")!;
    answerUnlessKnown(exchange, content, { ETag: headers.ETag });
  },
  health: (context, exchange) => {
    const status = statusOf(context);
    const { pool, live, load } = context;
    const queue = pool.admission.ceiling - pool.size;
    const detail = exchange.holder && {
      version: productVersion,
      pool: { ...pool.load, queue },
      data: live.facts,
      process: load(),
    };
    exchange.answerJson(200, { status, ...detail });
  },
  live: (_, exchange) => exchange.answerJson(200, { status: "up" }),
  ready: (context, exchange) => {
    const status = statusOf(context);
    exchange.answerJson(status === "up" ? 200 : 503, { status });
  },
  // The reference is a view of the console.
  docs: (_, exchange) =>
    exchange.answer(302, "", { Location: "/service/console#reference", "Content-Type": "text/html" }),
  console: (_, exchange) => {
    const file = pageFile(exchange.parameters[0] ?? "", exchange.headers.acceptEncoding);
    if (file === undefined) exchange.refuse("not_found");
    else answerUnlessKnown(exchange, file.content, file.headers);
  },
  usage: (context, exchange) => {
    const { holder } = exchange;
    if (holder === undefined) throw new Error("only holders of a key may ask for their usage");
    const { days = 0 } = queryOf("usage", exchange.query);
    const { usage, pool } = context;
    report(context, exchange, () =>
      usage.summaryOf(holder, Number(days)).then(JSON.stringify, () => pool.admission.refuse("usage_store")),
    );
  },
  metrics: (context, exchange) => report(context, exchange, async () => context.work.own()),
  processes: (context, exchange) => report(context, exchange, () => context.work.processes()),
  history: (context, exchange) => report(context, exchange, () => context.work.history()),
};
