import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import type {
  AccountCheckAnswer,
  IbanBatchAnswer,
  IbanBatchEntry,
  IbanCheckAnswer,
} from "../../src/client/index.ts";
import { reasons } from "../../src/contract/status.ts";
import { type RunningService, sharedService } from "../service.ts";

let service: RunningService;
before(async () => {
  service = await sharedService();
});

async function single(iban: string, query: string): Promise<IbanCheckAnswer> {
  const answer = await service.request(`/v1/iban/${iban}?${query}`);
  assert.equal(answer.status, 200);
  return (await answer.json()) as IbanCheckAnswer;
}

async function batch(ibans: readonly unknown[], query: string): Promise<readonly IbanBatchEntry[]> {
  const answer = await service.post(`/v1/iban?${query}`, { ibans });
  assert.equal(answer.status, 200);
  return ((await answer.json()) as IbanBatchAnswer).batch.results;
}

const expected: Readonly<Record<string, readonly [reason: string | null, severity: string | null]>> = {
  DE89370400440532013000: [null, null],
  DE88370400440532013000: ["iso_check_digits", "error"],
  DE00370400440532013000: ["iso_check_digits", "error"],
  DE8A370400440532013000: ["structure", "error"],
  DE8937040044053201300A: ["structure", "error"],
  DE8937040044053201300: ["length", "error"],
  QQ89370400440532013000: ["country_unknown", "error"],
  JE89370400440532013000: ["territory", "error"],
  DZ580002100001113000000570: ["country_not_registered", "error"],
};

test("an entry that is not an IBAN has a reason as well as an error, in the language asked for", async () => {
  const entries = await batch(["x", 7, "é"], "reason=1");
  for (const { data } of entries) {
    assert.deepEqual([data.reason, data.severity], ["not_an_iban", "error"]);
    assert.equal(data.message, "This is not an IBAN.");
  }
  const [short, none] = await batch(["DE8937040044053201300", "x"], "reason=1&lang=de");
  assert.match(short!.data.message!, /^Die IBAN ist ungültig/);
  assert.match(none!.error!.message, /^Die IBAN ist zu kurz/);
});

test("a BIC that does not match, an account and a bank code have reasons", async () => {
  const mismatch = await single("DE89370400440532013000/DEUTDEFFXXX", "reason=1");
  assert.deepEqual([mismatch.status, mismatch.data.reason], [2, "bic_mismatch"]);
  for (const [path, reason] of [
    ["532013000/37040044", null],
    ["532014000/37040044", "account_check_digit"],
    ["532013000/12345678", "bank_code_unknown"],
    ["532013000/1234567", "bank_code_format"],
    ["12345678901/37040044", "account_format"],
    ["12345678901/1", "bank_code_and_account_format"],
  ] as const) {
    const explained = (await (
      await service.request(`/v1/kto/${path}?reason=1`)
    ).json()) as AccountCheckAnswer;
    assert.equal(explained.data.reason, reason, path);
    assert.equal(explained.data.severity, reason === null ? null : "error");
  }
});

test("without reason=1 and with reason=0 nothing is added, and another value is refused", async () => {
  const iban = "DE88370400440532013000";
  const plain = await single(iban, "");
  assert.deepEqual(await single(iban, "reason=0"), plain);
  assert.ok(!("reason" in plain.data || "severity" in plain.data));
  assert.deepEqual(await batch([iban], "reason=0"), await batch([iban], ""));
  for (const value of ["2", "yes"]) {
    const answer = await service.request(`/v1/iban/${iban}?reason=${value}`);
    const { error } = (await answer.json()) as { error: { code: string; field: string } };
    assert.deepEqual([answer.status, error.code, error.field], [400, "invalid_request", "reason"]);
  }
});

test("each entry of a batch has the reason and lists the checks of a single check", async () => {
  const ibans = [...ibanCountries.map(({ example }) => example), ...Object.keys(expected)];
  const entries = await batch(ibans, "explain=1&reason=1");
  for (const [index, iban] of ibans.entries()) {
    const explained = await single(iban, "explain=1&reason=1");
    const { message, ...data } = entries[index]!.data;
    assert.deepEqual(data, explained.data, iban);
    assert.equal(message, explained.message);
    assert.ok(explained.data.checks!.length > 0 && explained.data.messages!.length > 0);
    const { reason, severity } = explained.data;
    if (iban in expected) assert.deepEqual([reason, severity], expected[iban], iban);
  }
  const many = Array.from({ length: 500 }, (_, index) => ibans[index % ibans.length]!);
  assert.deepEqual((await batch(many, "explain=1&reason=1")).slice(0, ibans.length), entries);
});

test("the document lists every reason", async () => {
  const document = await (await service.request("/service/openapi.json")).text();
  for (const reason of Object.keys(reasons)) assert.ok(document.includes(`"${reason}"`), reason);
});
