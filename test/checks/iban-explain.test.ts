import assert from "node:assert/strict";
import { test } from "node:test";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { plain } from "../../src/checks/answer.ts";
import { batchAnswer } from "../../src/checks/batch-answer.ts";
import { ibanAnswer } from "../../src/checks/iban-answer.ts";
import type { IbanBatchAnswer } from "../../src/client/index.ts";
import { rowsOf } from "../banks/shipped.ts";
import { type Check, type CheckAnswer, expectCheckAnswer } from "../contract/check-data.ts";
import { ibanOf, withReplaced } from "../contract/iso-check-digits.ts";
import { directory } from "../suggest/engine.ts";
import { pluck } from "../support/pluck.ts";
import { words } from "../support/words.ts";

/** The answer to an IBAN, optionally followed by a slash and a BIC, as it is once it was sent. */
function answerOf(ibanAndBic: string, explain = false): CheckAnswer {
  const [iban = "", bic] = ibanAndBic.split("/");
  const answer = JSON.parse(
    JSON.stringify(ibanAnswer(directory, iban, bic, { ...plain, explain })),
  ) as CheckAnswer;
  expectCheckAnswer(answer, { checks: explain });
  return answer;
}

interface Explained {
  readonly status: number;
  readonly failed: readonly Check[];
  readonly checks: readonly Check[];
}

function explain(ibanAndBic: string): Explained {
  const { status, data } = answerOf(ibanAndBic, true);
  const checks = data.checks!;
  return { status, checks, failed: checks.filter(({ result }) => result === "failed") };
}

/** The IBAN with what a failed check says would be right there, the ISO check digits left as they are. */
function repaired(iban: string, { position, expected }: Check): string {
  const right = expected?.[0];
  assert.ok(position !== undefined && right !== undefined, `nothing is said to be right in ${iban}`);
  assert.equal(right.length, position.length, iban);
  return iban.slice(0, position.start) + right + iban.slice(position.start + right.length);
}

const order = words`
  country length structure iso_check_digits bank_code bank_code_deletion national_check_digits
  check_digit_method uk_modulus currency qr_iban bic sepa_methods
`;

test("each check has a name, a result and nothing beyond the specified members, in the order they are made", () => {
  for (const { example } of ibanCountries) {
    const { checks } = explain(example);
    const places = checks.map(({ check }) => order.indexOf(check));
    assert.ok(!places.includes(-1), checks.map(({ check }) => check).join());
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
      example,
    );
    for (const entry of checks) {
      assert.ok(["passed", "failed", "not_applicable", "unknown"].includes(entry.result));
      const members = Object.keys(entry).filter(
        (key) => !["check", "result", "detail", "messages", "position", "expected"].includes(key),
      );
      assert.deepEqual(members, []);
    }
  }
});

test("explain changes nothing else of the answer", () => {
  for (const { example } of ibanCountries) {
    const withoutChecks = answerOf(example);
    const explained = answerOf(example, true);
    const { checks: _, sources: __, messages, ...data } = explained.data;
    assert.deepEqual(messages?.[0], { id: "iban_valid" });
    assert.deepEqual({ ...explained, data }, withoutChecks);
  }
});

test("wrong ISO check digits are explained by the right ones, in every country", () => {
  for (const { example } of ibanCountries) {
    const wrong = `${example.slice(0, 2)}${example.slice(2, 4) === "50" ? "51" : "50"}${example.slice(4)}`;
    const { status, failed } = explain(wrong);
    assert.equal(status, 0, wrong);
    assert.deepEqual(pluck(failed, "check"), ["iso_check_digits"], wrong);
    assert.equal(repaired(wrong, failed[0]!), example);
  }
});

test("wrong national check digits are explained by the right ones, at any place", () => {
  const countries = ibanCountries.filter(({ nationalCheck }) => nationalCheck !== null);
  assert.ok(countries.length > 25);
  for (const { example, code, nationalCheck, nationalCheckEnforced } of countries) {
    for (const span of nationalCheck!.spans) {
      const start = 4 + span.start;
      const right = example.slice(start, start + span.length);
      const other =
        code === "IT" || code === "SM"
          ? right === "A"
            ? "B"
            : "A"
          : right === "0".repeat(span.length)
            ? "1"
            : "0";
      const wrong = withReplaced(example, start, other.repeat(span.length));
      const { status, failed } = explain(wrong);
      assert.equal(status, nationalCheckEnforced ? 0 : 1, wrong);
      assert.deepEqual([...new Set(failed.map(({ check }) => check))], ["national_check_digits"], wrong);
      const mended = failed.reduce((iban, entry) => repaired(iban, entry), wrong);
      const after = explain(ibanOf(code, mended.slice(4)));
      assert.equal(after.status, 1, `${wrong} mended to ${mended}`);
      assert.deepEqual(after.failed, []);
    }
  }
});

test("a wrong German account number is explained by digits that make it valid, for every check-digit method in use", () => {
  const bankByMethod = new Map<string, string>();
  for (const row of rowsOf("blz.csv")) {
    const method = row["Prüfzifferberechnungsmethode"];
    const isLasting = row.Merkmal === "1" && row.Bankleitzahllöschung === "0";
    if (isLasting && method !== "" && !bankByMethod.has(method)) bankByMethod.set(method, row.Bankleitzahl);
  }
  assert.ok(bankByMethod.size > 80, String(bankByMethod.size));
  let explained = 0;
  for (const [method, blz] of bankByMethod) {
    for (const kontonummer of ["0123456789", "3456789012", "0000123457"]) {
      const iban = ibanOf("DE", blz + kontonummer);
      const { status, failed } = explain(iban);
      if (status === 1) continue;
      assert.equal(status, 0, iban);
      assert.deepEqual(pluck(failed, "check"), ["check_digit_method"], iban);
      const [entry] = failed;
      for (const expected of entry!.expected ?? []) {
        const mended = repaired(iban, { ...entry!, expected: [expected] });
        const after = explain(ibanOf("DE", mended.slice(4)));
        assert.equal(after.status, 1, `method ${method}: ${iban} with ${expected}`);
        explained++;
      }
    }
  }
  assert.ok(explained > 100, String(explained));
});

test("a territory's own code is explained by its parent's code and check digits", () => {
  const wrong = "AX2112345600000785";
  const { status, failed } = explain(wrong);
  assert.equal(status, 3);
  assert.deepEqual(pluck(failed, "check"), ["country"]);
  assert.equal(explain(repaired(wrong, failed[0]!)).status, 1);
});

/** The first checks of an IBAN: result, sentence, and place. */
const forms: Readonly<Record<string, readonly string[]>> = {
  DE89370400440532013000: [
    "country passed Germany (DE).",
    "length passed 22 of 22 characters.",
    "structure passed",
    "iso_check_digits passed 2+2",
  ],
  IBANDE89370400440532013000: [
    "country failed The IBAN is not valid: it begins with the word IBAN; send the number without it, or add lenient=1. 0+4",
  ],
  AX2112345600000785: [
    "country failed This territory uses the country code FI; its check digits would be 21. 0+4",
  ],
  AO06000600000100037131174: [
    "country failed The IBAN is not valid: its country uses IBAN-like numbers that are not registered. 0+2",
  ],
  ZZ68539007547034: ["country failed The IBAN is not valid: its country is not in the IBAN registry. 0+2"],
  DE8937040044053201300: [
    "country passed Germany (DE).",
    "length failed The IBAN has 21 characters; its country (Germany) requires 22.",
    "structure unknown",
    "iso_check_digits unknown",
  ],
  GB2912BK60161331926819: [
    "country passed United Kingdom (GB).",
    "length passed 22 of 22 characters.",
    "structure failed Character 5 does not fit the structure that its country (United Kingdom) requires. 4+1",
    "iso_check_digits unknown",
  ],
};

test("country, length, structure and check digits each say what is right or wrong, and where", () => {
  for (const [iban, expected] of Object.entries(forms)) {
    const said = explain(iban)
      .checks.slice(0, 4)
      .map(({ check, result, detail = "", position }) => {
        const place = position === undefined ? "" : `${position.start}+${position.length}`;
        return `${check} ${result} ${detail} ${place}`.replace(/ +/g, " ").trim();
      });
    assert.deepEqual(said, expected, iban);
  }
});

test("check digits that are not digits are explained by where they are and by the right ones", () => {
  const iban = "DE8A370400440532013000";
  const { failed } = explain(iban);
  assert.deepEqual(pluck(failed, "check"), ["structure", "iso_check_digits"]);
  assert.deepEqual(failed[0]?.position, { start: 3, length: 1 });
  assert.equal(repaired(iban, failed[1]!), "DE89370400440532013000");
});

test("a bank code that does not exist is explained by the directory's edition", () => {
  const { status, failed } = explain(ibanOf("DE", "999999990532013000"));
  assert.equal(status, 7);
  assert.deepEqual(pluck(failed, "check"), ["bank_code"]);
  assert.deepEqual(failed[0]?.position, { start: 4, length: 8 });
  assert.match(failed[0]?.detail ?? "", /99999999.*edition \d{4}-\d{2}-\d{2}/);
});

test("the relation of a BIC to the IBAN is explained", () => {
  const iban = "DE89370400440532013000";
  const results: Readonly<Record<string, Check["result"]>> = {
    COBADEFFXXX: "passed",
    COBADEFF: "passed",
    COBADEFF370: "passed",
    DEUTDEFF: "failed",
    BNPAFRPP: "failed",
  };
  const details = new Set<string | undefined>();
  for (const [bic, result] of Object.entries(results)) {
    const entry = explain(`${iban}/${bic}`).checks.find(({ check }) => check === "bic");
    assert.equal(entry?.result, result, bic);
    details.add(entry?.detail);
  }
  assert.equal(details.size, 5, "each relation has a sentence of its own");
  assert.equal(explain(iban).checks.find(({ check }) => check === "bic")?.result, "not_applicable");
});

test("a Swiss QR-IBAN is valid with a warning, and the numbers beside its range are not", () => {
  for (const [bban, reason] of [
    ["30000001234567890", "qr_iban"],
    ["30002001234567890", "qr_iban"],
    ["00762011623852957", "bank_code_unknown"],
    ["09000000123456789", null],
  ] as const) {
    const iban = ibanOf("CH", bban);
    const { checks, status } = explain(iban);
    assert.equal(status, 1);
    const found = checks.find(({ check }) => check === "qr_iban");
    assert.equal(found?.result, reason === "qr_iban" ? "passed" : "not_applicable", iban);
    const { batch } = batchAnswer(directory, [iban], {
      ...plain,
      reason: true,
    }) as unknown as IbanBatchAnswer;
    const entry = batch.results[0]!;
    assert.deepEqual([entry.data.reason, entry.valid], [reason, true], iban);
  }
});
