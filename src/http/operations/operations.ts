import type { OperationName, PooledOperationName } from "../../contract/routes.ts";
import { taskOf } from "../../pool/requests.ts";
import { dispatch } from "./dispatch.ts";
import { consolePage, docs } from "./docs.ts";
import { health, live, ready } from "./health.ts";
import { metrics } from "./metrics.ts";
import { openApi } from "./open-api.ts";
import type { Operation } from "./operation.ts";
import { ping, testPing } from "./ping.ts";
import { usage } from "./usage.ts";

const pooledOperations = Object.fromEntries(
  Object.entries(taskOf).map(([name, make]): [string, Operation] => [
    name,
    (context, call) => dispatch(context, call, make(call)),
  ]),
) as Record<PooledOperationName, Operation>;

/** What each operation of the route table does. */
export const operations: Readonly<Record<OperationName, Operation>> = {
  ...pooledOperations,
  ping,
  testPing,
  openApi,
  health,
  live,
  ready,
  docs,
  console: consolePage,
  usage,
  metrics,
};
