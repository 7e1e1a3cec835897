import assert from "node:assert/strict";
import { test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { exchangeOnce, postBytes } from "../http/raw-socket.ts";
import { until } from "./gate.ts";
import { useMarkedService } from "./marked-service.ts";
import { markers } from "./markers.ts";

const service = useMarkedService({ POOL_QUEUE: "8" });

const iban = "DE89370400440532013000";
/** A body over 1 KB, so that it weighs as a batch at admission. */
const batchWith = (first: string) =>
  postBytes("/v1/iban", JSON.stringify({ ibans: [first, ...Array<string>(80).fill(iban)] }));

test("clients that retry until they are accepted all get answers, and the ceiling is never exceeded", async () => {
  const clients = 32;
  const batchesOfEach = 8;
  let refused = 0;
  const holder = await service.send(batchWith(markers.gate));
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
