import { isBic, normaliseBic } from "../../banking/bic.ts";
import { isFormalIban, normaliseIban } from "../../banking/iban/normalise.ts";
import { RequestError } from "../../contract/errors.ts";
import { validate } from "../../contract/schema/validate.ts";
import { beginsLikeBatch } from "../../pool/raw-batch.ts";
import { encodeBatch, encodeRawBatch, rawBatch, TaskFlag, TaskKind } from "../../pool/tasks.ts";
import { parseJsonObject } from "../body.ts";
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
 * A body that begins like a batch goes to the worker as it is. One that the worker's kernel does not understand comes
 * back and takes the way of all others, through JSON.parse and its schema, so that every error is told there.
 */
export const checkIbanByBody: Operation = (context, call) => {
  if (beginsLikeBatch(call.body)) dispatchRawBatch(context, call);
  else checkIbanObject(context, call, parseJsonObject(call.body));
};

function checkIbanObject(
  context: OperationContext,
  call: Call,
  body: Readonly<Record<string, unknown>>,
): void {
  if (Object.hasOwn(body, "ibans")) {
    const ibans = readBatch(body);
    dispatch(context, call, "large", (slot) => encodeBatch(slot, ibans));
    return;
  }
  validate("ibanBody", body);
  const bic = normaliseBic(body.bic ?? "");
  const flags = readCheckQuery(call.exchange.query);
  dispatchIban(context, call, normaliseIban(body.iban), bic === "" ? undefined : bic, flags);
}

function readBatch(body: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (Object.hasOwn(body, "iban")) throw new RequestError("conflicting_iban_fields");
  validate("batchBody", body);
  return body.ibans;
}

function dispatchRawBatch(context: OperationContext, call: Call): void {
  const { body } = call;
  dispatch(
    context,
    call,
    "large",
    (slot) => encodeRawBatch(slot, body),
    (slot) => encodeBatch(slot, readBatch(parseJsonObject(rawBatch(slot)))),
  );
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
