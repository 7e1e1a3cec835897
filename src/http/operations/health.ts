import type { Operation, OperationContext } from "./operation.ts";

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
    pool: { size: pool.size, queue: pool.ceiling - pool.size, inside: pool.inside, ceiling: pool.ceiling },
    data: about.data(),
    process: about.load(),
  };
}
