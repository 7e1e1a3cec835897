import assert from "node:assert/strict";
import { test } from "node:test";
import { isFormalIban } from "../../../src/banking/iban/normalise.ts";
import { withCountry } from "../../../src/banking/reader/iban-forms.ts";
import { kindOfText } from "../../../src/banking/reader/kind-of-text.ts";
import { readIban } from "../../../src/banking/reader/one-iban.ts";
import { extractAnswer } from "../../../src/checks/extract-answer.ts";
import { batchAnswer, notAnIban } from "../../../src/checks/iban-answer.ts";
import { suggestAnswer } from "../../../src/checks/suggest-answer.ts";
import { ibansIn } from "../../../src/cli/single/commands.ts";
import type { ExtractAnswer, IbanBatchAnswer } from "../../../src/client/index.ts";
import { questionOf } from "../../../src/console/check/question.ts";
import { readCsvRow } from "../../../src/pool/stream/read-row.ts";
import { encoded } from "../../../src/rows/encoding.ts";
import { readNumber } from "../../../src/rows/read-number.ts";
import { filters } from "../../suggest/engine.ts";
import { pluck } from "../../support/pluck.ts";
import { lineOptions } from "../../support/stream-blocks.ts";
import { textsWithNumbers } from "../../support/texts-with-numbers.ts";
import { words } from "../../support/words.ts";

const column = { kind: "iban", columns: [0], prefix: "" } as const;

for (const [text, numbers = ""] of textsWithNumbers) {
  test(`every place reads the same numbers in ${JSON.stringify(text)}`, () => {
    const wanted = numbers.match(/\S+/g) ?? [];
    const accounts = wanted.filter((number) => number.includes(":"));
    const bics = wanted.filter((number) => /^[A-Z]{6}[A-Z\d]{2}([A-Z\d]{3})?$/.test(number));
    const ibans = wanted.filter((number) => !accounts.includes(number) && !bics.includes(number));
    const { data } = extractAnswer(filters, text, "en").answer as ExtractAnswer;
    assert.deepEqual(pluck(data.ibans, "iban"), ibans, "POST /v1/extract");
    assert.deepEqual(pluck(data.bics, "bic"), bics, "POST /v1/extract");
    const extracted = data.accounts.map(
      ({ country, bank_code, account }) => `${country}:${bank_code}/${account}`,
    );
    assert.deepEqual(extracted, accounts, "POST /v1/extract");
    // The console proposes the country that a number lacks.
    const shown = new Set([...ibans.map((iban) => withCountry(iban) ?? iban), ...accounts]);
    assert.deepEqual(consoleNumbers(text), [...shown].sort(), "the console");
    const { found } = consoleQuestion(text);
    if (found !== undefined) assert.equal(found.bic, bics[0], "the console");
    if (ibans.length > 1) assert.deepEqual(ibansIn([text]), ibans, "bankcheck iban");
    if (ibans.length !== 1 || text.length > 160) return;

    const [iban = ""] = ibans;
    assert.deepEqual(
      suggestAnswer(filters, text, 3, "en"),
      suggestAnswer(filters, iban, 3, "en"),
      "POST /v1/suggest",
    );
    const lenient = { ...lineOptions, lenient: true };
    const { batch } = batchAnswer(filters.directory, [text], lenient) as IbanBatchAnswer;
    assert.equal(batch.results[0]?.iban, iban, "lenient=1");
    assert.deepEqual(ibansIn([text]).length, 1, "bankcheck iban");
    if (!isFormalIban(iban)) return;

    const { number, note } = readNumber(column, () => text);
    assert.deepEqual(number, bics.length === 1 ? { iban, bic: bics[0] } : { iban }, "a row of a file");
    assert.match(note, new RegExp(`^read as ${iban}$|^$`), "the note names the number");
    const [question] = csvQuestions(text);
    assert.equal(question !== undefined && "iban" in question && question.iban, iban, "a row of a stream");
  });
}

const consoleQuestion = (text: string) => questionOf(text, { bic: "", blz: "", isBicTyped: false });

/** The numbers that the console asks about, or says that it has read, as the table has them. */
function consoleNumbers(text: string): string[] {
  const { numbers = [], hint = "", cleaned = "" } = consoleQuestion(text);
  const asked = numbers.map((number) =>
    "iban" in number ? number.iban : `DE:${number.bankleitzahl}/${number.kontonummer}`,
  );
  const accounts = [...hint.matchAll(/Sort code (\d+), account (\d+)/g)];
  const british = accounts.map(([, bankCode, account]) => `GB:${bankCode}/${account}`);
  const read = cleaned.replace(/ \(.*/, "").replaceAll(" ", "");
  return [...new Set([...british, ...asked, read])].filter(Boolean).sort();
}

/** The questions that the second row of a CSV stream asks; the first names the columns. */
function csvQuestions(field: string) {
  return readCsvRow({ text: field, fields: [encoded(field)] }, [column]).numbers.map(
    ({ question }) => question,
  );
}

test("a row with several IBANs is not taken for one of them", () => {
  const text = "DE89 3704 0044 0532 0130 00 oder DE75 5121 0800 1245 1261 98";
  const { number, note } = readNumber(column, () => text);
  assert.deepEqual({ number, note }, { number: { iban: text.replaceAll(" ", "") }, note: "" });
});

test("of an IBAN among words it is said that they were left out, not what separates its groups; no long text is read", () => {
  const long = `${"Danke! ".repeat(20)}DE75-5121-0800-1245-1261-98`;
  assert.match(readIban(long).iban, /^DANKE!/);
  const { iban, decorations } = readIban("Please pay to DE75-5121-0800-1245-1261-98, thanks");
  assert.deepEqual([iban, decorations], ["DE75512108001245126198", ["text"]]);
});

test("an error says what a text is that was given as an IBAN", () => {
  const kinds: Readonly<Record<string, readonly string[]>> = {
    bic: ["COBADEFFXXX"],
    account: ["0532013000", "532/013.000-1"],
    card: ["4111111111111111", "5555 5555 5555 4444", "3782 822463 10005"],
    creditor_reference: ["rf18 5390 0754 7034"],
    creditor_identifier: ["DE98ZZZ09999999999"],
    prose: ["Bitte zahlen Sie bald."],
    none: [
      ...words`123 12345678901 RF18 XRF18539007547034 DE98ZZZ XDE98ZZZ09999999999 -- 4111111111111112`,
      ...["a b c", "ＤＥ８９ ＡＢＣ", "DE?? 3704", "Bitte 5 Euro zahlen"],
    ],
  };
  const cases = Object.entries(kinds).flatMap(([kind, texts]) => texts.map((text) => [kind, text] as const));
  for (const [kind, text] of cases) {
    assert.equal(kindOfText(text) ?? "none", kind, text);
    const error = notAnIban(text);
    assert.equal(error.code, "invalid_iban");
    const said = { bic: /a BIC/, account: /an account number/, card: /a card number/ }[kind];
    if (said !== undefined) assert.match(error.message, said);
  }
});
