import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import table from "../../../data/de-check-methods.json" with { type: "json" };
import { germanAccount } from "../../../src/banking/germany/account.ts";
import {
  checkByMethod,
  checkMethod,
  methodIndexOf,
  methodNames,
} from "../../../src/banking/germany/methods.ts";
import { sharedFile } from "../../shared.ts";
import { readVectors } from "../../vectors/read.ts";

// The specification may be beside a checkout; the table is its copy, and must not drift from it.
const specification = sharedFile("spec/de-check-methods.md");
if (specification !== undefined) {
  test("every line of the specification is in the table", () => {
    const text = readFileSync(specification, "utf8");
    const rows = [...text.matchAll(/^\| ([0-9A-E]\d) \| `(.*)` \|$/gm)];
    assert.ok(rows.length > 0);
    const methods: Readonly<Record<string, string>> = table.methods;
    for (const [, method = "", line] of rows) assert.equal(methods[method], line, method);
  });
}

test("every published and derived vector gets its verdict", () => {
  const vectors = readVectors("de-methods.ndjson");
  assert.ok(vectors.length > 2_000);
  for (const { method, account, blz, valid } of vectors) {
    const verdict = checkByMethod(method, account, blz);
    assert.equal(verdict !== "invalid", valid, `${method} ${account} ${blz ?? ""}: ${verdict}`);
  }
});

test("the vectors have right numbers for every method, and wrong ones for all but 09, which has no check digit", () => {
  const vectors = readVectors("de-methods.ndjson");
  const methodsWith = (wanted: boolean) =>
    methodNames.filter((name) => vectors.some(({ method, valid }) => method === name && valid === wanted));
  assert.deepEqual(methodsWith(true), methodNames);
  const others = methodNames.filter((name) => name !== "09");
  assert.deepEqual(methodsWith(false), others);
});

test("all assigned methods are there, in the order of their names, and 12 is none of them", () => {
  const assigned = Object.entries(table.methods).filter(([, line]) => line !== "unassigned");
  assert.deepEqual(methodNames, assigned.map(([method]) => method).sort());
  assert.ok(!methodNames.includes("12"));
  assert.deepEqual([...methodNames].sort(), methodNames);
  methodNames.forEach((method, index) => {
    assert.equal(methodIndexOf(method), index);
  });
  for (const method of ["12", "ZZ", "0", "", "a0", "000", "__proto__", "00<<0"]) {
    assert.equal(methodIndexOf(method), -1);
    assert.equal(checkByMethod(method, "not even a number"), "unknown_method");
  }
});

test("account number zero is invalid in every method", () => {
  const account = germanAccount("0");
  for (const [index, method] of methodNames.entries()) {
    assert.equal(checkMethod(index, account), "invalid", method);
    assert.equal(checkMethod(index, account, 1), "invalid", method);
    assert.equal(checkByMethod(method, "0000000000"), "invalid", method);
  }
});

test("numbers a method exempts are unchecked, also through a reference", () => {
  for (const [method, unchecked, ...invalid] of [
    ["08", "59999", "60000"],
    ["57", "185125434"],
    ["96", "1300000"],
    ["96", "99399999", "99400001"],
    ["D2", "1999999"],
  ] as const) {
    assert.equal(checkByMethod(method, unchecked), "unchecked", method);
    for (const number of invalid) assert.equal(checkByMethod(method, number), "invalid", method);
  }
});

test("the old-system methods need a savings bank's code, and not that of the check before", () => {
  assert.equal(checkByMethod("52", "43001500", "13051172"), "valid");
  assert.equal(checkByMethod("53", "382432256", "16052072"), "valid");
  for (const blz of [undefined, "", "1305117", "13041172", "1305117x"]) {
    assert.equal(checkByMethod("52", "43001500", blz), "invalid", blz);
    assert.equal(checkByMethod("53", "382432256", blz), "invalid", blz);
  }
  assert.equal(checkByMethod("52", "9876543218"), "valid");
});

test("an index that is none is an error, not a verdict", () => {
  const account = germanAccount("1");
  for (const index of [-1, methodNames.length]) {
    assert.throws(() => checkMethod(index, account), RangeError);
    assert.throws(() => checkMethod(index, account, 1), RangeError);
  }
});
