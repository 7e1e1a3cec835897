import type { OperationName, PooledOperationName } from "../../contract/routes.ts";
import { taskOf } from "../../pool/requests.ts";
import { history, metrics, processes } from "./metrics.ts";
import { dispatch, type Operation } from "./operation.ts";
import {
  bankData,
  consolePage,
  docs,
  health,
  isKnown,
  live,
  openApi,
  ping,
  ready,
  testPing,
  usage,
} from "./service.ts";

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
