import { parseJsonObject } from "../../contract/schema/json-object.ts";
import { validate } from "../../contract/schema/validate.ts";
import { TaskFlag, TaskKind } from "../../pool/tasks.ts";
import { decodeSegment } from "../route-match.ts";
import { readCheckQuery } from "./check-query.ts";
import { dispatchTexts } from "./dispatch.ts";
import type { Operation } from "./operation.ts";

/** `GET /v1/kto/{kontonummer}/{bankleitzahl}` */
export const checkAccountByPath: Operation = (context, call) => {
  const [kontonummer, bankleitzahl] = call.parameters.map((segment) => decodeSegment(segment) ?? "");
  validate("accountBody", { kontonummer, bankleitzahl });
  const flags = readCheckQuery(call.exchange.query);
  dispatchTexts(context, call, TaskKind.account, flags, [kontonummer!, bankleitzahl!]);
};

/** `POST /v1/kto` */
export const checkAccountByBody: Operation = (context, call) => {
  const body = parseJsonObject(call.body);
  validate("accountBody", body);
  const sepa = String(body.sepa) === "1" ? TaskFlag.sepa : 0;
  const flags = sepa | (readCheckQuery(call.exchange.query) & TaskFlag.explain);
  dispatchTexts(context, call, TaskKind.account, flags, [body.kontonummer, body.bankleitzahl]);
};
