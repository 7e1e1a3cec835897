import assert from "node:assert/strict";
import type { IbanBatchAnswer, IbanCheckAnswer, IbanCheckData } from "../../src/client/index.ts";

export type {
  CheckEntry as Check,
  IbanBatchAnswer as BatchAnswer,
  IbanCheckAnswer as CheckAnswer,
} from "../../src/client/index.ts";

const textFields = ["kto", "blz", "bank", "zip", "location", "country"] as const;
const statuses = [0, 1, 2, 3, 4, 7, 8, 9];

/** Expected form of the `data` object: that of an account check, with or without SEPA schemes, or of an IBAN check. */
interface Wanted {
  readonly account?: boolean;
  readonly sepaMethods?: boolean;
  readonly checks?: boolean;
  readonly reason?: boolean;
}

function expectCheckData(
  data: IbanCheckData,
  { account = false, sepaMethods = true, checks = false, reason = false }: Wanted = {},
): void {
  // In the order of the interface specification.
  const fields = [
    "iban",
    "bic",
    ...textFields,
    ...(account && !sepaMethods ? [] : ["sepa_methods"]),
    ...(reason ? ["reason", "severity"] : []),
    // The bank as written, where the ISO check digits are wrong.
    ...(checks && "assumed" in data ? ["assumed"] : []),
    ...(checks && "kind" in data ? ["kind"] : []),
    ...(checks ? ["checks", "messages", "sources"] : []),
  ];
  assert.deepEqual(Object.keys(data), fields);
  for (const field of ["iban", "bic"] as const) {
    assert.ok(data[field] === null || typeof data[field] === "string", `${field} is text or null`);
  }
  for (const field of textFields) assert.equal(typeof data[field], "string", `${field} is text`);
  if (!sepaMethods) return;
  assert.deepEqual(Object.keys(data.sepa_methods), ["sct", "sdd", "b2b", "scc"]);
  for (const flag of Object.values(data.sepa_methods)) assert.ok(flag === 0 || flag === 1);
}

export function expectCheckAnswer(answer: IbanCheckAnswer, wants: Wanted = {}): void {
  assert.deepEqual(Object.keys(answer), ["status", "message", "data"]);
  assert.ok(statuses.includes(answer.status), `status ${answer.status} is specified`);
  assert.equal(typeof answer.message, "string");
  expectCheckData(answer.data, wants);
}

/** Returns an answer as it is once it was sent, and asserts its members as `expectCheckAnswer` does. */
export function sentAnswer(answer: object, wants?: Wanted): IbanCheckAnswer {
  const sent = JSON.parse(JSON.stringify(answer)) as IbanCheckAnswer;
  expectCheckAnswer(sent, wants);
  return sent;
}

export function expectBatchAnswer(answer: IbanBatchAnswer, total: number): void {
  assert.deepEqual(Object.keys(answer), ["status", "message", "batch"]);
  assert.equal(answer.status, 1);
  assert.deepEqual(Object.keys(answer.batch), ["total", "results"]);
  assert.equal(answer.batch.total, total);
  assert.equal(answer.batch.results.length, total);
  for (const entry of answer.batch.results) {
    const members = ["iban", "valid", "status", "data", ...(entry.error === undefined ? [] : ["error"])];
    assert.deepEqual(Object.keys(entry), members);
    assert.equal(entry.valid, entry.status === 1);
    assert.ok(statuses.includes(entry.status));
    expectCheckData(entry.data);
  }
}
