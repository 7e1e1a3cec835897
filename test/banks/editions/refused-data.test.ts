import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { HealthAnswer } from "../../../src/client/index.ts";
import { until } from "../../faults/gate.ts";
import { type RunningService, startCompiledService } from "../../service.ts";
import { MarkedData, markedBlz } from "./marked-data.ts";

async function factsOf(service: RunningService): Promise<HealthAnswer["data"]> {
  const health = await service.request("/service/health");
  return ((await health.json()) as HealthAnswer).data;
}

const search = "/v1/search?name=bank";

describe("a running service whose data files go bad", () => {
  const data = new MarkedData();
  let service: RunningService;
  before(async () => {
    data.write("2026-06-08");
    service = await startCompiledService({ DATA_DIR: data.folder, POOL_SIZE: "1" });
  });
  after(async () => {
    assert.equal(await service.stop(), 0);
  });

  const half = (text: string) => text.slice(0, text.length / 2);
  const damages: Readonly<Record<string, readonly [() => void, RegExp]>> = {
    "cut off in the midst of a row": [
      () => data.put("blz.csv", half(data.read("blz.csv"))),
      /blz\.csv, line \d+/,
    ],
    "cut off behind a row": [
      () => data.put("blz.csv", data.read("blz.csv").split("\n").slice(0, 100).join("\n")),
      /German bank codes where/,
    ],
    empty: [() => data.put("blz.csv", ""), /blz\.csv, line 1/],
    "random bytes": [() => data.put("banks.csv", Buffer.from("ff00fe81c3".repeat(500), "hex")), /banks\.csv/],
    older: [() => data.write("2026-03-09"), /2026-03-09 is older than 2026-06-08/],
    "no JSON": [() => data.put("manifest.json", "{"), /manifest\.json/],
  };
  for (const [what, [damage, reason]] of Object.entries(damages)) {
    test(`${what}: refused, the edition in use stays, log and health say so`, async () => {
      const { refusals } = await factsOf(service);
      damage();
      await until(async () => (await factsOf(service)).refusals === refusals + 1);
      const { edition, last_refusal } = await factsOf(service);
      assert.equal(edition, "2026-06-08");
      assert.match(last_refusal?.reason ?? "", reason);
      // Log lines arrive a little later than answers.
      await until(() => service.log().split("the edition in use stays").length === refusals + 2);
      const answer = await service.request(search);
      assert.equal(answer.headers.get("x-data-edition"), "2026-06-08");
      assert.equal(answer.status, 200);
      await answer.text();
      data.write("2026-06-08");
    });
  }

  test("good data afterwards is taken", async () => {
    data.write("2026-09-07");
    await until(async () => (await factsOf(service)).edition === "2026-09-07");
    await until(() => /"german":"2026-09-07".*the bank data was loaded/.test(service.log()));
  });
});

test("a service that starts without data is mended by good files, without a restart", async () => {
  const data = new MarkedData();
  const service = await startCompiledService({ DATA_DIR: data.folder, POOL_SIZE: "1" });
  const check = `/v1/kto/532013000/${markedBlz[0]}`;
  const refused = await service.request(check);
  assert.equal(refused.status, 500);
  assert.equal(refused.headers.get("x-data-edition"), null);
  assert.match(await refused.text(), /configuration_error/);
  data.write("2026-09-07");
  await until(async () => (await factsOf(service)).edition === "2026-09-07");
  const answer = await service.request(check);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("x-data-edition"), "2026-09-07");
  assert.match(await answer.text(), /Bank 2026-09-07/);
  assert.equal(await service.stop(), 0);
});
