import type { OperationName } from "../../contract/routes.ts";
import { checkAccountByBody, checkAccountByPath } from "./account.ts";
import { consolePage, docs } from "./docs.ts";
import { health, live, ready } from "./health.ts";
import { checkIbanAndBicByPath, checkIbanByBody, checkIbanByPath } from "./iban.ts";
import { metrics } from "./metrics.ts";
import { openApi } from "./open-api.ts";
import type { Operation } from "./operation.ts";
import { ping, testPing } from "./ping.ts";
import { searchByBody, searchByQuery } from "./search.ts";
import { usage } from "./usage.ts";

/** What each operation of the route table does. */
export const operations: Readonly<Record<OperationName, Operation>> = {
  checkAccountByPath,
  checkAccountByBody,
  checkIbanByPath,
  checkIbanAndBicByPath,
  checkIbanByBody,
  ping,
  testPing,
  searchByQuery,
  searchByBody,
  openApi,
  health,
  live,
  ready,
  docs,
  console: consolePage,
  usage,
  metrics,
};
