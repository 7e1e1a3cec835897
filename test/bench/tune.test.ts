import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readResult } from "../../bench/report/report.ts";
import { until } from "../faults/gate.ts";
import { endWithThisProcess } from "../support/children.ts";
import { newFolder } from "../support/folders.ts";
import { closed, listen } from "../support/listen.ts";
import { childrenOf, isAlive } from "../support/process-figures.ts";
import { root } from "../support/repository.ts";

const folder = newFolder();

function start(command: string, ...options: readonly string[]) {
  const temporary = mkdtempSync(join(folder, "tmp-"));
  const output = join(temporary, "..", `${command}.html`);
  // Reuse the compile cache.
  symlinkSync(join(tmpdir(), compiled), join(temporary, compiled));
  const args = ["--import", "tsx", "bench/cli.ts", command, "--output", output, ...options];
  const { PATH } = process.env;
  const env = { PATH, TMPDIR: temporary, BANKCHECK_KEY: "key" };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  endWithThisProcess(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk;
    });
  const result = () => readResult(output.replace("html", "json"));
  return { child, temporary, output, said: () => said, result };
}

/** The folder of what tsx has compiled. */
const compiled = `tsx-${process.geteuid?.()}`;

/** Returns the files that a run left in its temporary folder. */
const leftIn = (temporary: string) => readdirSync(temporary).filter((name) => name !== compiled);

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Options of a sweep of the shortest loads. */
const tiny = (sizes: string, rounds: string) =>
  `--sizes ${sizes} --queues 8 --levels 0.5,1.2 --rounds ${rounds} --seconds 0.1`.split(" ");

test("a tiny sweep ends with a table, the settings and a report, and leaves nothing behind", async () => {
  const run = start("tune", ...tiny("1,2", "1"));
  const [code] = await once(run.child, "close");
  assert.equal(code, 0, run.said());
  assert.match(run.said(), /^POOL_SIZE=[12]\n(#.*\n)?POOL_QUEUE=(8|16)\n/m);
  assert.match(run.said(), /offered\/s +sent\/s +200\/s/);
  const { loads, findings } = run.result();
  assert.equal(loads.length, 3 * (2 * 2 + 2));
  assert.ok(loads.every(({ mainDelay, generatorDelay }) => mainDelay! <= 1 && generatorDelay! <= 1));
  assert.ok("recommended" in findings);
  assert.match(readFileSync(run.output, "utf8"), /<pre[^>]*>(#.*\n)*POOL_SIZE=[12]\n/);
  assert.ok(loads.every(({ failures }) => failures === 0));
  assert.deepEqual(leftIn(run.temporary), []);
});

test("Ctrl-C in the midst of a load reports what was measured, ends every process and removes its files", async () => {
  const target = createServer((_, response) => void response.end('{"status":1,"message":"Pong"}'));
  const url = `http://127.0.0.1:${await listen(target)}`;
  for (const [command, options, begun, processes] of [
    ["tune", tiny("1", "99"), /measured round 1 of 99/, 2],
    ["bench", ["--target", url], /measured: Single checks, closed loop, 1 connection/, 1],
  ] as const) {
    // A load test that begins before its turn may be over by then.
    const run = start(command, ...options);
    await until(() => {
      assert.equal(run.child.exitCode, null, run.said());
      return begun.test(run.said());
    });
    const started = descendantsOf(run.child.pid!);
    assert.ok(started.length >= processes, "the generator, and the service where it is started here");
    const exited = once(run.child, "exit");
    run.child.kill("SIGINT");
    const [code] = await exited;
    assert.equal(code, 130, run.said());
    const { ended, loads } = run.result();
    assert.match(ended!, /stopped/);
    assert.ok(loads.some(({ goodput }) => goodput! > 0));
    // Processes started by the service end a moment after it.
    await until(() => !started.some(isAlive));
    assert.deepEqual(leftIn(run.temporary), []);
  }
  await closed(target);
});
