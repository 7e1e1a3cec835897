import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, mock, test } from "node:test";
import { pathToFileURL } from "node:url";
import { addDays, berlinMidnight } from "../../../src/banks/editions/days.ts";
import type { IbanCheckAnswer, ProcessesAnswer } from "../../../src/client/index.ts";
import { ibanOf } from "../../contract/iso-check-digits.ts";
import { until } from "../../faults/gate.ts";
import { type RunningService, startCompiledService, testKey } from "../../service.ts";
import { newFolder } from "../../support/folders.ts";
import { runHere } from "../../support/run-here.ts";
import { publishedBlz, rowText, writeSmallData } from "../small-data.ts";
import { askOn, requests } from "./asking.ts";
import { markedBlz } from "./marked-data.ts";

const processes = 2;
const folder = newFolder();
const clockFile = join(folder, "clock");
const preload = join(folder, "clock.mjs");
const today = "2026-09-07";
/** The Bundesbank publishes an edition every thirteen weeks. */
const next = addDays(today, 91);
const midnight = berlinMidnight(next);

/** Sets the clock of all processes, which does not move until it is set again. */
function setClock(time: number): void {
  writeFileSync(`${clockFile}.new`, String(time));
  renameSync(`${clockFile}.new`, clockFile);
  mock.timers.reset();
  mock.timers.enable({ apis: ["Date"], now: time });
}

const taken = new Set(markedBlz);
const isTaken = (row: string) => row.split(";")[1] === '"1"' && taken.has(row.slice(1, 9));

const { heading, rows } = publishedBlz(isTaken);
const [opened, closed] = ["19900000", rows.at(-1)![0]!];

/** The next file as the Bundesbank publishes it, in which a bank is closed, one opened, and every other one renamed. */
function nextFile(): string {
  const published = rows.with(-1, rows.at(-1)!.with(0, opened));
  const renamed = published.map((cells) => rowText(cells.with(2, `Neue Bank ${cells[0]}`)));
  return `${[heading.join(";"), ...renamed].join("\r\n")}\r\n`;
}

/** Each request has its own connection, so that any process may receive it. */
const headers = { "X-API-Key": testKey, Connection: "close" };

let stateDir: string;
let service: RunningService;
before(async () => {
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
  stateDir = newFolder();
  writeSmallData(join(stateDir, "data"), { blz: isTaken, banks: (row) => row.startsWith("AT;") });
  service = await startCompiledService({
    STATE_DIR: stateDir,
    PROCESSES: String(processes),
    POOL_SIZE: "1",
    NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
  });
});
after(async () => {
  mock.timers.reset();
  assert.equal(await service.stop(), 0);
});

/** Runs a command on the data, and returns what it prints. */
async function data(...args: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await runHere(["data", ...args], { STATE_DIR: stateDir });
  assert.equal(exit, 0, stderr);
  return stdout;
}

/** Whether an edition is in use in every process. */
async function allUse(day: string): Promise<boolean> {
  let found: ProcessesAnswer["processes"] = [];
  // A process that is busy for half a second is left out of an answer.
  await until(async () => {
    const answer = await service.request("/service/metrics/processes", { headers });
    found = ((await answer.json()) as ProcessesAnswer).processes;
    return found.length === processes;
  });
  return found.every(({ metrics }) => metrics.data.edition === day);
}

test("the next edition is imported under load and used from midnight in Berlin on in every process; each answer is of one edition, and none is lost", async () => {
  assert.ok(await allUse(today));
  const { seen, reached, stop } = askOn(
    service,
    () => headers,
    (bank) => (bank.startsWith("Neue Bank ") ? next : today),
  );
  const file = join(folder, `blz_${next.replaceAll("-", "")}.csv`);
  writeFileSync(file, nextFile(), "latin1");
  // That every bank is renamed is suspicious.
  const imported = await data("import", file, "--force");
  assert.match(imported, new RegExp(`Stored in .*; in use from ${next} on\\.`));
  assert.match(imported, new RegExp(`added +1: [^]*removed +1: [^]*changed +${rows.length - 1}: `));
  const health = async () =>
    ((await (await service.request("/service/health", { headers })).json()) as { data: object }).data;
  await reached(async () => JSON.stringify(await health()).includes(`"next_edition":"${next}"`));
  // In the last minute before its day the next edition is loaded, and not used yet.
  setClock(midnight - 50_000);
  await reached(() => service.log().split("is loaded for its first day").length > processes);
  setClock(midnight - 1);
  assert.ok(await allUse(today));
  assert.deepEqual([...seen.keys()], [today]);
  setClock(midnight);
  await reached(() => allUse(next));
  // By its own clock each process uses it from midnight on, and not a millisecond later.
  const switched = () =>
    service
      .log()
      .split("\n")
      .filter((line) => new RegExp(`"german":"${next}".*was loaded`).test(line))
      .map((line) => Date.parse((JSON.parse(line) as { readonly time: string }).time));
  // Log lines arrive a little later than answers.
  await reached(() => switched().length >= processes);
  assert.deepEqual(switched(), [midnight, midnight]);
  await data("withdraw", next);
  await reached(() => allUse(today));
  await data("withdraw", next, "--undo");
  await reached(() => allUse(next));
  // A clock that is set back takes the edition before along.
  setClock(midnight - 3_600_000);
  await reached(() => allUse(today));
  setClock(midnight);
  const before = seen.get(next) ?? 0;
  await reached(() => (seen.get(next) ?? 0) > before + requests.length ** 2);
  await reached(() => allUse(next));
  await stop();
  const bankOf = async (blz: string) => {
    const answer = await service.request(`/v1/iban/${ibanOf("DE", `${blz}0532013000`)}`, { headers });
    return ((await answer.json()) as IbanCheckAnswer).data.bank;
  };
  assert.deepEqual([await bankOf(opened), await bankOf(closed)], [`Neue Bank ${opened}`, ""]);
  assert.deepEqual([...seen.keys()].sort(), [today, next]);
});
