import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, mock, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { addDays, berlinMidnight } from "../../../src/banks/editions/days.ts";
import type { IbanBatchAnswer, IbanCheckAnswer, ProcessesAnswer } from "../../../src/client/index.ts";
import { ibanOf } from "../../contract/iso-check-digits.ts";
import { until } from "../../faults/gate.ts";
import { type RunningService, startCompiledService, testKey } from "../../service.ts";
import { newFolder } from "../../support/folders.ts";
import { runHere } from "../../support/run-here.ts";
import { publishedBlz, rowText, writeSmallData } from "../small-data.ts";

/** Generous, since the machine may be busy with other tests: usually this takes a second. */
const patience = 60_000;
const processes = 2;
const clients = 3;
/** How long a client waits between two requests: the processor is needed for loading too. */
const pauseMs = 100;
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

interface BankFacts {
  readonly bank: string;
  readonly bic: string;
}

/** What an edition says of a bank code; undefined if it does not have it. */
type Facts = ReadonlyMap<string, BankFacts | undefined>;

/** Every bank code has one row; its further locations would be loaded eleven times in each process. */
const isMain = (row: string) => row.split(";")[1] === '"1"';
const { heading, rows } = publishedBlz(isMain);
const [renamedCount, movedCount, closedCount, openedCount] = [100, 40, 30, 30];

/** Makes the next file, with 200 bank codes that are renamed, get another BIC, are closed or opened. */
function nextEdition() {
  const timesOf = new Map<string, number>();
  for (const [blz = ""] of rows) timesOf.set(blz, (timesOf.get(blz) ?? 0) + 1);
  const single = rows.filter(([blz, , , , , , , bic]) => timesOf.get(blz!) === 1 && bic !== "");
  const count = renamedCount + movedCount + closedCount;
  // Spread over the file.
  const step = Math.floor(single.length / count);
  const picked = single.filter((_, index) => index % step === 0).slice(0, count);
  const old = new Map<string, BankFacts | undefined>();
  const fresh = new Map<string, BankFacts | undefined>();
  for (const [index, [blz = "", , bank = "", , , , , bic = ""]] of picked.entries()) {
    old.set(blz, { bank, bic });
    if (index < renamedCount) fresh.set(blz, { bank: `Umbenannt ${blz}`, bic });
    else fresh.set(blz, index < renamedCount + movedCount ? { bank, bic: "MARKDEF1100" } : undefined);
  }
  const written = rows.flatMap((cells) => {
    const [blz = ""] = cells;
    if (!fresh.has(blz)) return [cells];
    const facts = fresh.get(blz);
    return facts === undefined ? [] : [cells.with(2, facts.bank).with(7, facts.bic)];
  });
  for (let index = 0; index < openedCount; index++) {
    const blz = String(19_900_000 - 17 * index);
    const [bank, bic] = [`Neue Bank ${blz}`, "MARKDEF1100"];
    old.set(blz, undefined);
    fresh.set(blz, { bank, bic });
    written.push(
      `${blz};1;${bank};10115;Berlin;Neue Bank;;${bic};09;${blz.slice(2)};A;0;00000000`.split(";"),
    );
  }
  return {
    content: `${[heading.join(";"), ...written.map(rowText)].join("\r\n")}\r\n`,
    facts: new Map<string, Facts>([
      [today, old],
      [next, fresh],
    ]),
    changed: [...fresh.keys()],
  };
}

const edition = nextEdition();
const ibans = edition.changed.map((blz) => ibanOf("DE", `${blz}0532013000`));

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
  writeSmallData(join(stateDir, "data"), { blz: isMain, banks: (row) => row.startsWith("AT;") });
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

const data = (...args: readonly string[]) => runHere(["data", ...args], { STATE_DIR: stateDir });

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

/** Fails unless every answer is as one edition has it. */
function expectOf(day: string, found: readonly Pick<IbanCheckAnswer, "status" | "data">[]): void {
  const facts = edition.facts.get(day)!;
  for (const {
    status,
    data: { blz, bank, bic },
  } of found) {
    const expected = facts.get(blz);
    assert.deepEqual(
      [status === 7, bank, bic],
      [expected === undefined, expected?.bank ?? "", expected?.bic ?? null],
      `${blz} of ${day}`,
    );
  }
}

const answerOf = (text: string) => [JSON.parse(text) as IbanCheckAnswer];
const entriesOf = (text: string) => (JSON.parse(text) as IbanBatchAnswer).batch.results;

/** Each kind of request, and what its answer says of banks. */
const requests: readonly ((turn: number) => {
  readonly path: string;
  readonly body?: string;
  readonly read: (text: string) => readonly Pick<IbanCheckAnswer, "status" | "data">[];
})[] = [
  () => ({ path: "/v1/iban", body: JSON.stringify({ ibans }), read: entriesOf }),
  (turn) => ({ path: `/v1/iban/${ibans[turn % ibans.length]}`, read: answerOf }),
  (turn) => ({
    path: `/v1/kto/532013000/${edition.changed[turn % edition.changed.length]}`,
    read: answerOf,
  }),
  () => ({
    // The reference reads an escape.
    path: "/v1/iban",
    body: JSON.stringify({ ibans }).replace('"DE', '"\\u0044E'),
    read: entriesOf,
  }),
];

test("the next edition is imported under load and used from midnight in Berlin on in every process; each answer is of one edition, and none is lost", async () => {
  assert.equal(edition.changed.length, 200);
  assert.ok(await allUse(today));
  let isAsking = true;
  const seen = new Map<string, number>();
  const asking = Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let turn = client; isAsking; turn++) {
        const { path, body, read } = requests[turn % requests.length]!(turn);
        const answer = await (body === undefined
          ? service.request(path, { headers })
          : service.post(path, body, { Connection: "close" }));
        const text = await answer.text();
        assert.equal(answer.status, 200, text);
        const day = answer.headers.get("x-data-edition")!;
        expectOf(day, read(text));
        seen.set(day, (seen.get(day) ?? 0) + 1);
        await delay(pauseMs);
      }
    }),
  );
  /** Waits for a condition, or for the first wrong answer. */
  const reached = (condition: () => Promise<boolean> | boolean) =>
    Promise.race([asking, until(condition, patience)]);
  const file = join(folder, `blz_${next.replaceAll("-", "")}.csv`);
  writeFileSync(file, edition.content, "latin1");
  const imported = await data("import", file);
  assert.equal(imported.exit, 0, imported.stderr);
  assert.match(imported.stdout, new RegExp(`Stored in .*; in use from ${next} on\\.`));
  assert.match(
    imported.stdout,
    new RegExp(
      `added +${openedCount}: [^]*removed +${closedCount}: [^]*changed +${renamedCount + movedCount}: `,
    ),
  );
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
  assert.deepEqual(
    switched(),
    Array.from({ length: processes }, () => midnight),
  );
  const withdrawn = await data("withdraw", next);
  assert.equal(withdrawn.exit, 0, withdrawn.stderr);
  await reached(() => allUse(today));
  const undone = await data("withdraw", next, "--undo");
  assert.equal(undone.exit, 0, undone.stderr);
  await reached(() => allUse(next));
  // A clock that is set back takes the edition before along.
  setClock(midnight - 3_600_000);
  await reached(() => allUse(today));
  setClock(midnight);
  const before = seen.get(next) ?? 0;
  await reached(() => (seen.get(next) ?? 0) > before + requests.length * clients);
  isAsking = false;
  await asking;
  assert.deepEqual([...seen.keys()].sort(), [today, next]);
});
