import { normaliseBic } from "../../banking/bic.ts";
import { normaliseIban } from "../../banking/iban/normalise.ts";
import type { Fetch } from "../../client/exchange.ts";
import { type ErrorDetail, errorBody, errorCatalogue, RequestError } from "../../contract/errors.ts";
import { defaultSearchResults } from "../../contract/limits.ts";
import { validate } from "../../contract/schema/validate.ts";
import type { CheckPool } from "../../pool/check-pool.ts";
import { anybody } from "../../pool/share.ts";
import { SlotField } from "../../pool/slot-layout.ts";
import type { Slot } from "../../pool/slot-memory.ts";
import { decodeRefusal, encodeBatch, encodeTexts, TaskFlag, TaskKind } from "../../pool/tasks.ts";
import type { AnswerText } from "../answer-text.ts";

type Body = Readonly<Record<string, unknown>>;

/** Writes a request into a slot. */
type PoolTask = (slot: Slot) => void;

/** Answers the requests of the typed client from a pool of workers, as the service does, without a network. */
export function fetchFromPool(pool: CheckPool, textOf: AnswerText): Fetch {
  return async (url, { body = "", signal }) => {
    signal.throwIfAborted();
    try {
      return answer(200, await perform(pool, taskOf(new URL(url), body), textOf));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { code, detail } = error;
      return answer(errorCatalogue[code].http_status, JSON.stringify(errorBody(code, detail as ErrorDetail)));
    }
  };
}

function answer(status: number, text: string): Awaited<ReturnType<Fetch>> {
  return { ok: status === 200, status, headers: { get: () => null }, text: async () => text };
}

/** By path: the task that a request's body asks for. */
const tasks: Readonly<Record<string, (body: Body, text: string, explain: number) => PoolTask>> = {
  "/v1/iban": (body, text, explain) =>
    Object.hasOwn(body, "ibans") ? (slot) => encodeBatch(slot, Buffer.from(text)) : ibanTask(body, explain),
  "/v1/kto": accountTask,
  "/v1/search": searchTask,
};

function taskOf({ pathname, searchParams }: URL, text: string): PoolTask {
  const task = tasks[pathname];
  if (task === undefined) throw new RequestError("not_found");
  return task(JSON.parse(text) as Body, text, searchParams.get("explain") === "1" ? TaskFlag.explain : 0);
}

function ibanTask(body: Body, explain: number): PoolTask {
  validate("ibanBody", body);
  const iban = normaliseIban(body.iban);
  const bic = normaliseBic(body.bic ?? "");
  const [flags, texts] = bic === "" ? [explain, [iban]] : [explain | TaskFlag.bic, [iban, bic]];
  return (slot) => encodeTexts(slot, TaskKind.iban, flags, texts);
}

function accountTask(body: Body, _: string, explain: number): PoolTask {
  validate("accountBody", body);
  const { kontonummer, bankleitzahl, sepa } = body;
  const flags = explain | (sepa === 1 ? TaskFlag.sepa : 0);
  return (slot) => encodeTexts(slot, TaskKind.account, flags, [kontonummer, bankleitzahl]);
}

const criteria = ["name", "location", "zip", "bankleitzahl"] as const;

function searchTask(body: Body): PoolTask {
  validate("searchBody", body);
  const texts = criteria.map((name) => (body[name] ?? "").trim());
  if (texts.every((text) => text === "")) throw new RequestError("missing_search_criteria");
  return (slot) => encodeTexts(slot, TaskKind.search, Number(body.max || defaultSearchResults), texts);
}

/** Every task takes a large slot: memory is only used by those that are in flight. */
function perform(pool: CheckPool, task: PoolTask, textOf: AnswerText): Promise<string> {
  return new Promise((resolve, reject) => {
    pool.submit("heavy", anybody, "large", task, (slot, outcome) => {
      const refusal = outcome === "answered" ? decodeRefusal(slot) : new RequestError("checker_failed");
      if (refusal === undefined) resolve(textOf(Buffer.from(slot.answer(slot.get(SlotField.outputLength)))));
      else reject(refusal);
    });
  });
}
