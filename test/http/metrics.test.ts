import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../faults/gate.ts";
import { useQuickService } from "../service.ts";

const iban = "DE89370400440532013000";

const service = useQuickService({ LOG_SAMPLE: "1" });

test("a request's line in the log has its id, route, status, time and holder, and no account number", async () => {
  const id = "line-1";
  const headers = { "X-API-Key": "test-key-0123456789", "X-Request-Id": id };
  await service.request(`/v1/iban/${iban}?explain=1`, { headers });
  await service.request("/v1/kto/0532013000/37040044", { headers: { ...headers, "X-Request-Id": "line-2" } });
  await service.post("/v1/iban", { ibans: [iban] }, { "X-Request-Id": "line-3" });
  await until(async () => service.log().includes("line-3"));
  const logged =
    service
      .log()
      .split("\n")
      .find((one) => one.includes(`"${id}"`)) ?? "{}";
  const { ms, time, ...line } = JSON.parse(logged) as Record<string, unknown>;
  assert.ok(Number(ms) > 0);
  assert.ok(Number.isFinite(Date.parse(String(time))));
  assert.deepEqual(line, {
    level: 30,
    request_id: id,
    method: "GET",
    route: "/v1/iban/{iban}",
    status: 200,
    holder: "test",
    msg: "request",
  });
  for (const number of [iban, "0532013000", "37040044"]) assert.ok(!service.log().includes(number), number);
});
