import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { HealthAnswer } from "../../../src/client/index.ts";
import { until } from "../../faults/gate.ts";
import { type RunningService, startQuickService } from "../../service.ts";
import { MarkedData, markedBlz } from "./marked-data.ts";

const data = new MarkedData();
let service: RunningService;
before(async () => {
  data.put("blz.csv", "no bank data at all\n");
  service = await startQuickService({ DATA_DIR: data.folder });
});
after(async () => {
  assert.equal(await service.stop(), 0);
});

async function factsOfData(): Promise<HealthAnswer["data"]> {
  const health = await service.request("/service/health");
  return ((await health.json()) as HealthAnswer).data;
}

test("a service whose bank data cannot be loaded listens, is alive but not ready, and says in its log what is wrong", async () => {
  assert.equal((await service.request("/v1/ping")).status, 200);
  assert.equal((await factsOfData()).age_days, null);
  assert.match(service.log(), /the bank data could not be loaded/);
  const answers = await Promise.all(
    ["live", "ready", "health"].map((probe) => service.request(`/service/${probe}`, { headers: {} })),
  );
  assert.deepEqual(
    await Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`)),
    ['200 {"status":"up"}', '503 {"status":"failing"}', '200 {"status":"failing"}'],
  );
});

test("it answers every check and search with configuration_error", async () => {
  const answers = await Promise.all([
    service.request("/v1/iban/DE89370400440532013000"),
    service.request("/v1/kto/532013000/37040044"),
    service.request("/v1/search?name=bank"),
    service.post("/v1/iban", { ibans: ["DE89370400440532013000"] }),
  ]);
  for (const answer of answers) {
    assert.equal(answer.status, 500);
    assert.equal(answer.headers.get("x-data-edition"), null);
    const { error } = (await answer.json()) as { error: { code: string; http_status: number } };
    assert.deepEqual([error.code, error.http_status], ["configuration_error", 500]);
  }
});

test("good files mend it without a restart", async () => {
  data.write("2026-06-08");
  await until(async () => (await factsOfData()).edition === "2026-06-08");
  const answer = await service.request(`/v1/kto/532013000/${markedBlz[0]}`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("x-data-edition"), "2026-06-08");
  assert.match(await answer.text(), /Bank 2026-06-08/);
});

test("files that are cut off are refused, the edition in use stays, log and health say so", async () => {
  const { refusals } = await factsOfData();
  const logged = service.log().length;
  data.put("blz.csv", data.read("blz.csv").slice(0, data.read("blz.csv").length / 2));
  await until(async () => (await factsOfData()).refusals === refusals + 1);
  const { edition, last_refusal } = await factsOfData();
  assert.equal(edition, "2026-06-08");
  assert.match(last_refusal?.reason ?? "", /blz\.csv, line \d+/);
  // Log lines arrive a little later than answers.
  await until(() => service.log().slice(logged).includes("the edition in use stays"));
  const answer = await service.request("/v1/search?name=bank");
  assert.deepEqual([answer.status, answer.headers.get("x-data-edition")], [200, "2026-06-08"]);
  await answer.text();
});

test("good data afterwards is taken", async () => {
  data.write("2026-09-07");
  await until(async () => (await factsOfData()).edition === "2026-09-07");
  await until(() => /"german":"2026-09-07".*the bank data was loaded/.test(service.log()));
});
