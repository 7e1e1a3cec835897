import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, test } from "node:test";
import { lockOutput } from "../../src/cli/file/job.ts";
import { withFileLock } from "../../src/process/file-lock.ts";
import { until } from "../faults/gate.ts";
import { endWithThisProcess } from "../support/children.ts";
import { newFolder } from "../support/folders.ts";
import { childrenOf, notLinux, readProc } from "../support/process-figures.ts";

/** State and start of a process, as the system counts it. Source: proc(5). */
function statusOf(pid: number) {
  const [state, ...fields] = readProc(`${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
  return { state, started: fields[18] };
}

const ownerOf = (pid: number) => JSON.stringify({ pid, host: hostname(), started: statusOf(pid).started });

/** The owner of a lock whose process has never existed. */
const dead = JSON.stringify({ pid: 4_194_304, host: hostname(), started: "1" });

describe("a lock file", { skip: notLinux }, () => {
  let folder: string;
  let output: string;
  let lock: string;
  beforeEach(() => {
    folder = newFolder();
    output = join(folder, "checked.csv");
    lock = `${output}.lock`;
  });

  test("is released by the run that holds it, and by no other", async () => {
    const held = await lockOutput(output);
    await assert.rejects(lockOutput(output), /is writing to/);
    writeFileSync(lock, dead);
    await held.release();
    assert.equal(readFileSync(lock, "utf8"), dead);
    await (await lockOutput(output)).release();
    assert.deepEqual(readdirSync(folder), []);
  });

  test("is not held by a process that has ended and was not waited for", async () => {
    const parent = spawn("sh", ["-c", "true & exec sleep 600"], { stdio: "ignore" });
    endWithThisProcess(parent);
    const isZombie = (pid: number) => statusOf(pid).state === "Z";
    await until(() => childrenOf(parent.pid!).some(isZombie));
    writeFileSync(lock, ownerOf(childrenOf(parent.pid!).find(isZombie)!));
    await (await lockOutput(output)).release();
    parent.kill("SIGKILL");
  });

  test("of a dead run goes to one of several that find it at once, also where its number is another's now", async () => {
    for (const owner of [dead, JSON.stringify({ pid: process.pid, host: hostname(), started: "1" })]) {
      writeFileSync(lock, owner);
      const locks = await Promise.allSettled([lockOutput(output), lockOutput(output), lockOutput(output)]);
      const taken = locks.flatMap((lock) => (lock.status === "fulfilled" ? [lock.value] : []));
      assert.equal(taken.length, 1);
      await taken[0]!.release();
      assert.deepEqual(readdirSync(folder), []);
    }
  });

  test("of a process that runs is held however long its disk takes", async () => {
    const holder = spawn("sleep", ["600"], { stdio: "ignore" });
    endWithThisProcess(holder);
    writeFileSync(lock, ownerOf(holder.pid!));
    utimesSync(lock, 1, 1);
    const message = `${lock} is held by process ${holder.pid} on ${hostname()}; end it, or remove the file.`;
    await assert.rejects(
      withFileLock(lock, async () => assert.fail("two at once"), 50),
      { message },
    );
    holder.kill("SIGKILL");
    assert.equal(await withFileLock(lock, async () => "taken over at once"), "taken over at once");
    assert.deepEqual(readdirSync(folder), []);
  });

  test("that cannot be released undoes no work", async () => {
    const work = async () => {
      rmSync(lock);
      mkdirSync(lock);
      return "done";
    };
    assert.equal(await withFileLock(lock, work), "done");
  });

  test("of a run on another machine, in another container with the same host name, or that names no owner, is held while it is young", async () => {
    const owned = (owner: object) => JSON.stringify({ ...JSON.parse(dead), ...owner });
    for (const content of [owned({ host: "elsewhere" }), owned({ namespace: "pid:[1]" }), ""]) {
      writeFileSync(lock, content);
      await assert.rejects(
        lockOutput(output),
        /\((process 4194304 on .*|an unknown process)\) is writing to/,
      );
      utimesSync(lock, 1, 1);
      await (await lockOutput(output)).release();
    }
  });
});
