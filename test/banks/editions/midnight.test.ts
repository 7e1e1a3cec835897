import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { readSettings } from "../../../src/settings.ts";
import { until } from "../../faults/gate.ts";
import { testKey } from "../../service.ts";
import { newFolder } from "../../support/folders.ts";
import { MarkedData } from "./marked-data.ts";

/** Compiled, as the service runs: its threads load compiled code only. */
const compiled = "../../../.dist/src/service/service.js";

test("an edition put there early is used from midnight in Berlin on, by a service that runs on", async () => {
  const { startService } = (await import(compiled)) as typeof import("../../../src/service/service.ts");
  let time = Date.parse("2026-09-06T21:59:59.999Z");
  const data = new MarkedData();
  data.write("2026-06-08");
  const stateDir = newFolder();
  const environment = {
    PORT: "0",
    STATE_DIR: stateDir,
    API_KEYS: `test:${testKey}`,
    POOL_SIZE: "1",
    DATA_DIR: data.folder,
  };
  const service = await startService(readSettings([], environment), pino({ level: "silent" }), {
    now: () => time,
  });
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      headers: { "X-API-Key": testKey },
    });
    return { edition: answer.headers.get("x-data-edition"), text: await answer.text() };
  };
  data.write("2026-09-07");
  service.reload();
  await until(async () => (await get("/service/health")).text.includes('"next_edition":"2026-09-07"'));
  const before = await get("/v1/search?name=bank");
  assert.equal(before.edition, "2026-06-08");
  assert.match(before.text, /"bank":"Bank 2026-06-08"/);
  time++;
  await until(async () => (await get("/v1/search?name=bank")).edition === "2026-09-07");
  assert.match((await get("/v1/search?name=bank")).text, /"bank":"Bank 2026-09-07"/);
  assert.match(
    (await get("/service/health")).text,
    /"edition":"2026-09-07","age_days":0,.*"next_edition":null/,
  );
  await service.stop();
});
