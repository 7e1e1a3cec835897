import assert from "node:assert/strict";
import { test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { exchangeOnce, postBytes, type RawConnection, requestBytes } from "../http/raw-socket.ts";
import { until } from "./gate.ts";
import { useMarkedService } from "./marked-service.ts";
import { markers } from "./markers.ts";

const poolQueue = 8;
const keptPlaces = 2;
const service = useMarkedService({ POOL_QUEUE: String(poolQueue) });

const iban = "DE89370400440532013000";
const single = requestBytes("GET", `/v1/iban/${iban}`);
/** A body over 1 KB, so that it weighs as a batch at admission. */
const batchWith = (first: string) =>
  postBytes("/v1/iban", JSON.stringify({ ibans: [first, ...Array<string>(80).fill(iban)] }));
const heldBatch = batchWith(markers.gate);

test("a flood of batches leaves places to single checks as long as some come, and nothing accepted is lost", async () => {
  assert.equal((await exchangeOnce(service.port, single)).status, 200);
  const held: RawConnection[] = [];
  for (let sent = 0; sent < 1 + poolQueue - keptPlaces; sent++) held.push(await service.send(heldBatch));
  await service.inside(held.length);
  for (let refusal = 0; refusal < 20; refusal++) {
    const refused = await exchangeOnce(service.port, heldBatch);
    expectError(refused, "server_busy");
    assert.equal(refused.headers.get("retry-after"), "2");
  }
  const singles = [await service.send(single), await service.send(single)];
  await service.inside(held.length + singles.length);
  expectError(await exchangeOnce(service.port, single), "server_busy");
  await service.release([...held, ...singles]);
});

test("clients that retry until they are accepted all get answers, and the ceiling is never exceeded", async () => {
  const clients = 32;
  const batchesOfEach = 8;
  let refused = 0;
  const holder = await service.send(heldBatch);
  await service.inside(1);
  const done = Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let batch = 0; batch < batchesOfEach; batch++) {
        const own = `ZZ${String(client).padStart(4, "0")}${String(batch).padStart(10, "0")}`;
        for (;;) {
          const answer = await exchangeOnce(service.port, batchWith(own));
          if (answer.status === 200) {
            assert.ok(answer.body.includes(own), "the answer is another client's");
            break;
          }
          expectError(answer, "server_busy");
          refused++;
        }
      }
    }),
  );
  await until(() => refused > 0);
  service.gate.open();
  await done;
  await service.release([holder]);
});
