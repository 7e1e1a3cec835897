import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createKey } from "../../src/keys/key-changes.ts";
import { expectError } from "../contract/error-table.ts";
import { readMetrics } from "../http/calls.ts";
import { postBytes, RawConnection, requestBytes } from "../http/raw-socket.ts";
import { testKey } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { until } from "./gate.ts";
import { batchOf, useMarkedService } from "./marked-service.ts";
import { markers } from "./markers.ts";

const iban = "DE89370400440532013000";
const otherKey = "other-key-0123456789";
const ceiling = 8;
const stateDir = newFolder();
let limited: string;
before(async () => {
  limited = (await createKey(stateDir, "limited", new Date(), undefined, { maxPerSecond: 5 })).key;
});
const service = useMarkedService({
  POOL_QUEUE: String(ceiling - 1),
  STATE_DIR: stateDir,
  API_KEYS: `test:${testKey},other:${otherKey}`,
});

const check = (key: string) => requestBytes("GET", `/v1/iban/${iban}`, { headers: [`X-API-Key: ${key}`] });

const refusals = async () => (await readMetrics(service)).requests.refused;

test("a key that has taken every place yields some of its waiting places to another key", async () => {
  const flood = await service.fill(ceiling);
  expectError(await service.ask(check(testKey)), "server_busy");
  const before = await refusals();
  const others = [await service.send(check(otherKey)), await service.send(check(otherKey))];
  // The latest ones were displaced, and are answered at once.
  for (const connection of flood.splice(-2)) {
    const refused = await connection.answer();
    expectError(refused, "server_busy");
    connection.destroy();
  }
  assert.equal(await refusals(), before + 2);
  await service.inside(ceiling);
  await service.release([...others, ...flood]);
});

test("a flood of costly searches under one key costs another at most one check in fifty", async () => {
  const search = postBytes(
    "/v1/search",
    JSON.stringify({ name: "sparkasse volksbank ".repeat(8), location: "x".repeat(5_000), max: 50 }),
  );
  const refused = await refusals();
  let isOver = false;
  const flood = Array.from({ length: 40 }, async () => {
    const connection = await RawConnection.open(service.port);
    while (!isOver) await connection.ask(search);
    connection.destroy();
  });
  await until(async () => (await refusals()) > refused);
  let lost = 0;
  const checks = 100;
  const others = Array.from({ length: 2 }, async () => {
    const connection = await RawConnection.open(service.port);
    for (let sent = 0; sent < checks / 2; sent++)
      if ((await connection.ask(check(otherKey))).status !== 200) lost++;
    connection.destroy();
  });
  await Promise.all(others);
  isOver = true;
  await Promise.all(flood);
  await service.inside(0);
  assert.ok(lost <= checks / 50, `${lost} of ${checks} were refused`);
});

test("clients that retry until they are accepted all get answers, and the ceiling is never exceeded", async () => {
  const clients = 32;
  const batchesOfEach = 8;
  let refused = 0;
  const batchWith = (first: string) => batchOf(first, ...Array<string>(80).fill(iban));
  const holder = await service.send(batchWith(markers.gate));
  await service.inside(1);
  const done = Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let batch = 0; batch < batchesOfEach; batch++) {
        const own = `ZZ${String(client).padStart(4, "0")}${String(batch).padStart(10, "0")}`;
        let answer = await service.ask(batchWith(own));
        for (; answer.status !== 200; answer = await service.ask(batchWith(own))) {
          expectError(answer, "server_busy");
          refused++;
        }
        assert.ok(answer.body.includes(own), "the answer is another client's");
      }
    }),
  );
  await until(() => refused > 0);
  service.gate.open();
  await done;
  await service.release([holder]);
});

test("a key does no more checks per second than its limit", async () => {
  const begin = performance.now();
  let answered = 0;
  for (let sent = 0; sent < 30; sent++) {
    const answer = await service.ask(check(limited));
    if (answer.status === 200) answered++;
    else expectError(answer, "server_busy");
  }
  const seconds = (performance.now() - begin) / 1_000;
  assert.ok(answered >= 5 && answered <= 6 + 5 * seconds, `${answered} in ${seconds} s`);
  assert.equal((await service.ask(check(otherKey))).status, 200);
});
