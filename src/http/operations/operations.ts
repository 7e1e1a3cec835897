import { createHash } from "node:crypto";
import { type MessageId, textOf } from "../../contract/message.ts";
import { openApiDocument } from "../../contract/openapi/document.ts";
import type { OperationName, PooledOperationName } from "../../contract/routes.ts";
import { fieldsOf, taskOf } from "../../pool/requests.ts";
import { pageFile } from "../pages/serve.ts";
import { type Call, dispatch, type Operation, type OperationContext } from "./operation.ts";

/** Whether the client says that it has the answer of a tag already. */
export function isKnown({ ifNoneMatch }: Call, etag: string): boolean {
  const known = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes("*") || known.includes(etag);
}

/** Answers with a body and its `ETag`, or with 304 where the client says that it has that one already. */
function answerUnlessKnown(
  call: Call,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> & { readonly ETag?: string },
): void {
  call.exchange.answer(isKnown(call, headers.ETag ?? "") ? 304 : 200, body, headers);
}

const answering =
  (id: MessageId): Operation =>
  (_, call) =>
    call.exchange.answerJson(200, { status: 1, message: textOf({ id }, "en") });

/** `GET /v1/ping` */
export const ping = answering("pong");

/** `GET /v1/test` */
export const testPing = answering("test_pong");

/** `GET /service/data`: the lists of bank data in use. */
export const bankData: Operation = ({ about }, call) => {
  const { edition } = about.data();
  const body = JSON.stringify({ edition, lists: about.lists(), registers: about.registers() });
  answerUnlessKnown(call, body, { ETag: `"${about.dataTag()}"` });
};

/** `GET /service/usage`: what was counted for the calling key, and for all keys of its holder. */
export const usage: Operation = ({ usage: reader, pool }, { exchange, holder }) => {
  if (holder === undefined) throw new Error("only holders of a key may ask for their usage");
  const { days = 0 } = fieldsOf(exchange.query, "usageQuery");
  exchange.detach();
  reader
    .summaryOf(holder, Number(days))
    .catch(() => pool.refuse("usage_store"))
    .then(
      (summary) => exchange.answerJson(200, summary),
      (error: unknown) => exchange.fail(error),
    );
};

/** `GET /service/metrics`: counters and gauges of this process. */
export const metrics: Operation = ({ work }, { exchange }) => exchange.answerJson(200, work.own());

/** `GET /service/metrics/processes`: the same of every process. */
export const processes: Operation = ({ work }, { exchange }) => {
  exchange.detach();
  void work.processes().then((answer) => exchange.answer(200, answer));
};

/** `GET /service/metrics/history`: the last hour of every process. */
export const history: Operation = ({ work }, { exchange }) => {
  exchange.detach();
  void work.history().then((answer) => exchange.answer(200, answer));
};

/** `GET /service/docs`: the reference is a view of the console. */
export const docs: Operation = (_, { exchange }) => {
  exchange.answer(302, "", { Location: "/service/console#reference", "Content-Type": "text/html" });
};

/** `GET /service/console` and the files that the page loads. */
export const consolePage: Operation = (_, call) => {
  const file = pageFile(call.parameters[0] ?? "", call.acceptEncoding);
  if (file === undefined) call.exchange.refuse("not_found");
  else answerUnlessKnown(call, file.content, file.headers);
};

/** The document as it is served, with its ETag; made at the first request, since most starts never serve it. */
let served: { readonly bytes: Uint8Array; readonly headers: { readonly ETag: string } } | undefined;

/** `GET /service/openapi.json` */
export const openApi: Operation = (_, call) => {
  served ??= prepare();
  answerUnlessKnown(call, served.bytes, served.headers);
};

function prepare(): NonNullable<typeof served> {
  const bytes = Buffer.from(JSON.stringify(openApiDocument()));
  return { bytes, headers: { ETag: `"${createHash("sha256").update(bytes).digest("base64url")}"` } };
}

/** `GET /service/live`: the process runs. */
export const live: Operation = (_, call) => call.exchange.answerJson(200, { status: "up" });

/** `GET /service/ready`: 200 while a check would be answered; 503 while the service stops, or has no bank data. */
export const ready: Operation = (context, call) => {
  const status = statusOf(context);
  call.exchange.answerJson(status === "up" ? 200 : 503, { status });
};

/** `GET /service/health`: the state; with an API key also pool, data and version. */
export const health: Operation = (context, call) => {
  const status = statusOf(context);
  call.exchange.answerJson(200, call.holder === undefined ? { status } : { status, ...detail(context) });
};

function statusOf({ isDraining, pool }: OperationContext): "up" | "draining" | "failing" {
  if (isDraining()) return "draining";
  return pool.hasEdition && pool.failingKinds === 0 ? "up" : "failing";
}

function detail({ pool, about }: OperationContext): object {
  return {
    version: about.version,
    pool: {
      size: pool.size,
      queue: pool.ceiling - pool.size,
      inside: pool.inside,
      ceiling: pool.ceiling,
      large_ceiling: pool.largeCeiling,
    },
    data: about.data(),
    process: about.load(),
  };
}

const pooledOperations = Object.fromEntries(
  Object.entries(taskOf).map(([name, make]): [string, Operation] => [
    name,
    (context, call) => dispatch(context, call, make(call)),
  ]),
) as Record<PooledOperationName, Operation>;

/** A look-up is answered alike until the bank data changes. */
function lookUp(name: "lookUpBic" | "lookUpBank"): Operation {
  return (context, call) => {
    const task = taskOf[name](call);
    const etag = `"${context.about.dataTag()}-${call.language}"`;
    if (isKnown(call, etag)) call.exchange.answer(304, "", { ETag: etag });
    else dispatch(context, call, task, etag);
  };
}

/** An operation with one answer; a stream has its own way. */
export type DispatchedOperation = Exclude<OperationName, "stream">;

/** What each operation of the route table does. */
export const operations: Readonly<Record<DispatchedOperation, Operation>> = {
  ...pooledOperations,
  lookUpBic: lookUp("lookUpBic"),
  lookUpBank: lookUp("lookUpBank"),
  ping,
  bankData,
  testPing,
  openApi,
  health,
  live,
  ready,
  docs,
  console: consolePage,
  usage,
  metrics,
  processes,
  history,
};
