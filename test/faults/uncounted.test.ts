import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { readUsage } from "../http/calls.ts";
import { exchangeOnce, postBytes, requestBytes } from "../http/raw-socket.ts";
import { type MarkedService, startMarkedService } from "./marked-service.ts";
import { markers } from "./markers.ts";

let service: MarkedService;
before(async () => {
  service = await startMarkedService({ POOL_SIZE: "1", POOL_QUEUE: "1" });
});
after(async () => {
  await service.stop();
});

const iban = "DE89370400440532013000";
const check = (text: string) => requestBytes("GET", `/v1/iban/${text}`);
const ask = (bytes: Uint8Array) => exchangeOnce(service.port, bytes);

const counted = async () => (await readUsage(service.port)).key.total;

test("refused and failed checks are never counted, answered ones are, IBAN by IBAN", async () => {
  service.gate.shut();
  const held = [await service.check(markers.gate), await service.check(markers.gate)];
  await service.inside(2);
  for (let refusal = 0; refusal < 10; refusal++) {
    expectError(await ask(check(iban)), "server_busy");
    expectError(await ask(postBytes("/v1/iban", JSON.stringify({ ibans: [iban, iban] }))), "server_busy");
  }
  assert.equal(await counted(), 0);
  service.gate.open();
  for (const connection of held) assert.equal((await connection.answer()).status, 200);
  assert.equal(await counted(), 2);
  expectError(await ask(check(markers.throws)), "checker_failed");
  expectError(
    await ask(postBytes("/v1/iban", JSON.stringify({ ibans: [iban, markers.exit] }))),
    "checker_failed",
  );
  expectError(await ask(check("X")), "invalid_iban");
  assert.equal(await counted(), 2);
  assert.equal((await ask(postBytes("/v1/iban", JSON.stringify({ ibans: [iban, iban, "?"] })))).status, 200);
  assert.equal(await counted(), 5);
  for (const connection of held) connection.destroy();
});
