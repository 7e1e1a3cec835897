import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { BankSearchAnswer, IbanBatchAnswer, IbanCheckAnswer } from "../../../src/client/index.ts";
import { ibanOf } from "../../contract/iso-check-digits.ts";
import { until } from "../../faults/gate.ts";
import type { RunningService } from "../../service.ts";
import { pluck } from "../../support/pluck.ts";
import { markedBlz } from "./marked-data.ts";

/** IBANs at banks that every marked edition has. */
export const ibans = markedBlz.slice(0, 100).map((blz) => ibanOf("DE", `${blz}0532013000`));

/** A request, and the bank names that its answer holds. */
interface BankRequest {
  readonly path: string;
  readonly body?: string;
  readonly banksOf: (answer: unknown) => readonly string[];
}

const ofCheck = (answer: unknown) => [(answer as IbanCheckAnswer).data.bank];
const ofBatch = (answer: unknown) => (answer as IbanBatchAnswer).batch.results.map(({ data }) => data.bank);
const ofSearch = (answer: unknown) => pluck((answer as BankSearchAnswer).results.items, "bank");
const batch = JSON.stringify({ ibans });

/** Each kind of request. */
export const requests: readonly BankRequest[] = [
  { path: "/v1/iban", body: batch, banksOf: ofBatch },
  { path: `/v1/iban/${ibans[7]}`, banksOf: ofCheck },
  { path: `/v1/kto/532013000/${markedBlz[3]}`, banksOf: ofCheck },
  // An escape sends the batch the long way, through JSON.parse and back to a worker.
  { path: "/v1/iban", body: batch.replace('"DE', '"\\u0044E'), banksOf: ofBatch },
  { path: "/v1/search?name=bank&max=50", banksOf: ofSearch },
];

type Headers = Readonly<Record<string, string>>;

export const send = (service: RunningService, { path, body }: BankRequest, headers: Headers) =>
  body === undefined ? service.request(path, { headers }) : service.post(path, body, headers);

/** Several clients that ask until they are stopped; each answer must be of the edition that it names. */
export function askOn(service: RunningService, headers: () => Headers, editionOf: (bank: string) => string) {
  /** Answers seen, by edition. */
  const seen = new Map<string, number>();
  let isAsking = true;
  const ask = async (first: number) => {
    for (let turn = first; isAsking; turn++) {
      const kind = requests[turn % requests.length]!;
      const answer = await send(service, kind, headers());
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
      const edition = answer.headers.get("x-data-edition") ?? "";
      const banks = kind.banksOf(JSON.parse(text));
      assert.ok(banks.length > 0);
      for (const bank of banks) assert.equal(editionOf(bank), edition);
      seen.set(edition, (seen.get(edition) ?? 0) + 1);
      // The processor is needed for loading too.
      await delay(20);
    }
  };
  const asking = Promise.all(Array.from(requests, (_, client) => ask(client)));
  return {
    seen,
    /** Waits for a condition, or for the first wrong answer. */
    reached: (condition: () => Promise<boolean> | boolean) => Promise.race([asking, until(condition)]),
    stop: () => {
      isAsking = false;
      return asking;
    },
  };
}
