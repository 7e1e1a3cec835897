import assert from "node:assert/strict";
import { test } from "node:test";
import { bicRegister } from "../../src/banks/lookup/bics.ts";
import { reachOf } from "../../src/checks/reach.ts";

const term = { since: "2025-10-05", until: "2026-12-01" };
const register = bicRegister({
  editions: { sct_inst: "2026-11-15" },
  facts: new Map([["TESTATWWXXX", { name: "Test", location: null, schemes: { sct_inst: term } }]]),
});

const edition = "2026-11-15";
const reachable = { reachable: 1, ...term, edition } as const;
const left = { ...reachable, reachable: 0 } as const;

test("a participant is reachable from its first day to before the one on which it leaves, and so are its branches", () => {
  for (const [bic, day, sct_inst] of [
    ["TESTATWW", "2025-10-04", left],
    ["TESTATWW", "2025-10-05", reachable],
    ["TESTATWW", "2026-11-30", reachable],
    ["TESTATWW", "2026-12-01", left],
    ["TESTATWWXXX", "2026-01-01", reachable],
    ["TESTATWWGRZ", "2026-01-01", reachable],
    ["OTHRATWW", "2026-01-01", { reachable: 0, since: null, until: null, edition }],
  ] as const)
    assert.deepEqual(reachOf(register, bic, day), { sct_inst, vop: null }, `${bic} on ${day}`);
});

test("nothing is known of a bank without BIC, and where no register is loaded", () => {
  const unknown = { sct_inst: null, vop: null };
  assert.deepEqual(reachOf(register, null, "2026-01-01"), unknown);
  const empty = bicRegister({ editions: {}, facts: new Map() });
  assert.deepEqual(reachOf(empty, "TESTATWW", "2026-01-01"), unknown);
});
