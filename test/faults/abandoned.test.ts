import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { exchangeOnce, postBytes, requestBytes } from "../http/raw-socket.ts";
import { pluck } from "../support/pluck.ts";
import { type MarkedService, startMarkedService } from "./marked-service.ts";
import { markers } from "./markers.ts";

let service: MarkedService;
before(async () => {
  service = await startMarkedService({ POOL_SIZE: "1", POOL_QUEUE: "20" });
});
after(async () => {
  await service.stop();
});

const batch = JSON.stringify({ ibans: ["DE89370400440532013000", "DE89370400440532013000"] });

async function figures(): Promise<{ readonly abandoned: number; readonly checks: number }> {
  const { body } = await exchangeOnce(service.port, requestBytes("GET", "/service/metrics"));
  const { requests } = JSON.parse(body.toString()) as {
    requests: { abandoned: number; checks: number };
  };
  return { abandoned: requests.abandoned, checks: requests.checks };
}

test("requests whose clients give up leave the queue before a worker begins them, and are counted as abandoned only", async () => {
  const running = await service.check(markers.gate);
  await service.gate.reachedBy(1);
  const waiting = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0
        ? service.send(postBytes("/v1/iban", batch))
        : service.send(requestBytes("GET", "/v1/iban/DE89370400440532013000")),
    ),
  );
  await service.inside(13);
  for (const connection of waiting.slice(0, 10)) connection.destroy();
  await service.inside(3);
  service.gate.open();
  const answers = await Promise.all(waiting.slice(10).map((connection) => connection.answer()));
  assert.deepEqual(pluck(answers, "status"), [200, 200]);
  await running.answer();
  for (const connection of [running, ...waiting.slice(10)]) connection.destroy();
  // The single check of the marker, that of the last client, and the batch of two.
  assert.deepEqual(await figures(), { abandoned: 10, checks: 4 });
});
