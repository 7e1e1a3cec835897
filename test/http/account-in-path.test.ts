import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type RunningService, startQuickService } from "../service.ts";

let service: RunningService;
before(async () => {
  service = await startQuickService({ GET_IBAN: "off" });
});
after(async () => {
  assert.equal(await service.stop(), 0);
});

const iban = "DE89370400440532013000";

test("with GET_IBAN=off account numbers in paths are refused, and the answer says what to use", async () => {
  for (const path of [`/v1/iban/${iban}`, `/v1/iban/${iban}/COBADEFFXXX`, "/v1/kto/532013000/37040044"]) {
    const answer = await service.request(path);
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    assert.deepEqual([answer.status, error.code], [403, "forbidden"], path);
    assert.match(error.message, /POST \/v1\/iban or POST \/v1\/kto/);
    assert.equal((await service.request(path, { headers: {} })).status, 401);
  }
});

test("checks by POST and searches are answered as ever", async () => {
  assert.equal((await service.post("/v1/iban", { iban })).status, 200);
  assert.equal(
    (await service.post("/v1/kto", { kontonummer: "532013000", bankleitzahl: "37040044" })).status,
    200,
  );
  assert.equal((await service.request("/v1/search?name=bank")).status, 200);
});
