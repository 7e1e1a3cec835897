import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { routes } from "../../src/contract/routes.ts";
import { openRequestLog } from "../../src/http/request-log.ts";
import { until } from "../faults/gate.ts";
import { quickServiceOf, testKey } from "../service.ts";
import { pluck } from "../support/pluck.ts";

const holder = { name: "shop", id: "0123456789abcdef" };
const { number: route } = routes.find(({ operation }) => operation === "checkIbanByPath")!;
const request = { requestId: "id-1", route, holder, failure: undefined };

function setUp(sample: number) {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  return { lines, requests: openRequestLog(log, sample) };
}

test("one request in N is logged, or none", () => {
  const logged = [1, 3, 10, 11, 0].map((sample) => {
    const { lines, requests } = setUp(sample);
    for (let number = 0; number < 10; number++) requests.answered(request, 200, 1);
    requests.close();
    return lines.length;
  });
  assert.deepEqual(logged, [10, 3, 1, 0, 0]);
});

test("failures are logged outside the sample, ten a second of each status, and the others counted", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { lines, requests } = setUp(0);
  for (let number = 0; number < 25; number++) requests.answered(request, 503, undefined);
  requests.answered(request, 500, 2);
  const linesOf = (status: number) => lines.filter((line) => line["status"] === status);
  assert.equal(linesOf(503).length, 10);
  const [failed, ...more] = linesOf(500);
  assert.deepEqual([failed?.["level"], failed?.["msg"], more], [40, "request failed", []]);
  t.mock.timers.tick(1_000);
  requests.answered(request, 503, undefined);
  requests.answered(request, 503, undefined);
  assert.deepEqual(pluck(linesOf(503).slice(10), "suppressed"), [15, undefined]);
  requests.close();
});

test("a request's line in the log has its id, route, status, time and holder, and no account number", async (t) => {
  const iban = "DE89370400440532013000";
  const service = await quickServiceOf(t, { LOG_SAMPLE: "1" });
  const withId = (id: string) => ({ headers: { "X-API-Key": testKey, "X-Request-Id": id } });
  await service.request(`/v1/iban/${iban}?explain=1`, withId("line-1"));
  await service.request("/v1/kto/0532013000/37040044", withId("line-2"));
  await service.post("/v1/iban", { ibans: [iban] }, { "X-Request-Id": "line-3" });
  await until(() => service.log().includes("line-3"));
  const logged = service.log().split("\n");
  const { ms, time, ...line } = JSON.parse(logged.find((one) => one.includes('"line-1"'))!);
  assert.ok(Number(ms) > 0);
  assert.ok(Number.isFinite(Date.parse(String(time))));
  assert.deepEqual(line, {
    level: 30,
    request_id: "line-1",
    method: "GET",
    route: "/v1/iban/{iban}",
    status: 200,
    holder: "test",
    msg: "request",
  });
  for (const number of [iban, "0532013000", "37040044"]) assert.ok(!service.log().includes(number), number);
});
