import assert from "node:assert/strict";
import { test } from "node:test";
import table from "../../../data/de-check-methods.json" with { type: "json" };
import { AccountVerdict, germanAccount } from "../../../src/banking/germany/account.ts";
import {
  checkByMethod,
  checkMethod,
  checkMethodVariant,
  methodIndexOf,
  methodNames,
} from "../../../src/banking/germany/methods.ts";
import { readVectors } from "../../vectors/read.ts";

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
  assert.deepEqual(
    methodsWith(false),
    methodNames.filter((name) => name !== "09"),
  );
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
    assert.equal(checkMethod(index, account), AccountVerdict.invalid, method);
    assert.equal(checkMethodVariant(index, 1, account), AccountVerdict.invalid, method);
    assert.equal(checkByMethod(method, "0000000000"), "invalid", method);
  }
});

test("a malformed account number is invalid even where nothing is checked", () => {
  for (const kontonummer of ["", "12 34", "12345678901", "1e3"]) {
    assert.equal(checkByMethod("09", kontonummer), "invalid");
  }
  assert.equal(checkByMethod("09", "1"), "unchecked");
});

test("numbers a method exempts are unchecked, also through a reference", () => {
  assert.equal(checkByMethod("08", "59999"), "unchecked");
  assert.equal(checkByMethod("08", "60000"), "invalid");
  assert.equal(checkByMethod("57", "185125434"), "unchecked");
  assert.equal(checkByMethod("96", "1300000"), "unchecked");
  assert.equal(checkByMethod("96", "99399999"), "unchecked");
  assert.equal(checkByMethod("96", "99400001"), "invalid");
  assert.equal(checkByMethod("D2", "1999999"), "unchecked");
});

test("the old-system methods need a savings bank's code", () => {
  assert.equal(checkByMethod("52", "43001500", "13051172"), "valid");
  assert.equal(checkByMethod("53", "382432256", "16052072"), "valid");
  for (const blz of [undefined, "", "1305117", "13041172", "1305117x"]) {
    assert.equal(checkByMethod("52", "43001500", blz), "invalid", blz);
    assert.equal(checkByMethod("53", "382432256", blz), "invalid", blz);
  }
  assert.equal(checkByMethod("52", "9876543218"), "valid");
});

test("a check leaves no bank code behind for the next", () => {
  assert.equal(checkByMethod("52", "43001500", "13051172"), "valid");
  assert.equal(checkByMethod("52", "43001500"), "invalid");
});

test("one variant alone can be asked", () => {
  const m13 = methodIndexOf("13");
  const short = germanAccount("123455");
  assert.equal(checkMethodVariant(m13, 1, germanAccount("12345500")), AccountVerdict.valid);
  assert.equal(checkMethodVariant(m13, 1, short), AccountVerdict.invalid);
  assert.equal(checkMethodVariant(m13, 2, short), AccountVerdict.valid);
  assert.equal(checkMethodVariant(m13, 3, short), AccountVerdict.invalid);
  assert.equal(checkMethodVariant(m13, 0, short), AccountVerdict.invalid);
});

test("variants are counted within the branch that applies to the number", () => {
  const m63 = methodIndexOf("63");
  assert.equal(checkMethodVariant(m63, 1, germanAccount("12345600")), AccountVerdict.invalid);
  assert.equal(checkMethodVariant(m63, 1, germanAccount("12345500")), AccountVerdict.valid);
  assert.equal(checkMethodVariant(m63, 1, germanAccount("112345600")), AccountVerdict.invalid);
  assert.equal(checkMethodVariant(m63, 1, germanAccount("123456600")), AccountVerdict.valid);
  assert.equal(checkMethodVariant(m63, 2, germanAccount("123455")), AccountVerdict.valid);
  assert.equal(checkMethodVariant(m63, 2, germanAccount("123456600")), AccountVerdict.invalid);
  const mC7 = methodIndexOf("C7");
  assert.equal(checkMethodVariant(mC7, 2, germanAccount("94012341")), AccountVerdict.valid);
  assert.equal(checkMethodVariant(mC7, 1, germanAccount("94012341")), AccountVerdict.invalid);
});

test("an index that is none is an error, not a verdict", () => {
  const account = germanAccount("1");
  for (const index of [-1, methodNames.length]) {
    assert.throws(() => checkMethod(index, account), RangeError);
    assert.throws(() => checkMethodVariant(index, 1, account), RangeError);
  }
});
