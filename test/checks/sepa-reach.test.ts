import assert from "node:assert/strict";
import { test } from "node:test";
import { BicRegister, packBicRegister } from "../../src/banks/lookup/bics.ts";
import { reachOf } from "../../src/checks/lookup-answer.ts";

const term = { since: "2025-10-05", until: "2026-12-01" };
const register = new BicRegister(
  packBicRegister({
    editions: { sct_inst: "2026-11-15" },
    facts: new Map([["TESTATWWXXX", { name: "Test", city: null, lei: null, schemes: { sct_inst: term } }]]),
  }),
);

test("a participant is reachable from its first day on to before the one on which it leaves", () => {
  for (const [day, reachable] of [
    ["2025-10-04", 0],
    ["2025-10-05", 1],
    ["2026-11-30", 1],
    ["2026-12-01", 0],
  ] as const) {
    const reach = reachOf(register.editions, register.find("TESTATWW"), day);
    assert.deepEqual(reach, { sct_inst: { reachable, ...term, edition: "2026-11-15" }, vop: null });
  }
});

test("a BIC that the register does not list is not reachable, and nothing is known where none is loaded", () => {
  const { sct_inst, vop } = reachOf(register.editions, register.find("OTHRATWW"), "2026-01-01");
  assert.deepEqual(sct_inst, { reachable: 0, since: null, until: null, edition: "2026-11-15" });
  assert.equal(vop, null);
  assert.deepEqual(reachOf({}, undefined, "2026-01-01"), { sct_inst: null, vop: null });
});
