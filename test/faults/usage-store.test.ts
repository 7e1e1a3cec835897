import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { checkBatch, readUsage, reportedUsage } from "../http/calls.ts";
import { quickServiceOf, type RunningService, startQuickService } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { childrenOf, limitFiles, prlimitMissing } from "../support/process-figures.ts";
import { runHere } from "../support/run-here.ts";
import { until } from "./gate.ts";

const iban = "DE89370400440532013000";
let stateDir: string;
beforeEach(() => {
  stateDir = newFolder();
});

async function check(service: RunningService, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await checkBatch(service, [iban, iban]);
}

const total = async ({ port }: RunningService) => (await reportedUsage(port))?.key.total;

/** Returns the total that the store of a stopped service holds, as the command line prints it in its last column. */
async function storedTotal(): Promise<number> {
  const { stdout } = await runHere(["usage"], { STATE_DIR: stateDir });
  return Number(/^test .* (\d+)$/m.exec(stdout)?.[1]);
}

const isReported = (service: RunningService) => until(() => service.log().includes("usage cannot be stored"));

/** Limits the files of the service, and of the process that keeps the usage, a new one of which inherits the limit. */
function limitFilesOf({ child: { pid } }: RunningService, size: number | "unlimited"): void {
  for (const each of [pid!, ...childrenOf(pid!)]) limitFiles(each, size);
}

test("while the disk is full checks go on, and their counts are caught up when there is room again", {
  skip: prlimitMissing,
}, async (t) => {
  const service = await quickServiceOf(t, { STATE_DIR: stateDir });
  await check(service, 3);
  assert.equal(await total(service), 6);
  limitFilesOf(service, 4_096);
  await check(service, 30);
  await isReported(service);
  const last = await reportedUsage(service.port);
  assert.equal(last?.key.total, 6, "as it was last read");
  assert.ok(Math.abs(Date.parse(last.as_of ?? "") - Date.now()) < 60_000);
  await check(service, 30);
  limitFilesOf(service, "unlimited");
  await until(async () => (await total(service)) === 126);
  assert.equal((await reportedUsage(service.port))?.as_of, undefined);
});

test("a service whose store cannot be created still checks, and reports lost counts at its end", async () => {
  writeFileSync(join(stateDir, "usage"), "a file where the folder should be");
  const service = await startQuickService({ STATE_DIR: stateDir });
  await check(service, 5);
  await isReported(service);
  assert.equal(await total(service), undefined);
  await check(service, 5);
  assert.equal(await service.stop(), 0);
  assert.match(service.log(), /"lost":20,.*usage is lost/);
});

test("what was used while the process that stores it was frozen is stored at the stop", async () => {
  const service = await startQuickService({ STATE_DIR: stateDir });
  const pid = service.child.pid!;
  assert.equal(await total(service), 0);
  for (const child of childrenOf(pid)) process.kill(Number(child), "SIGSTOP");
  await check(service, 5);
  assert.equal(await service.stop(), 0);
  assert.doesNotMatch(service.log(), /usage is lost/);
  assert.equal(await storedTotal(), 10);
});

test("a state folder of an earlier version keeps its keys and its usage", async () => {
  // Written by the service of commit 463f580 (22 November 2026), x64: a key with limits, and five checks.
  const earlier = fileURLToPath(new URL("../usage/state-463f580/", import.meta.url));
  const key = "61rPAs50g2l3krmyFN_h5M5irx4UboQthubycrCy4Yw";
  mkdirSync(join(stateDir, "usage"));
  copyFileSync(join(earlier, "keys.json"), join(stateDir, "keys.json"));
  writeFileSync(join(stateDir, "usage/data.mdb"), gunzipSync(readFileSync(join(earlier, "data.mdb.gz"))));
  const service = await startQuickService({ STATE_DIR: stateDir });
  const used = async () => (await readUsage(service.port, key)).key.total;
  assert.equal(await used(), 5);
  assert.equal((await service.request(`/v1/iban/${iban}`, { headers: { "X-API-Key": key } })).status, 200);
  await until(async () => (await used()) === 6);
  assert.equal(await service.stop(), 0);
  const keysIn = (folder: string) => JSON.parse(readFileSync(join(folder, "keys.json"), "utf8")) as unknown;
  assert.deepEqual(keysIn(stateDir), keysIn(earlier));
});
