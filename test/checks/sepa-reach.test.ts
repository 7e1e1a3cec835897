import assert from "node:assert/strict";
import { test } from "node:test";
import { bicRegister } from "../../src/banks/lookup/bics.ts";
import { reachOf } from "../../src/checks/reach.ts";

const term = { since: "2025-10-05", until: "2026-12-01" };
const register = bicRegister({
  editions: { sct_inst: "2026-11-15" },
  facts: new Map([["TESTATWWXXX", { name: "Test", location: null, schemes: { sct_inst: term } }]]),
});

test("a participant is reachable from its first day on to before the one on which it leaves", () => {
  for (const [day, reachable] of [
    ["2025-10-04", 0],
    ["2025-10-05", 1],
    ["2026-11-30", 1],
    ["2026-12-01", 0],
  ] as const) {
    const reach = reachOf(register, "TESTATWW", day);
    assert.deepEqual(reach, { sct_inst: { reachable, ...term, edition: "2026-11-15" }, vop: null });
  }
});

test("a branch that the register does not list has the reach of its head office", () => {
  const headOffice = reachOf(register, "TESTATWWXXX", "2026-01-01");
  assert.equal(headOffice.sct_inst?.reachable, 1);
  assert.deepEqual(reachOf(register, "TESTATWWGRZ", "2026-01-01"), headOffice);
});

test("a BIC that the register does not list is not reachable", () => {
  const { sct_inst, vop } = reachOf(register, "OTHRATWW", "2026-01-01");
  assert.deepEqual(sct_inst, { reachable: 0, since: null, until: null, edition: "2026-11-15" });
  assert.equal(vop, null);
});

test("nothing is known of a bank without BIC, and where no register is loaded", () => {
  const unknown = { sct_inst: null, vop: null };
  assert.deepEqual(reachOf(register, null, "2026-01-01"), unknown);
  const empty = bicRegister({ editions: {}, facts: new Map() });
  assert.deepEqual(reachOf(empty, "TESTATWW", "2026-01-01"), unknown);
});
