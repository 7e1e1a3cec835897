import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { dayOf } from "../../src/usage/usage-store.ts";
import { startQuickService } from "../service.ts";
import { bankcheck } from "./command.ts";

test("usage is printed by key while the service runs, for a month, and for one name", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "bankcheck-test-"));
  const keys = ["anna:anna-key-0123456789", "berta:berta-key-0123456789", "carl:carl-key-0123456789"];
  const service = await startQuickService({ POOL_SIZE: "1", STATE_DIR: stateDir, API_KEYS: keys.join() });
  const run = (...args: readonly string[]) => {
    const { status, stdout, stderr } = bankcheck(stateDir, "usage", ...args);
    assert.equal(status, 0, stderr);
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
  };
  for (const [key, checks] of [
    ["anna-key-0123456789", 3],
    ["berta-key-0123456789", 1],
  ] as const) {
    for (let check = 0; check < checks; check++) {
      await (await service.request("/v1/search?name=x", { headers: { "X-API-Key": key } })).text();
    }
    await (await service.request("/service/usage", { headers: { "X-API-Key": key } })).text();
  }
  const day = dayOf(Date.now());
  const [head, ...rows] = run();
  assert.deepEqual(head, ["NAME", "KEY", day, day.slice(0, 7), "TOTAL"]);
  assert.deepEqual(
    rows.map(([name, , ...figures]) => [name, ...figures]),
    [
      ["anna", "3", "3", "3"],
      ["berta", "1", "1", "1"],
    ],
  );
  assert.deepEqual(run("berta", "--month", "2001-01").slice(1), [["berta", rows[1]?.[1], "1", "0", "1"]]);
  assert.deepEqual(run("carl").slice(1), []);
  assert.equal(await service.stop(), 0);
  assert.deepEqual(run().slice(1), rows);
  rmSync(stateDir, { recursive: true, force: true });
});

test("a month that is none, and a store that is none, are refused in one line", () => {
  const wrong: readonly (readonly [args: readonly string[], status: number, says: RegExp])[] = [
    [["--month", "2026-13"], 1, /It must be a month, as in 2026-11/],
    [["--usage-store", "mysql"], 1, /^USAGE_STORE must be lmdb.*, but is not of that form\.\n$/],
  ];
  for (const [args, expected, says] of wrong) {
    const { status, stderr, stdout } = bankcheck("/nowhere", "usage", ...args);
    assert.equal(status, expected, args.join(" "));
    assert.equal(stdout, "");
    assert.match(stderr, says);
  }
});
