import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { manifestText } from "../../../src/banks/editions/manifest.ts";
import { until } from "../../faults/gate.ts";
import { type RunningService, startCompiledService, testKey } from "../../service.ts";
import { newFolder } from "../../support/folders.ts";
import { runHere } from "../../support/run-here.ts";
import { editionNamed, MarkedData } from "./marked-data.ts";

/** Generous, since the machine may be busy with other tests: usually this takes a second. */
const patience = 60_000;
const processes = 2;
const folder = newFolder();
const data = new MarkedData();
const clockFile = join(folder, "clock");
const preload = join(folder, "clock.mjs");
const midnight = Date.parse("2026-09-06T22:00:00Z");

/** Sets the clock of all processes, which does not move until it is set again. */
function setClock(time: number): void {
  writeFileSync(`${clockFile}.new`, String(time));
  renameSync(`${clockFile}.new`, clockFile);
}

/** Each request has its own connection, so that any process may receive it. */
const headers = { "X-API-Key": testKey, Connection: "close" };

let service: RunningService;
before(async () => {
  data.write("2026-06-08");
  const first = data.read("blz.csv");
  data.write("2026-09-07");
  data.put("blz-first.csv", first);
  data.put(
    "manifest.json",
    manifestText([
      { dataset: "blz", file: "blz-first.csv", validFrom: "2026-06-08" },
      { dataset: "blz", file: "blz.csv", validFrom: "2026-09-07" },
      { dataset: "banks", file: "banks.csv", validFrom: "2025-09" },
    ]),
  );
  // The clock of every thread of every process is the file.
  writeFileSync(
    preload,
    `import { readFileSync } from "node:fs";
const read = () => Number(readFileSync(${JSON.stringify(clockFile)}, "utf8"));
let time = read();
setInterval(() => { time = read(); }, 20).unref();
Date.now = () => time;
`,
  );
  setClock(midnight - 10 * 60_000);
  service = await startCompiledService({
    DATA_DIR: data.folder,
    PROCESSES: String(processes),
    POOL_SIZE: "1",
    NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
  });
});
after(async () => {
  assert.equal(await service.stop(), 0);
});

interface Facts {
  readonly process: { readonly id: number };
  readonly data: { readonly edition: string; readonly loads: number };
}

/** The edition in use in each process. */
async function editions(): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (let ask = 0; found.size < processes && ask < 500; ask++) {
    const answer = await service.request("/service/metrics", { headers });
    const { process, data: facts } = (await answer.json()) as Facts;
    found.set(process.id, facts.edition);
  }
  assert.equal(found.size, processes);
  return found;
}

const allUse = async (edition: string) =>
  [...(await editions()).values()].every((inUse) => inUse === edition);

test("an edition dated in the future is used from midnight in Berlin on in every process, under load, and back when withdrawn", async () => {
  assert.ok(await allUse("2026-06-08"));
  let isAsking = true;
  const seen = new Set<string>();
  const asking = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (isAsking) {
        const answer = await service.request("/v1/search?name=bank", { headers });
        const edition = answer.headers.get("x-data-edition")!;
        const { results } = (await answer.json()) as { results: { items: { bank: string }[] } };
        assert.equal(answer.status, 200);
        for (const { bank } of results.items) assert.equal(editionNamed(bank), edition);
        seen.add(edition);
        await delay(50);
      }
    }),
  );
  // In the last minute before its day the next edition is loaded, and not used yet.
  setClock(midnight - 50_000);
  await until(async () => service.log().split("is loaded for its first day").length > processes, patience);
  setClock(midnight - 1);
  assert.ok(await allUse("2026-06-08"));
  setClock(midnight);
  await until(() => allUse("2026-09-07"), patience);
  // By its own clock each process uses it from midnight on, and not a millisecond later.
  const switched = () =>
    service
      .log()
      .split("\n")
      .filter((line) => /"german":"2026-09-07".*was loaded/.test(line))
      .map((line) => Date.parse((JSON.parse(line) as { readonly time: string }).time));
  // Log lines arrive a little later than answers.
  await until(() => switched().length >= processes);
  assert.deepEqual(
    switched(),
    Array.from({ length: processes }, () => midnight),
  );
  const withdrawn = await runHere(["data", "withdraw", "2026-09-07", "--data-dir", data.folder]);
  assert.equal(withdrawn.exit, 0, withdrawn.stderr);
  await until(() => allUse("2026-06-08"), patience);
  const undone = await runHere(["data", "withdraw", "2026-09-07", "--undo", "--data-dir", data.folder]);
  assert.equal(undone.exit, 0, undone.stderr);
  await until(() => allUse("2026-09-07"), patience);
  // A clock that is set back takes the edition before along.
  setClock(midnight - 3_600_000);
  await until(() => allUse("2026-06-08"), patience);
  isAsking = false;
  await asking;
  assert.deepEqual([...seen].sort(), ["2026-06-08", "2026-09-07"]);
});

test("pruning keeps the edition in use and those to come", async () => {
  setClock(midnight + 1_000);
  await until(() => allUse("2026-09-07"), patience);
  const kept = await runHere(["data", "prune", "--keep", "4", "--data-dir", data.folder]);
  assert.equal(kept.stdout, "Nothing to remove.\n");
  const pruned = await runHere(["data", "prune", "--keep", "1", "--data-dir", data.folder]);
  assert.equal(pruned.stdout, "removed blz 2026-06-08\n1 removed.\n");
  assert.ok(!readFileSync(join(data.folder, "manifest.json"), "utf8").includes("2026-06-08"));
  assert.ok(await allUse("2026-09-07"));
});
