import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { publishedBlz, rowText, writeSmallData } from "../../banks/small-data.ts";
import { until } from "../../faults/gate.ts";
import { useQuickService } from "../../service.ts";
import { newFolder } from "../../support/folders.ts";
import { runHere } from "../../support/run-here.ts";
import { startCommand } from "../../support/start-command.ts";
import { expectEnd } from "../expect-end.ts";

/** Every eleventh bank code with its locations, and two that are asked for. */
const isTaken = (row: string) => Number(row.slice(1, 9)) % 11 === 0 || /^"370(40044|50299)"/.test(row);

const stateDir = newFolder();
writeSmallData(join(stateDir, "data"), { blz: isTaken, banks: (row) => /^(AT|CZ);/.test(row) });
const service = useQuickService({ STATE_DIR: stateDir });

const data = (...args: readonly string[]) => runHere(["data", ...args], { STATE_DIR: stateDir });
const done = async (...args: readonly string[]) => (await expectEnd(data(...args), 0)).stdout;

/** The bank in an answer of the running service. */
async function bankIn(path: string): Promise<string> {
  const answer = await service.request(path);
  return ((await answer.json()) as { data: { bank: string } }).data.bank;
}

function written(name: string, content: string): string {
  const path = join(stateDir, name);
  writeFileSync(path, content, "latin1");
  return path;
}

const { heading, rows } = publishedBlz(isTaken);
const numbered = rows.map(rowText);
const codes = new Set(rows.map(([blz]) => blz)).size;
const published = (rows: readonly string[]) => `${[heading.join(";"), ...rows].join("\r\n")}\r\n`;

test("local entries are set, used by the running service, listed and unset; a damaged file leaves those in use", async () => {
  const bank = () => bankIn("/v1/banks/DE/37040044");
  const set = await done("set", "de", "37040044", "--name", "Eigene Bank", "--schemes", "sct");
  assert.match(set, /DE 37040044 +Eigene Bank +sct +in use\n.*within seconds/s);
  await until(async () => (await bank()) === "Eigene Bank");
  assert.equal(await bankIn("/v1/iban/DE89370400440532013000"), "Eigene Bank");

  assert.match(await done("lookup", "DE", "37040044"), /^local entry\n.*\nname +Eigene Bank\n/ms);

  await done("set", "DE", "37050299", "--bic", "TESTDEFF");
  await done("set", "DE", "37050299", "--schemes", "sct,sdd");
  assert.match(await done("overrides"), /DE 37050299 +TESTDEFF +sct,sdd +in use\n/);
  await done("unset", "DE", "37050299");

  for (const [args, reason] of [
    [["DE", "99999999", "--name", "Neu"], /No list has DE 99999999; --add/],
    [["DE", "37040044", "--bic", "COBA"], /not in ISO 9362/],
    [["DE", "3704004", "--name", "x"], /^A German bank code has 8 digits, unlike 3704004\.\n$/],
    [["US", "1", "--name", "x"], /not a country with bank codes/],
    [["DE", "37040044", "--name", " "], /--name needs a text/],
    [["DE", "37040044", "--schemes", "swift"], /"swift" is not a list of schemes: .*, or none\.\n$/],
  ] as const)
    await expectEnd(data("set", ...args), 1, reason);
  await done("set", "DE", "99999999", "--name", "Neu", "--add", "--valid-until", "2020-01-01");
  assert.match(await done("overrides"), /DE 37040044 .*in use\nDE 99999999 +Neu +2020-01-01 +expired\n/s);
  assert.match(await done("lookup", "99999999"), /^local entry +until 2020-01-01\n/);

  const path = join(stateDir, "data", "overrides.csv");
  const whole = readFileSync(path, "utf8");
  writeFileSync(path, `${whole}DE;1;;;;\n`);
  await until(() => service.log().includes("overrides.csv, line 4"));
  assert.equal(await bank(), "Eigene Bank");
  writeFileSync(path, whole);

  for (const code of ["37040044", "99999999"]) await done("unset", "DE", code);
  await expectEnd(data("unset", "DE", "37040044"), 4);
  assert.equal(await done("overrides"), "No local entries.\n");
  await until(async () => (await bank()) === "Commerzbank");
});

test("bank codes are imported, compared, looked up and searched; the running service follows", async () => {
  const renamed = numbered.map((row) => row.replace('"Commerzbank"', '"Commerzbank anders"'));
  const file = written("blz_20261102.csv", published(renamed));
  await expectEnd(data("import", file), 5, /differ in Bezeichnung, more than 5 %.*--force/);
  const report = await done("import", "--force", file);
  for (const line of [
    "Bundesbank bank codes, CSV, ISO-8859-1",
    `Valid from 2026-11-02; ${numbered.length} rows, ${codes} entries`,
    /Bezeichnung +\d+ +\d{8}: Commerzbank → Commerzbank anders/,
    "Unknown check-digit methods: none",
    `IBAN rules: ${codes} are kept`,
  ])
    assert.match(report, new RegExp(line));

  await until(async () => (await bankIn("/v1/kto/532013000/37040044")) === "Commerzbank anders");

  for (const [args, prints] of [
    [["stats"], /German bank codes +2026-11-02 +(in use|to come)/],
    [["lookup", "37040044"], /Bezeichnung +Commerzbank/],
    [["lookup", "DE", "37040044"], /Bezeichnung +Commerzbank/],
    [["lookup", "AT", "12000"], /BKAUATWWXXX/],
    [["search", "kreissparkasse", "--location", "köln"], /37050299/],
    [["search", "erste", "bank", "--country", "at, cz"], /\nAT +20111 +GIBAATWWXXX /],
    [["search", "ceska sporitelna", "--country", "*"], /\nCZ +0800 +GIBACZPX/],
    [["diff", "2026-09-07", "2026-11-02"], /blz: from the edition 2026-09-07 to 2026-11-02\n +added +0\n/],
  ] as const)
    assert.match(await done(...args), prints);
  await expectEnd(data("lookup", "10000001"), 4);
  await expectEnd(data("search", "ceska sporitelna"), 4);
  await expectEnd(data("search", "erste", "--country", "AT,QQ"), 1, /"QQ" is not a country/);
  await expectEnd(data("diff", "2020-01-01", "2026-11-02"), 1);
  await expectEnd(data("diff", "--dataset", "toString"), 1);
});

test("a refused import leaves the data folder unchanged; a forced one is used at once", async () => {
  const folder = join(stateDir, "data");
  const state = () => readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "latin1")]);
  const before = state();
  const damaged = written("blz_20261103.csv", published([...numbered.slice(0, 10), '"1"']));
  const cut = written("blz_20261104.csv", published(numbered.slice(0, numbered.length / 2)));
  for (const [args, code, says] of [
    [[damaged], 1, /^blz_20261103\.csv, line 12: .+\n$/],
    [[written("blz.csv", published(numbered))], 1, /--valid-from/],
    [[cut], 5, /more than 2 %.*--force/],
    [[join(stateDir, "nowhere")], 1, /^\S+\/nowhere does not exist\.\n$/],
    [[stateDir], 1, /^A folder is named where a file is needed \(EISDIR\)\.\n$/],
    [["--valid-from", "2026-02-30", cut], 1, /--valid-from/],
    [["--valid-until", "2026-12-31", cut], 1, /^--valid-until needs --valid-from/],
    [
      ["--valid-from", "2027-01-01", "--valid-until", "2026-12-31", cut],
      1,
      /^--valid-until needs --valid-from/,
    ],
  ] as const)
    await expectEnd(data("import", ...args), code, says);
  assert.match(await done("import", "--force", "--dry-run", cut), /Suspicious: .*\nNothing was stored/);
  assert.deepEqual(state(), before);
  await done("import", "--force", cut);
  assert.equal(state().length, before.length + 1);
  const edition = async () => (await service.request("/v1/search?name=bank")).headers.get("x-data-edition");
  await until(async () => (await edition()) === "2026-11-04");
  const undone = data("withdraw", "2026-11-04", "--undo");
  await expectEnd(undone, 1, /^The edition 2026-11-04 of blz is not withdrawn\.\n$/);
});

test("a device without an end and a file above the limit are refused, one of 57 MB is read to its fault", async () => {
  await expectEnd(data("import", "/dev/zero"), 1, /^zero, line 1: it has more than 64 MB[^\n]*\n$/);

  const rows = Math.floor((57 * 1_048_576) / numbered.join("\r\n").length);
  const many = Array.from({ length: rows }, () => numbered).flat();
  // A separate process, which gets the heap for it.
  const args = ["data", "import", written("blz_20261104.csv", published(many))];
  const { result } = startCommand(args, { STATE_DIR: stateDir });
  await expectEnd(result, 1, /^blz_20261104\.csv, line \d+: Datensatznummer \d+ is listed twice\n$/);
});

test("a lock that a clock set back has left in the future does not hold an import up", async () => {
  const lock = join(stateDir, "data", "manifest.lock");
  writeFileSync(lock, "");
  const future = Date.now() / 1_000 + 86_400;
  utimesSync(lock, future, future);
  await done("import", "--force", written("blz_20261105.csv", published(numbered)));
});

test("an import into STATE_DIR itself leaves alone what another command writes there", async () => {
  const current = `keys.json.${randomUUID()}.new`;
  const cutOff = `banks.csv.${randomUUID()}.new`;
  const own = newFolder();
  const file = written("blz_20261106.csv", published(numbered));
  for (const name of [current, cutOff]) writeFileSync(join(own, name), "");
  await done("import", "--force", "--data-dir", own, file);
  assert.ok(existsSync(join(own, current)));
  assert.ok(!existsSync(join(own, cutOff)));
});
