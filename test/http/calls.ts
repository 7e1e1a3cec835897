import assert from "node:assert/strict";
import type * as Api from "../../src/contract/api-types.ts";
import { answerValidators } from "../contract/answer-validators.ts";
import {
  type BatchAnswer,
  type CheckAnswer,
  expectBatchAnswer,
  expectCheckAnswer,
} from "../contract/check-data.ts";
import { expectError } from "../contract/error-table.ts";
import { until } from "../faults/gate.ts";
import { type RunningService, testKey } from "../service.ts";
import { exchangeOnce, requestBytes } from "./raw-socket.ts";

/** A service that the test key opens. */
type Reached = Pick<RunningService, "port">;

/** Gets a path whose answer must be 200, as JSON. */
export async function getJson<T>({ port }: Reached, path: string): Promise<T> {
  const { status, body } = await exchangeOnce(port, requestBytes("GET", path));
  assert.equal(status, 200, path);
  return JSON.parse(body.toString()) as T;
}

/** Reads what a service has counted. */
export function readMetrics(service: Reached): Promise<Api.MetricsAnswer> {
  return getJson(service, "/service/metrics");
}

/** How many accepted requests are inside. */
export async function insideOf(service: Reached): Promise<number> {
  const { pool } = await getJson<Api.HealthAnswer>(service, "/service/health");
  return pool!.inside;
}

/** The types of the answers that fit each schema. */
interface Answers {
  readonly ibanCheck: CheckAnswer;
  readonly ibanBatch: BatchAnswer;
  readonly accountCheck: Api.AccountCheckAnswer;
  readonly health: Api.HealthAnswer;
  readonly suggest: Api.SuggestAnswer;
  readonly extract: Api.ExtractAnswer;
  readonly bicLookup: Api.BicLookupAnswer;
  readonly composedIban: Api.ComposedIbanAnswer;
  readonly bankLookup: Api.BankLookupAnswer;
  readonly bankSearch: Api.BankSearchAnswer;
  readonly bankData: Api.BankDataAnswer;
}

/** Sends a request, by POST where it has a body, and asserts that its answer is 200 and fits a schema. */
export async function ask<Schema extends keyof Answers>(
  service: RunningService,
  path: string,
  schema: Schema,
  body?: unknown,
): Promise<Answers[Schema]> {
  const answer = await (body === undefined ? service.request(path) : service.post(path, body));
  const json: unknown = await answer.json();
  assert.equal(answer.status, 200, `${path}: ${JSON.stringify(json)}`);
  const check = answerValidators[schema];
  assert.ok(check(json), `${path}: ${JSON.stringify(check.errors)}`);
  return json as Answers[Schema];
}

/** Checks an IBAN by path, optionally followed by a slash and a BIC, and asserts the form of the answer. */
export async function checkIban(
  service: RunningService,
  ibanAndBic: string,
  query: "" | "?explain=1" = "",
): Promise<CheckAnswer> {
  const answer = await getJson<CheckAnswer>(service, `/v1/iban/${ibanAndBic}${query}`);
  expectCheckAnswer(answer, { checks: query !== "" });
  return answer;
}

/** Posts a batch, and asserts the form of the answer and of every entry. */
export async function checkBatch(service: RunningService, ibans: readonly unknown[]): Promise<BatchAnswer> {
  const answer = await ask(service, "/v1/iban", "ibanBatch", { ibans });
  expectBatchAnswer(answer, ibans.length);
  return answer;
}

/** The usage of a key as a service reports it; undefined if its store does not answer and was never read. */
export async function reportedUsage(port: number, key = testKey): Promise<Api.UsageAnswer | undefined> {
  const request = requestBytes("GET", "/service/usage", { headers: [`X-API-Key: ${key}`] });
  const answer = await exchangeOnce(port, request);
  if (answer.status === 200) return JSON.parse(answer.body.toString()) as Api.UsageAnswer;
  expectError(answer, "server_busy");
  return undefined;
}

/**
 * Reads the usage of a key. A service whose store takes too long, as one may on a busy machine, answers with what it last
 * read or not at all, and is asked again.
 */
export async function readUsage(port: number, key?: string): Promise<Api.UsageAnswer> {
  let usage: Api.UsageAnswer | undefined;
  await until(async () => {
    usage = await reportedUsage(port, key);
    return usage !== undefined && usage.as_of === undefined;
  });
  return usage!;
}
