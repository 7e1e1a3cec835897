import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../faults/gate.ts";
import { checkIban, insideOf } from "../http/calls.ts";
import { useQuickService } from "../service.ts";
import { residentMb } from "../support/process-figures.ts";
import { randomOf } from "../support/random.ts";
import { assault } from "./assault.ts";

/** `MUTATIONS=1000000 npm test -- hostile/` sends a million. */
const count = Number(process.env["MUTATIONS"] ?? 6_000);
/** The long form looks at the memory more often, and from this many requests on wants it to stay where it is. */
const settledAfter = 100_000;
const rounds = count > 2 * settledAfter ? 20 : 4;
const flatWithin = 0.1;
const seed = Number(process.env["SEED"] ?? 1);
const usual = ["200", "400", "401", "404", "505"];
const iban = "DE89370400440532013000";

// Open bodies are left behind, not waited for; the deadline must not come in between.
const service = useQuickService({ BODY_TIMEOUT: "9000" });

/** Fails where a figure is farther from the middle of all than they may be. */
function expectFlat(figures: readonly number[]): void {
  const middle = (Math.max(...figures) + Math.min(...figures)) / 2;
  const range = (Math.max(...figures) - middle) / middle;
  assert.ok(range <= flatWithin, `memory is not flat: ${figures.map(Math.round)} MB`);
}

test(`${count} mutated requests get specified answers only, and leave nothing behind`, async (context) => {
  const random = randomOf(seed);
  const megabytes: number[] = [];
  const statuses: Record<string, number> = {};
  const attack = async (requests: number, patienceMs?: number) => {
    const result = await assault(service.port, requests, random, patienceMs);
    assert.deepEqual(result.wrong, []);
    for (const [status, times] of Object.entries(result.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + times;
    }
  };
  for (let round = 0; round < rounds; round++) {
    await attack(count / rounds);
    assert.equal((await checkIban(service, iban)).data.bic, "COBADEFFXXX");
    megabytes.push(residentMb(service.child));
  }
  context.diagnostic(`statuses ${JSON.stringify(statuses)}, MB ${megabytes.map(Math.round)}`);
  const isMissing = (status: string) => statuses[status] === undefined;
  // On a busy machine answers may come after their clients have gone.
  if (usual.some(isMissing)) await attack(500, 5_000);
  assert.deepEqual(usual.filter(isMissing), []);
  assert.ok(megabytes.at(-1)! < megabytes[0]! + 60, `memory grew: ${megabytes}`);
  const settled = megabytes.slice(Math.ceil((settledAfter * rounds) / count) - 1);
  if (count > 2 * settledAfter) expectFlat(settled);
  assert.ok(!/"level":(50|60)/.test(service.log()), service.log());
  await until(async () => (await insideOf(service)) === 0);
});
