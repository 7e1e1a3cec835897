import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { exchangeOnce, postBytes, type RawAnswer, requestBytes } from "../http/raw-socket.ts";
import { until } from "./gate.ts";
import { type MarkedService, startMarkedService } from "./marked-service.ts";
import { markers } from "./markers.ts";

let service: MarkedService;
before(async () => {
  service = await startMarkedService({ POOL_SIZE: "1" });
});
after(async () => {
  await service.stop();
});

const iban = "DE89370400440532013000";
const check = (text: string) => exchangeOnce(service.port, requestBytes("GET", `/v1/iban/${text}`));
const batch = (...ibans: string[]) =>
  exchangeOnce(service.port, postBytes("/v1/iban", JSON.stringify({ ibans })));

test("a kind of task that keeps killing its worker fails alone, the others continue, and it is tried again", async () => {
  let next: RawAnswer;
  // Where the eight have taken longer than the rest of 2 s, the next one is the trial.
  do {
    for (let crash = 0; crash < 8; crash++) expectError(await check(markers.exit), "checker_failed");
    next = await check(iban);
  } while (next.status === 200);
  expectError(next, "checker_failed");
  assert.equal((await batch(iban)).status, 200, "a batch is another kind of task");
  const [ready, health] = await Promise.all(
    ["/service/ready", "/service/health"].map((path) =>
      exchangeOnce(service.port, requestBytes("GET", path)),
    ),
  );
  assert.equal(ready!.status, 200, "a balancer keeps sending the other kinds");
  const { pool } = JSON.parse(health!.body.toString()) as { pool: { failing_task_kinds: number } };
  assert.ok(pool.failing_task_kinds <= 1, "none once the trial is due");
  await until(async () => (await check(iban)).status === 200);
  assert.equal((await check(iban)).status, 200);
});
