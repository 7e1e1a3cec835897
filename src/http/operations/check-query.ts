import { TaskFlag } from "../../pool/tasks.ts";
import { validate } from "../schema/validate.ts";

/** Reads `sepa` and `explain` from a query as task flags. Throws invalid_sepa or invalid_request. */
export function readCheckQuery(query: string): number {
  if (query === "") return 0;
  const given: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) given[name] ??= value;
  validate("checkQuery", given);
  return (given["sepa"] === "1" ? TaskFlag.sepa : 0) | (given["explain"] === "1" ? TaskFlag.explain : 0);
}
