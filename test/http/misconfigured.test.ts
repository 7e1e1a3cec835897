import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type RunningService, startCompiledService } from "../service.ts";
import { newFolder } from "../support/folders.ts";

describe("a service whose bank data cannot be loaded", () => {
  const folder = newFolder();
  let service: RunningService;
  before(async () => {
    writeFileSync(join(folder, "blz.csv"), "no bank data at all\n");
    service = await startCompiledService({ DATA_DIR: folder });
  });
  after(async () => {
    assert.equal(await service.stop(), 0);
  });

  test("listens, answers what needs no data, and says in its log what is wrong", async () => {
    assert.equal((await service.request("/v1/ping")).status, 200);
    const health = (await (await service.request("/service/health")).json()) as { data: { age_days: null } };
    assert.equal(health.data.age_days, null);
    assert.match(service.log(), /the bank data could not be loaded/);
  });

  test("is alive, but not ready", async () => {
    const answers = await Promise.all(
      ["live", "ready", "health"].map((probe) => service.request(`/service/${probe}`, { headers: {} })),
    );
    assert.deepEqual(
      await Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`)),
      ['200 {"status":"up"}', '503 {"status":"failing"}', '200 {"status":"failing"}'],
    );
  });

  test("answers every check and search with configuration_error", async () => {
    const answers = await Promise.all([
      service.request("/v1/iban/DE89370400440532013000"),
      service.request("/v1/kto/532013000/37040044"),
      service.request("/v1/search?name=bank"),
      service.post("/v1/iban", { ibans: ["DE89370400440532013000"] }),
    ]);
    for (const answer of answers) {
      assert.equal(answer.status, 500);
      const { error } = (await answer.json()) as { error: { code: string; http_status: number } };
      assert.deepEqual([error.code, error.http_status], ["configuration_error", 500]);
    }
  });
});
