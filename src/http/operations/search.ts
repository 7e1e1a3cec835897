import { RequestError } from "../../contract/errors.ts";
import { defaultSearchResults } from "../../contract/limits.ts";
import { parseJsonObject } from "../../contract/schema/json-object.ts";
import type { Requests } from "../../contract/schema/request-schemas.ts";
import { validate } from "../../contract/schema/validate.ts";
import { TaskKind } from "../../pool/tasks.ts";
import { dispatchTexts } from "./dispatch.ts";
import type { Call, Operation, OperationContext } from "./operation.ts";
import { queryFields } from "./query-fields.ts";

const criteria = ["name", "location", "zip", "bankleitzahl"] as const;

/** `GET /v1/search` */
export const searchByQuery: Operation = (context, call) => {
  const given: Readonly<Record<string, unknown>> = queryFields(call.exchange.query);
  validate("searchQuery", given);
  dispatchSearch(context, call, given);
};

/** `POST /v1/search` */
export const searchByBody: Operation = (context, call) => {
  const body = parseJsonObject(call.body);
  validate("searchBody", body);
  dispatchSearch(context, call, body);
};

function dispatchSearch(
  context: OperationContext,
  call: Call,
  given: Requests["searchBody"] | Requests["searchQuery"],
): void {
  const texts = criteria.map((name) => (given[name] ?? "").trim());
  if (texts.every((text) => text === "")) throw new RequestError("missing_search_criteria");
  const { max } = given;
  const limit = max === undefined || max === null || max === "" ? defaultSearchResults : Number(max);
  dispatchTexts(context, call, TaskKind.search, limit, texts);
}
