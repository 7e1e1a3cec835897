import { validate } from "../../contract/schema/validate.ts";
import { TaskFlag } from "../../pool/tasks.ts";
import { queryFields } from "./query-fields.ts";

/** Reads `sepa` and `explain` from a query as task flags. Throws invalid_sepa or invalid_request. */
export function readCheckQuery(query: string): number {
  if (query === "") return 0;
  const given = queryFields(query);
  validate("checkQuery", given);
  return (given["sepa"] === "1" ? TaskFlag.sepa : 0) | (given["explain"] === "1" ? TaskFlag.explain : 0);
}
