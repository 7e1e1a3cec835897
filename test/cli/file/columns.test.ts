import assert from "node:assert/strict";
import { test } from "node:test";
import { checkColumns, namesOf } from "../../../src/cli/file/added-columns.ts";
import { recogniseLayout } from "../../../src/cli/file/layout.ts";
import { progressLine } from "../../../src/cli/file/progress.ts";

const iban = "DE89370400440532013000";
const at = (content: string, column: readonly string[] = []) =>
  recogniseLayout(Buffer.from(content), true, { column });

test("the columns to check are recognised by their names, and else by what is in them", () => {
  for (const [content, expected] of [
    [`${iban}\n`, { kind: "iban", iban: 0 }],
    [`a;b\n1;${iban}\n`, { kind: "iban", iban: 1 }],
    [`a;IBAN\n${iban};x\n`, { kind: "iban", iban: 1 }],
    [`a|b|c\n|de89 3704 0044 0532 0130 00|\n||\n`, { kind: "iban", iban: 1 }],
    ["x,37040044,532013000\ny,10000000,1\n", { kind: "account", blz: 1, kontonummer: 2 }],
    ["Kto-Nr.\tn\tBankleitzahl\n1\t2\t3\n", { kind: "account", kontonummer: 0, blz: 2 }],
    [`{"a":1,"x":"${iban}"}\n`, { kind: "iban", iban: 1 }],
  ] as const) {
    assert.deepEqual(at(content).columns, expected, content);
  }
});

test("a header is told from a first row", () => {
  for (const [content, names] of [
    [`${iban}\n`, undefined],
    [`iban\n${iban}\n`, ["iban"]],
    [`customer,number\n1,${iban}\n`, ["customer", "number"]],
    [`1,${iban}\n2,${iban}\n`, undefined],
    ["konto,blz\n", ["konto", "blz"]],
  ] as const) {
    assert.deepEqual(at(content).names, names, content);
  }
  assert.deepEqual(at("x,y\na,b\n", ["y"]).columns, { kind: "iban", iban: 1 });
  assert.deepEqual(at("x,y\na,b\n", ["2", "1"]).columns, { kind: "account", kontonummer: 1, blz: 0 });
});

test("added columns never have a name that is there already", () => {
  const names = checkColumns.map(({ name }) => name);
  assert.deepEqual(namesOf(checkColumns, ["iban"]), names);
  assert.deepEqual(
    namesOf(checkColumns, ["bank"]),
    names.map((name) => `check_${name}`),
  );
  assert.equal(namesOf(checkColumns, ["bank", "check_zip"])[0], "check_check_status");
});

test("the progress tells rows, speed, time left and what they came to", () => {
  const counts = { rows: 250_000, valid: 200_000, invalid: 50_000 };
  const facts = { counts, before: 50_000, share: 0.25, shareOfRun: 0.2, seconds: 2, concurrency: 4 };
  assert.equal(
    progressLine(facts),
    "██████░░░░░░░░░░░░░░░░░░  25 %  250,000 rows  100,000/s  valid 200,000  not 50,000  in flight ≤ 4  left 0:08",
  );
  assert.match(progressLine({ ...facts, seconds: 4_000 }), /left 4:10:00$/);
  assert.equal(
    progressLine({ ...facts, share: undefined, shareOfRun: 0 }),
    "250,000 rows  100,000/s  valid 200,000  not 50,000  in flight ≤ 4",
  );
});
