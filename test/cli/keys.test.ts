import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../faults/gate.ts";
import { useQuickService } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { pluck } from "../support/pluck.ts";
import { runHere } from "../support/run-here.ts";
import { commandEntry } from "../support/start-command.ts";
import { expectEnd } from "./expect-end.ts";
import { rowsOf } from "./printed.ts";

const stateDir = newFolder();
const service = useQuickService({ STATE_DIR: stateDir });

async function statusOf(asked: Promise<Response>): Promise<number> {
  const answer = await asked;
  await answer.text();
  return answer.status;
}
const statusWith = (key: string) => statusOf(service.request("/v1/ping", { headers: { "X-API-Key": key } }));
const opens = (key: string) => until(async () => (await statusWith(key)) === 200);
const isRefused = (key: string) => until(async () => (await statusWith(key)) === 401);

const keys = (...args: readonly string[]) => runHere(["keys", ...args], { STATE_DIR: stateDir });
const run = async (...args: readonly string[]) => (await expectEnd(keys(...args), 0)).stdout;
const listed = async () => rowsOf(await run("list")).slice(1);

test("with --json keys and usage print JSON for programs", async () => {
  const made = JSON.parse(await run("create", "json", "--rate", "5/s", "--json"));
  assert.match(made.key, /^[\w-]{43}$/);
  const list = JSON.parse(await run("list", "--json")) as { name: string }[];
  const { key: _, ...facts } = made;
  const shown = list.find(({ name }) => name === "json");
  assert.deepEqual(shown, { ...facts, valid: true });
  assert.equal(made.rate, 5);
  const next = JSON.parse(await run("rotate", made.id, "--json"));
  const revoked = pluck<{ id: string }, "id">(JSON.parse(await run("revoke", "json", "--json")), "id");
  assert.deepEqual(revoked.toSorted(), [made.id, next.id].toSorted());
  const { stdout } = await expectEnd(runHere(["usage", "--json"], { STATE_DIR: stateDir }), 0);
  for (const { total, period } of JSON.parse(stdout)) {
    assert.equal(typeof total, "number");
    assert.match(period, /^\d{4}-\d\d$/);
  }
});

test("a key is created, listed, rotated and revoked while the service runs", async () => {
  const key = (await run("create", "anna")).trimEnd();
  assert.match(key, /^[\w-]{43}$/);
  await opens(key);
  const [[id, name, created, expires, state] = []] = await listed();
  assert.match(id ?? "", /^[0-9a-f]{16}$/);
  assert.ok(!Number.isNaN(Date.parse(created ?? "")));
  assert.deepEqual([name, expires, state], ["anna", "never", "valid"]);

  const fresh = (await run("rotate", "anna")).trimEnd();
  await opens(fresh);
  assert.equal(await statusWith(key), 200, "the old key stays valid for the grace period");
  assert.match((await listed())[0]?.[3] ?? "", /^\d{4}-/);

  assert.equal(await run("revoke", id ?? ""), `The key ${id} of anna is revoked.\n`);
  await isRefused(key);
  assert.equal(await statusWith(fresh), 200);
  await run("revoke", "anna");
  await isRefused(fresh);
  assert.deepEqual(await listed(), []);
});

test("a key that cannot be printed is revoked", async () => {
  for (const args of ["create gus", "create gus --json"]) {
    const line = `exec "${process.execPath}" "${commandEntry}" keys ${args} > /dev/full`;
    const { PATH = "" } = process.env;
    const env = { PATH, STATE_DIR: stateDir };
    const { status, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8", env });
    assert.equal(status, 2, stderr);
    const says = /Standard output cannot be written: ENOSPC.* The key is revoked; create another one\./;
    assert.match(stderr, says);
  }
  assert.doesNotMatch(await run("list"), /gus/);
});

test("a key is given an end by day or by span", async () => {
  const created = keys("create", "carl", "--expires", "2099-12-31");
  const { stdout } = await expectEnd(created, 0, /carl.*2099-12-31T00:00:00\.000Z/);
  assert.match(stdout, /^[\w-]{43}\n$/, "the key is alone on standard output");
  await run("create", "carl", "--expires", "30d");
  await run("rotate", "carl", "--expires", "2088-01-01");
  const all = await listed();
  const states = all.map(([, name, , , state]) => `${name} ${state}`);
  assert.deepEqual(states, Array(3).fill("carl valid"));
  assert.match(all.at(-1)?.[3] ?? "", /^2088-/);
  await run("revoke", "carl");
});

test("a key is given limits, which its successor inherits, and which are changed and removed while the service runs", async () => {
  await run("create", "fay", "--max-concurrent", "8", "--rate", "1000/s");
  const made = JSON.parse(await run("rotate", "fay", "--grace", "0m", "--json"));
  const limits = async () => (await listed()).find(([id]) => id === made.id)?.at(-1);
  assert.equal(await limits(), "8 at a time, 1000/s");
  await opens(made.key);
  const ibans = ["DE89370400440532013000", "AT611904300234573201"];
  const statusOfBatch = () => statusOf(service.post("/v1/iban", { ibans }, { "X-API-Key": made.key }));
  const printed = await run("limit", made.id, "--rate", "1/s", "--max-concurrent", "3");
  assert.equal(printed, `Limits of the key ${made.id} of fay: 3 at a time, 1/s.\n`);
  await until(async () => (await statusOfBatch()) === 503);
  assert.equal(await limits(), "3 at a time, 1/s");
  const [facts] = JSON.parse(await run("limit", made.id, "--rate", "none", "--json"));
  assert.deepEqual([facts.id, facts.max_concurrent, facts.rate], [made.id, 3, null]);
  // One alone may pass under the old limit, after a while.
  await until(async () => (await statusOfBatch()) === 200 && (await statusOfBatch()) === 200);
  await run("limit", "fay", "--max-concurrent", "none");
  assert.equal(await limits(), "none");
  await run("revoke", "fay");
});

test("what a command cannot take ends with 1 and one line, and changes nothing", async () => {
  const formsOfTime = /a day as 2027-12-31, a time as \S+, or a span as 90d of at most ten years/;
  const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [["create", "a b"], /1 to 64 letters/],
    [["create", "x".repeat(65)], /1 to 64 letters/],
    [["create"], /missing required argument/],
    ...[
      "yesterday",
      "2027-13-41",
      "2027-02-30",
      "2027-02-29T10:00Z",
      "2099-01-01T25:00Z",
      "31.12.2027",
      "99999999d",
    ].map((when): [string[], RegExp] => [["create", "a", "--expires", when], formsOfTime]),
    [["create", "a", "--expires", "2001-01-01"], /in the future/],
    [["create", "a", "--expires", "0d"], /in the future/],
    [["create", "a", "--max-concurrent", "0"], /an integer, at least 1/],
    [["create", "a", "--max-concurrent", "2.5"], /an integer, at least 1/],
    [["create", "a", "--rate", "0/s"], /checks per second/],
    [["create", "a", "--rate", "10/h"], /checks per second/],
    [["create", "a", "--rate", "fast"], /checks per second/],
    [["rotate", "unknown"], /No valid stored key/],
    [["rotate", "unknown", "--grace", "1 day"], /30m, 12h or 90d/],
    [["rotate", "unknown", "--grace", "999999d"], /30m, 12h or 90d/],
    [["revoke", "unknown"], /No valid stored key/],
    [["limit", "unknown", "--rate", "5"], /No valid stored key/],
    [["limit", "unknown"], /Name a limit: --max-concurrent 8/],
    [["limit", "unknown", "--rate", "0"], /checks per second/],
    [["forge"], /unknown command/],
  ];
  const stored = readFileSync(join(stateDir, "keys.json"), "utf8");
  for (const [args, says] of wrong) {
    await expectEnd(keys(...args), 1, says);
  }
  assert.equal(readFileSync(join(stateDir, "keys.json"), "utf8"), stored);
});

test("a damaged key file ends a command with 1 and one line that names it", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "keys.json"), "[{]");
  for (const args of [
    ["list"],
    ["create", "a"],
    ["revoke", "a"],
    ["rotate", "a"],
    ["limit", "a", "--rate", "5"],
  ]) {
    const damaged = runHere(["keys", ...args], { STATE_DIR: folder });
    await expectEnd(damaged, 1, `^${join(folder, "keys.json")} is not a list of key digests\\.\n$`);
  }
  assert.equal(readFileSync(join(folder, "keys.json"), "utf8"), "[{]");
});

test("in a wrong folder keys and usage say so and make nothing", async () => {
  const folder = newFolder();
  const { PATH = "" } = process.env;
  for (const args of [["keys", "list"], ["keys", "create", "a"], ["keys", "revoke", "a"], ["usage"]]) {
    const options = { cwd: folder, encoding: "utf8", env: { PATH } } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [commandEntry, ...args], options);
    assert.equal(status, 1, args.join(" "));
    assert.equal(stdout, "");
    assert.match(stderr, /^There is no state folder \.state; name the one of the service with --state-dir/);
  }
  assert.deepEqual(readdirSync(folder), []);
});

test("settings of the environment that a command does not use cannot stop it", async () => {
  const environment = { STATE_DIR: stateDir, PORT: "tcp://10.0.0.1:80", LOG_LEVEL: "verbose" };
  for (const args of [
    ["keys", "list"],
    ["usage"],
    ["data", "stats"],
    ["iban", "DE89370400440532013000", "--offline"],
  ])
    await expectEnd(runHere(args, environment), 0);
});
