import assert from "node:assert/strict";
import { type ChildProcess, fork, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { open as openLmdb } from "lmdb";
import { msPerDay, type UsageStore } from "../../src/usage/usage-store.ts";
import { until } from "../faults/gate.ts";
import { newFolder } from "../support/folders.ts";
import { childrenOf, notLinux } from "../support/process-figures.ts";
import { addition, totalOf } from "./memory-store.ts";
import { keepsTheContract } from "./store-contract.ts";

// The store is the compiled one, since its thread cannot load TypeScript.
const compiled = new URL("../../.dist/src/usage/lmdb-store.js", import.meta.url).href;
const { lmdbStore } = (await import(compiled)) as typeof import("../../src/usage/lmdb-store.ts");

let parent: string;
let folder: string;
let stores: UsageStore[];
const { execArgv } = process;
beforeEach(() => {
  // The process of a compiled store has no need of the compiler, which takes longer to load than all the rest.
  process.execArgv = [];
  parent = newFolder();
  folder = join(parent, "state", "usage");
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  process.execArgv = execArgv;
});

function open(): UsageStore {
  const store = lmdbStore(folder);
  stores.push(store);
  return store;
}

keepsTheContract(async () => open());

test("folder and files are for their owner only", async () => {
  await open().add("w", 1, [addition("anna", "a1", 1)]);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const file of ["data.mdb", "lock.mdb", "turns.mdb", "turns.mdb-lock"]) {
    assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file);
  }
});

test("a store whose process was stopped still ends when it is closed", { skip: notLinux }, async () => {
  const store = open();
  await store.names();
  let pid: number | undefined;
  // A list of children that is read while one of them ends may lack another one.
  await until(() => {
    pid = childrenOf(process.pid).find((id) => readFileSync(`/proc/${id}/cmdline`).includes(folder));
    return pid !== undefined;
  });
  process.kill(pid!, "SIGSTOP");
  await store.close();
  assert.throws(() => process.kill(pid!, 0), { code: "ESRCH" });
});

const script = fileURLToPath(new URL("add-in-process.js", import.meta.url));

/** Starts a process that adds `times` checks for a holder of this name. */
function addInProcess(name: string, times: number): ChildProcess {
  const args = [script, folder, randomUUID(), String(times), name];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

test("a store whose folder is removed while it is in use makes it again, with all that it has counted", async () => {
  const stores = [open(), open()] as const;
  await stores[0].add("w0", 1, [addition("anna", "a1", 3)]);
  await stores[1].add("w1", 1, [addition("anna", "a1", 4)]);
  rmSync(parent, { recursive: true });
  for (const [index, store] of stores.entries()) {
    const more = () => store.add(`w${index}`, 2, [addition("anna", "a1", 10)]);
    await assert.rejects(more, /removed or replaced/);
    await more();
  }
  assert.equal(await totalOf(open(), "anna"), 27);
});

test("a file that takes the place of the one in use is used, with what it has counted", async () => {
  const other = lmdbStore(join(parent, "other"));
  await other.add("w", 1, [addition("anna", "a1", 500)]);
  await other.close();
  const store = open();
  await store.add("w", 1, [addition("anna", "a1", 1)]);
  renameSync(join(parent, "other", "data.mdb"), join(folder, "data.mdb"));
  assert.equal(await totalOf(store, "anna"), 500);
  await store.add("w", 2, [addition("anna", "a1", 2)]);
  assert.equal(await totalOf(open(), "anna"), 502);
});

test("a process that is killed while it writes holds up no other, and its confirmed counts are there", async () => {
  const survivor = addInProcess("anna", 400);
  survivor.stdout?.resume();
  const ended = once(survivor, "exit");
  let confirmed = 0;
  const victims = 3;
  for (let victim = 0; victim < victims; victim++) {
    const child = addInProcess("berta", 1_000_000);
    let output = "";
    child.stdout?.on("data", (data: Buffer) => {
      output += data;
      if (output.split("\n").length > 20) child.kill("SIGKILL");
    });
    await once(child, "close");
    confirmed += Number(/(\d+)\n[^\n]*$/.exec(output)?.[1]);
  }
  assert.deepEqual(await ended, [0, null]);
  const store = open();
  assert.equal(await totalOf(store, "anna"), 400);
  const added = await totalOf(store, "berta");
  const most = confirmed + 100 * victims;
  assert.ok(added >= confirmed && added <= most, `${added} added, ${confirmed} confirmed`);
});

// LMDB 1.0 would lose what is committed during an opening: with 20 ms in the middle of it, 2,605 of 4,000 counts.
test("no process opens the file or writes to it while another one does", async () => {
  const writer = open();
  await writer.add("w", 1, [addition("anna", "a1", 1)]);
  const turns = openLmdb({ path: join(folder, "turns.mdb"), overlappingSync: false, maxReaders: 256 });
  let ended = 0;
  let waiting: Promise<unknown> | undefined;
  await turns.transactionSync(async () => {
    const calls = [writer.add("w", 2, [addition("anna", "a1", 2)]), open().names()];
    for (const call of calls) call.then(() => ended++);
    waiting = Promise.all(calls);
    await sleep(300);
    assert.equal(ended, 0);
  });
  await waiting;
  await turns.close();
  assert.equal(await totalOf(writer, "anna"), 3);
});

test("a file that is not a whole LMDB file is refused and left alone, and the store works once it is mended", async () => {
  const store = open();
  const additions = Array.from({ length: 400 }, (_, index) => addition(`n${index}`, "k", 1));
  await store.add("w", 1, additions);
  await store.close();
  const file = join(folder, "data.mdb");
  const whole = readFileSync(file);
  const incomplete = /data\.mdb is not a complete LMDB file/;
  // Each takes the place of the file; undefined is a folder.
  for (const [what, content, reason] of [
    ["garbage", "garbage ".repeat(10_000), incomplete],
    ["a few bytes", "x", incomplete],
    ["the last page missing", whole.subarray(0, -4_096), incomplete],
    ["all but the first page missing", whole.subarray(0, 4_096), incomplete],
    ["a folder in its place", undefined, /cannot be reached/],
  ] as const) {
    rmSync(file);
    if (content === undefined) mkdirSync(file);
    else writeFileSync(file, content);
    const damaged = open();
    await assert.rejects(damaged.add("v", 1, [addition("anna", "a1", 1)]), reason, what);
    await assert.rejects(damaged.names(), /cannot be reached/, what);
    rmSync(file, { recursive: true });
    writeFileSync(file, whole);
    await damaged.add("v", 1, [addition("anna", "a1", 1)]);
    assert.equal(await totalOf(damaged, "anna"), 1, what);
    await damaged.close();
  }
});

test("a process whose service has gone before it opened the file makes no folder and ends", async () => {
  const child = fork(fileURLToPath(new URL("lmdb-process.js", compiled)), [folder]);
  child.send({ call: 1, name: "names", given: [] }, () => child.disconnect());
  await once(child, "exit");
  assert.equal(existsSync(folder), false);
});

test("a process is forgotten when it has not written for more than thirty days, and not before", async () => {
  for (const [days, expected] of [
    [29, 1],
    [32, 2],
  ] as const) {
    folder = join(parent, String(days));
    const store = open();
    await store.add("w", 1, [addition("anna", "a1", 1)]);
    await store.close();
    const later = `const { now } = Date; Date.now = () => now() + ${days * msPerDay};`;
    process.env["NODE_OPTIONS"] = `--import data:text/javascript,${encodeURIComponent(later)}`;
    const afterDays = open();
    const added = afterDays.add("w", 1, [addition("anna", "a1", 1)]);
    delete process.env["NODE_OPTIONS"];
    await added;
    assert.equal(await totalOf(afterDays, "anna"), expected, `${days} days`);
  }
});
