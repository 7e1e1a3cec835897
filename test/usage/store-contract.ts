import assert from "node:assert/strict";
import { test } from "node:test";
import type { UsageStore } from "../../src/usage/usage-store.ts";
import { addition, totalOf } from "./memory-store.ts";

/** Declares the tests that every store passes; `open` opens the same store of the test again and again. */
export function keepsTheContract(open: () => Promise<UsageStore>): void {
  test("counts are kept by key, day, month and in total, and are there when the store is opened again", async () => {
    const store = await open();
    await store.add("w", 1, [
      addition("anna", "a1", 2),
      addition("anna", "a2", 3),
      addition("berta", "b1", 5),
    ]);
    await store.add("w", 2, [
      addition("anna", "a1", 10, "2026-11-30"),
      addition("anna", "a1", 20, "2026-12-01"),
    ]);
    await store.close();
    const again = await open();
    assert.deepEqual(await again.names(), ["anna", "berta"]);
    assert.deepEqual(await again.read("anna", ["2026-11-21", "2026-11", "2026-12", "total"]), [
      { key: "a1", period: "2026-11-21", count: 2 },
      { key: "a2", period: "2026-11-21", count: 3 },
      { key: "a1", period: "2026-11", count: 12 },
      { key: "a2", period: "2026-11", count: 3 },
      { key: "a1", period: "2026-12", count: 20 },
      { key: "a1", period: "total", count: 32 },
      { key: "a2", period: "total", count: 3 },
    ]);
    assert.deepEqual(await again.read("unknown", ["total"]), []);
  });

  test("names that begin alike, and the longest, do not mix", async () => {
    const names = ["a", "a.b", "ab", "a-b", "A", "0", "total", "_".repeat(64)];
    const store = await open();
    const additions = names.map((name, index) => addition(name, "0123456789abcdef", index + 1));
    await store.add("w", 1, additions);
    assert.deepEqual((await store.names()).toSorted(), names.toSorted());
    for (const [index, name] of names.entries()) assert.equal(await totalOf(store, name), index + 1, name);
  });

  test("additions count once for each writer and sequence number", async () => {
    const store = await open();
    for (const sent of ["v1", "v1", "v2", "v1", "w1", "w1"])
      await store.add(sent.slice(0, 1), Number(sent.slice(1)), [addition("anna", "a1", 1)]);
    assert.equal(await totalOf(store, "anna"), 3);
  });
}
