import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { addDays } from "../../../src/banks/editions/days.ts";
import type { HealthAnswer } from "../../../src/client/index.ts";
import { createKey, idOf, type MadeKey, revokeKeys } from "../../../src/keys/key-changes.ts";
import { until } from "../../faults/gate.ts";
import { beginStream, linesOf } from "../../http/stream/client.ts";
import { type RunningService, startCompiledService } from "../../service.ts";
import { newFolder } from "../../support/folders.ts";
import { askOn, ibans, requests, send } from "./asking.ts";
import { editionNamed, MarkedData } from "./marked-data.ts";

/** `RELOADS=200 npm test -- editions/reload-under-load` sets 200. */
const reloads = Number(process.env["RELOADS"] ?? 4);
const firstEdition = "2025-03-01";
/** Memory that the process stays under, in megabytes: after thirty reloads it holds some 240, and after more no more. */
const maxMemoryMb = 280;

const data = new MarkedData();
const stateDir = newFolder();
/** Keys that are valid, the newest first. */
const keys: MadeKey[] = [];
let service: RunningService;
before(async () => {
  data.put({ "blz.csv": "no bank data at all\n" });
  service = await startCompiledService({ DATA_DIR: data.folder, STATE_DIR: stateDir, POOL_QUEUE: "64" });
});
after(async () => {
  assert.equal(await service.stop(), 0);
});

/** Issues a new key to the clients, and revokes their second to last. */
async function replaceKeys(): Promise<void> {
  const answers = ({ key }: MadeKey, status: number) =>
    until(
      async () =>
        (await fetch(`${service.url}/v1/ping`, { headers: { "X-API-Key": key } })).status === status,
    );
  const made = await createKey(stateDir, "client", new Date(), undefined);
  await answers(made, 200);
  keys.unshift(made);
  const [old] = keys.splice(2);
  if (old === undefined) return;
  await revokeKeys(stateDir, idOf(old.stored));
  await answers(old, 401);
}

const health = async () => (await (await service.request("/service/health")).json()) as HealthAnswer;
const newestKey = () => ({ "X-API-Key": keys[0]!.key });

test("a service whose bank data cannot be loaded listens, is alive but not ready, and says in its log what is wrong", async () => {
  assert.equal((await service.request("/v1/ping")).status, 200);
  const { age_days, last_refusal } = (await health()).data;
  assert.equal(age_days, null);
  assert.match(last_refusal?.reason ?? "", /manifest\.json is missing/);
  assert.match(service.log(), /the bank data could not be loaded/);
  for (const [probe, status, state] of [
    ["live", 200, "up"],
    ["ready", 503, "failing"],
    ["health", 200, "failing"],
  ] as const) {
    const answer = await service.request(`/service/${probe}`, { headers: {} });
    assert.deepEqual([answer.status, await answer.json()], [status, { status: state }], probe);
  }
});

test("it answers every check and search with configuration_error", async () => {
  await replaceKeys();
  for (const kind of requests) {
    const answer = await send(service, kind, newestKey());
    assert.equal(answer.status, 500);
    assert.equal(answer.headers.get("x-data-edition"), null);
    const { error } = (await answer.json()) as { error: { code: string; http_status: number } };
    assert.deepEqual([error.code, error.http_status], ["configuration_error", 500]);
  }
});

test("good files mend it without a restart", async () => {
  data.write(firstEdition);
  await until(async () => (await health()).data.edition === firstEdition);
  for (const kind of requests) {
    const answer = await send(service, kind, newestKey());
    assert.deepEqual([answer.status, answer.headers.get("x-data-edition")], [200, firstEdition]);
    assert.equal(editionNamed(kind.banksOf(await answer.json())[0]!), firstEdition);
  }
  await until(() => /"german":"2025-03-01".*the bank data was loaded/.test(service.log()));
});

test(`while data and keys are replaced ${reloads} times, every answer is of the edition it names, and none is an error`, async () => {
  const { refusals } = (await health()).data;
  const clients = askOn(service, newestKey, editionNamed);
  const memory: number[] = [];
  for (let reload = 1; reload <= reloads; reload++) {
    const edition = addDays(firstEdition, reload);
    data.write(edition);
    const replaced = replaceKeys();
    // Every second one is left to the watch of the folder.
    if (reload % 2 === 0) service.child.kill("SIGHUP");
    await clients.reached(async () => clients.seen.has(edition) && (await health()).data.edition === edition);
    await replaced;
    memory.push((await health()).process.memory_mb);
  }
  await clients.stop();
  const after = (await health()).data;
  assert.equal(after.refusals, refusals);
  assert.ok(after.loads > reloads);
  const last = Math.min(...memory.slice(-Math.ceil(reloads / 5)));
  assert.ok(last < maxMemoryMb, `memory in MB: ${memory.join(" ")}`);
});

test("a stream that is open while the data is replaced continues with the new data, and answers each line once", async () => {
  const body = `${ibans.join("\n")}\n`;
  const { open, answer } = await beginStream(service, body, "?fields=bank", "text/plain", newestKey());
  let text = "";
  answer.on("data", (piece: Buffer) => {
    text += piece.toString();
  });
  await until(() => linesOf(text).length === ibans.length);
  const edition = addDays(firstEdition, reloads + 1);
  data.write(edition);
  service.child.kill("SIGHUP");
  await until(async () => (await health()).data.edition === edition);
  open.end(body);
  await once(answer, "end");
  const lines = linesOf(text) as unknown as { readonly line: number; readonly bank: string }[];
  assert.equal(lines.length, 2 * ibans.length + 1);
  for (const [index, { line, bank }] of lines.slice(0, -1).entries()) {
    assert.equal(line, index + 1);
    assert.equal(editionNamed(bank), index < ibans.length ? addDays(firstEdition, reloads) : edition);
  }
});
