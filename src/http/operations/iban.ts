import { isBic, normaliseBic } from "../../banking/bic.ts";
import { isFormalIban, normaliseIban } from "../../banking/iban/normalise.ts";
import { RequestError } from "../../contract/errors.ts";
import { parseJsonObject } from "../../contract/schema/json-object.ts";
import { validate } from "../../contract/schema/validate.ts";
import { beginsLikeBatch } from "../../pool/raw-batch.ts";
import { encodeBatch, TaskFlag, TaskKind } from "../../pool/tasks.ts";
import { decodeSegment } from "../route-match.ts";
import { readCheckQuery } from "./check-query.ts";
import { dispatch, dispatchTexts } from "./dispatch.ts";
import type { Call, Operation, OperationContext } from "./operation.ts";

/** `GET /v1/iban/{iban}` */
export const checkIbanByPath: Operation = (context, call) => {
  const iban = ibanOf(call.parameters[0]!);
  dispatchIban(context, call, iban, undefined, readCheckQuery(call.exchange.query));
};

/** `GET /v1/iban/{iban}/{bic}` */
export const checkIbanAndBicByPath: Operation = (context, call) => {
  const iban = ibanOf(call.parameters[0]!);
  const bic = normaliseBic(decodeSegment(call.parameters[1]!) ?? "");
  if (!isBic(bic)) throw new RequestError("invalid_bic");
  dispatchIban(context, call, iban, bic, readCheckQuery(call.exchange.query));
};

/**
 * `POST /v1/iban`: one IBAN or a batch, by which field the body has.
 *
 * A batch goes to the worker as it came, which parses and validates it too. Most begin with the field `ibans`, so that
 * the front end need not parse them to tell them from a single check.
 */
export const checkIbanByBody: Operation = (context, call) => {
  if (beginsLikeBatch(call.body)) return dispatchBatch(context, call);
  const body = parseJsonObject(call.body);
  if (Object.hasOwn(body, "ibans")) return dispatchBatch(context, call);
  validate("ibanBody", body);
  const bic = normaliseBic(body.bic ?? "");
  const flags = readCheckQuery(call.exchange.query);
  dispatchIban(context, call, normaliseIban(body.iban), bic === "" ? undefined : bic, flags);
};

function dispatchBatch(context: OperationContext, call: Call): void {
  const { body } = call;
  dispatch(context, call, "large", (slot) => encodeBatch(slot, body));
}

function ibanOf(segment: string): string {
  const iban = normaliseIban(decodeSegment(segment) ?? "");
  if (!isFormalIban(iban)) throw new RequestError("invalid_iban");
  return iban;
}

function dispatchIban(
  context: OperationContext,
  call: Call,
  iban: string,
  bic: string | undefined,
  flags: number,
): void {
  if (bic === undefined) dispatchTexts(context, call, TaskKind.iban, flags, [iban]);
  else dispatchTexts(context, call, TaskKind.iban, flags | TaskFlag.bic, [iban, bic]);
}
