import type { Operation, OperationContext } from "./operation.ts";

/** `GET /service/live`: the process runs. */
export const live: Operation = (_, call) => call.exchange.answerJson(200, { status: "up" });

/** `GET /service/ready`: 200 while requests are taken, 503 while the service stops. */
export const ready: Operation = (context, call) => {
  const draining = context.isDraining();
  call.exchange.answerJson(draining ? 503 : 200, { status: draining ? "draining" : "up" });
};

/** `GET /service/health`: up or draining; with an API key also pool, data and version. */
export const health: Operation = (context, call) => {
  const status = context.isDraining() ? "draining" : "up";
  call.exchange.answerJson(200, call.holder === undefined ? { status } : { status, ...detail(context) });
};

function detail({ pool, about }: OperationContext): object {
  return {
    version: about.version,
    pool: { size: pool.size, queue: pool.ceiling - pool.size, inside: pool.inside, ceiling: pool.ceiling },
    data: about.data(),
    process: about.load(),
  };
}
