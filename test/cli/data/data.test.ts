import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { BankLookupAnswer, IbanCheckAnswer } from "../../../src/client/index.ts";
import { publishedBlz, rowText, writeSmallData } from "../../banks/small-data.ts";
import { until } from "../../faults/gate.ts";
import { useQuickService } from "../../service.ts";
import { newFolder } from "../../support/folders.ts";
import { runHere } from "../../support/run-here.ts";
import { startCommand } from "../../support/start-command.ts";

/** Every eleventh bank code with its locations, and two that are asked for. */
const isTaken = (row: string) => Number(row.slice(1, 9)) % 11 === 0 || /^"370(40044|50299)"/.test(row);

const stateDir = newFolder();
writeSmallData(join(stateDir, "data"), { blz: isTaken, banks: (row) => /^(AT|CZ);/.test(row) });
const service = useQuickService({ STATE_DIR: stateDir });

const data = (...args: readonly string[]) => runHere(["data", ...args], { STATE_DIR: stateDir });

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
  const bank = async (code = "DE/37040044") =>
    ((await (await service.request(`/v1/banks/${code}`)).json()) as BankLookupAnswer).data;
  const iban = async () =>
    (await (await service.request("/v1/iban/DE89370400440532013000")).json()) as IbanCheckAnswer;
  const set = await data("set", "de", "37040044", "--name", "Eigene Bank", "--schemes", "sct");
  assert.equal(set.exit, 0, set.stderr);
  assert.match(set.stdout, /DE 37040044 +Eigene Bank +sct +in use\n.*within seconds/s);
  await until(async () => (await bank()).bank === "Eigene Bank");
  assert.equal((await iban()).data.bank, "Eigene Bank");

  assert.match((await data("lookup", "DE", "37040044")).stdout, /^local entry\n.*\nname +Eigene Bank\n/ms);

  for (const [option, value] of [
    ["--bic", "TESTDEFF"],
    ["--schemes", "sct,sdd"],
  ] as const) {
    const { exit, stderr } = await data("set", "DE", "37050299", option, value);
    assert.equal(exit, 0, stderr);
  }
  assert.match((await data("overrides")).stdout, /DE 37050299 +TESTDEFF +sct,sdd +in use\n/);
  await data("unset", "DE", "37050299");

  for (const [args, reason] of [
    [["DE", "99999999", "--name", "Neu"], /No list has DE 99999999; --add/],
    [["DE", "37040044", "--bic", "COBA"], /not in ISO 9362/],
    [["DE", "3704004", "--name", "x"], /^A German bank code has 8 digits, unlike 3704004\.\n$/],
    [["US", "1", "--name", "x"], /not a country with bank codes/],
    [["DE", "37040044", "--name", " "], /--name needs a text/],
    [["DE", "37040044", "--schemes", "swift"], /"swift" is not a list of schemes: .*, or none\.\n$/],
  ] as const) {
    const refused = await data("set", ...args);
    assert.equal(refused.exit, 1);
    assert.match(refused.stderr, reason);
  }
  assert.equal(
    (await data("set", "DE", "99999999", "--name", "Neu", "--add", "--valid-until", "2020-01-01")).exit,
    0,
  );
  assert.match(
    (await data("overrides")).stdout,
    /DE 37040044 .*in use\nDE 99999999 +Neu +2020-01-01 +expired\n/s,
  );

  assert.match((await data("lookup", "99999999")).stdout, /^local entry +until 2020-01-01\n/);

  const path = join(stateDir, "data", "overrides.csv");
  const whole = readFileSync(path, "utf8");
  writeFileSync(path, `${whole}DE;1;;;;\n`);
  await until(() => service.log().includes("overrides.csv, line 4"));
  assert.equal((await bank()).bank, "Eigene Bank");
  writeFileSync(path, whole);

  for (const code of ["37040044", "99999999"]) assert.equal((await data("unset", "DE", code)).exit, 0);
  assert.equal((await data("unset", "DE", "37040044")).exit, 4);
  assert.equal((await data("overrides")).stdout, "No local entries.\n");
  await until(async () => (await bank()).bank === "Commerzbank");
});

test("bank codes are imported, compared, looked up and searched; the running service follows", async () => {
  const renamed = numbered.map((row) => row.replace('"Commerzbank"', '"Commerzbank anders"'));
  const file = written("blz_20261102.csv", published(renamed));
  const refused = await data("import", file);
  assert.equal(refused.exit, 5);
  assert.match(refused.stderr, /differ in Bezeichnung, more than 5 %.*--force/);
  const { exit, stdout, stderr } = await data("import", "--force", file);
  assert.equal(exit, 0, stderr);
  assert.match(stdout, /Bundesbank bank codes, CSV, ISO-8859-1/);
  assert.match(stdout, new RegExp(`Valid from 2026-11-02; ${numbered.length} rows, ${codes} entries`));
  assert.match(stdout, /Bezeichnung +\d+ +\d{8}: Commerzbank → Commerzbank anders/);
  assert.match(stdout, /Unknown check-digit methods: none/);
  assert.match(stdout, new RegExp(`IBAN rules: ${codes} are kept`));

  const name = async (): Promise<string> => {
    const answer = await service.request("/v1/kto/532013000/37040044");
    return ((await answer.json()) as { data: { bank: string } }).data.bank;
  };
  await until(async () => (await name()) === "Commerzbank anders");

  assert.match((await data("stats")).stdout, /German bank codes +2026-11-02 +(in use|to come)/);
  assert.match((await data("lookup", "37040044")).stdout, /Bezeichnung +Commerzbank/);
  assert.match((await data("lookup", "DE", "37040044")).stdout, /Bezeichnung +Commerzbank/);
  assert.match((await data("lookup", "AT", "12000")).stdout, /BKAUATWWXXX/);
  assert.equal((await data("lookup", "10000001")).exit, 4);
  assert.match((await data("search", "kreissparkasse", "--location", "köln")).stdout, /37050299/);
  assert.match(
    (await data("search", "erste", "bank", "--country", "at, cz")).stdout,
    /\nAT +20111 +GIBAATWWXXX /,
  );
  assert.match((await data("search", "ceska sporitelna", "--country", "*")).stdout, /\nCZ +0800 +GIBACZPX/);
  assert.equal((await data("search", "ceska sporitelna")).exit, 4);
  assert.match((await data("search", "erste", "--country", "AT,QQ")).stderr, /"QQ" is not a country/);
  const difference = await data("diff", "2026-09-07", "2026-11-02");
  assert.match(difference.stdout, /blz: from the edition 2026-09-07 to 2026-11-02/);
  assert.match(difference.stdout, /added +0\n/);
  assert.equal((await data("diff", "2020-01-01", "2026-11-02")).exit, 1);
  assert.equal((await data("diff", "--dataset", "toString")).exit, 1);
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
  ] as const) {
    const { exit, stderr } = await data("import", ...args);
    assert.equal(exit, code, stderr);
    assert.match(stderr, says);
  }
  assert.match(
    (await data("import", "--force", "--dry-run", cut)).stdout,
    /Suspicious: .*\nNothing was stored/,
  );
  assert.deepEqual(state(), before);
  assert.equal((await data("import", "--force", cut)).exit, 0);
  assert.equal(state().length, before.length + 1);
  const edition = async () => (await service.request("/v1/search?name=bank")).headers.get("x-data-edition");
  await until(async () => (await edition()) === "2026-11-04");
  const undone = await data("withdraw", "2026-11-04", "--undo");
  assert.deepEqual([undone.exit, undone.stderr], [1, "The edition 2026-11-04 of blz is not withdrawn.\n"]);
});

test("a device without an end and a file above the limit are refused, one of 57 MB is read to its fault", async () => {
  const endless = await data("import", "/dev/zero");
  assert.deepEqual([endless.exit, endless.stderr.split("\n").length], [1, 2]);
  assert.match(endless.stderr, /^zero, line 1: it has more than 64 MB/);

  const rows = Math.floor((57 * 1_048_576) / numbered.join("\r\n").length);
  const many = Array.from({ length: rows }, () => numbered).flat();
  // A separate process, which gets the heap for it.
  const args = ["data", "import", written("blz_20261104.csv", published(many))];
  const large = await startCommand(args, { STATE_DIR: stateDir }).result;
  assert.equal(large.exit, 1);
  assert.match(large.stderr, /^blz_20261104\.csv, line \d+: Datensatznummer \d+ is listed twice\n$/);
});

test("a lock that a clock set back has left in the future does not hold an import up", async () => {
  const lock = join(stateDir, "data", "manifest.lock");
  writeFileSync(lock, "");
  const future = Date.now() / 1_000 + 86_400;
  utimesSync(lock, future, future);
  const { exit, stderr } = await data("import", "--force", written("blz_20261105.csv", published(numbered)));
  assert.equal(exit, 0, stderr);
});

test("an import into STATE_DIR itself leaves alone what another command writes there", async () => {
  const current = `keys.json.${randomUUID()}.new`;
  const cutOff = `banks.csv.${randomUUID()}.new`;
  const own = newFolder();
  const file = written("blz_20261106.csv", published(numbered));
  for (const name of [current, cutOff]) writeFileSync(join(own, name), "");
  const { exit, stderr } = await data("import", "--force", "--data-dir", own, file);
  assert.equal(exit, 0, stderr);
  assert.ok(existsSync(join(own, current)));
  assert.ok(!existsSync(join(own, cutOff)));
});
