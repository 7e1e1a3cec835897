import assert from "node:assert/strict";
import { after, test } from "node:test";
import { buildDirectory } from "../../src/banks/directory/build.ts";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { loadShippedDirectory } from "../../src/banks/editions/load.ts";
import { accountAnswer } from "../../src/checks/account-answer.ts";
import { AnswerBytes } from "../../src/checks/answer-bytes.ts";
import { writeIbanAnswer } from "../../src/checks/iban-answer.ts";
import { IbanChecker } from "../../src/checks/iban-checker.ts";
import { inGerman } from "../../src/console/in-german.ts";
import { errorCatalogue } from "../../src/contract/errors.ts";
import { textOf } from "../../src/contract/message.ts";
import { accountOutcomes, ibanOutcomes } from "../../src/contract/status.ts";
import { germanBank, someEdition } from "../banks/records.ts";
import { dataFolder } from "../banks/shipped.ts";
import type { CheckAnswer } from "../contract/check-data.ts";
import { RandomIbans } from "../kernel/random-ibans.ts";

const shipped = new BankDirectory(await loadShippedDirectory(dataFolder));
const plain = { method: "13", rule: "000000" } as const;
const marked = new BankDirectory(
  buildDirectory(
    [
      germanBank({ ...plain, bankCode: "10000001", deleteMark: true, successor: "10000004" }),
      germanBank({ ...plain, bankCode: "10000002", deleteMark: true, removed: true }),
      germanBank({ ...plain, bankCode: "10000003", deleteMark: false, successor: "10000004" }),
      germanBank({ ...plain, bankCode: "10000004", sepaSource: "directory" }),
      germanBank({ ...plain, bankCode: "10000005", sepaSource: "inherited", rule: null, ruleSource: null }),
      germanBank({ bankCode: "10000006", method: null, ruleSource: "inferred" }),
    ],
    { ...someEdition, scl: "2026-11-02" },
  ),
);

const said = new Set<string>();

/** Whatever a German reader would be shown must be known, whole. */
function expectGerman({ message, data }: CheckAnswer): void {
  for (const english of [message, ...data.checks!.flatMap(({ detail }) => detail ?? [])]) {
    const german = inGerman(english);
    assert.ok(german !== undefined, english);
    assert.doesNotMatch(german, /bank code|\(edition|undefined|\{\}/, `${english} → ${german}`);
    said.add(german.replace(/[\d-]+|[A-Z0-9]{6,}/g, "#"));
  }
}
after(() => assert.ok(said.size > 40, `${said.size} different sentences were looked at`));

const numbers = ["532013000", "1", "1234567", "9999999999", "648489890", "5073321010", "12345678901"];

test("every answer about an account number can be told in German", () => {
  for (const [directory, isWanted] of [
    [marked, () => true],
    [shipped, (index: number) => index % 5 === 0],
  ] as const) {
    for (let index = 0; index < directory.size; index++) {
      const { country, main, bankCode } = directory.record(index);
      if (country !== "DE" || !main || !isWanted(index)) continue;
      for (const kontonummer of numbers) {
        for (const sepa of [true, false]) {
          const question = { kontonummer, blz: bankCode, sepa, explain: true };
          expectGerman(accountAnswer(directory, question) as CheckAnswer);
        }
      }
    }
  }
  for (const blz of ["10000000", "1"]) {
    expectGerman(accountAnswer(shipped, { kontonummer: "1", blz, sepa: true, explain: true }) as CheckAnswer);
  }
});

test("every answer about an IBAN can be told in German, with a BIC and without", () => {
  const bytes = new Uint8Array(64);
  const bics = [undefined, "COBADEFFXXX", "COBADEFF", "COBADEFF370", "BUNDATWW", "BCEELULL"];
  for (const directory of [shipped, marked]) {
    const checker = new IbanChecker(directory);
    const random = new RandomIbans(shipped, 5);
    const own = ["10000001", "10000002", "10000003", "10000004"].map((blz) => `DE00${blz}0532013000`);
    const fixed = [
      ...own,
      "DE89370400440532013000",
      "JE89370400440532013000",
      "DZ580002100001113000000570",
      "QQ12",
    ];
    const random2 = Array.from({ length: 8_000 }, () => random.next().replaceAll(" ", "").toUpperCase());
    for (const text of [...fixed, ...random2]) {
      if (!/^[A-Z]{2}[A-Z0-9]{3,32}$/.test(text)) continue;
      const { written } = new TextEncoder().encodeInto(text, bytes);
      for (const bic of bics) {
        const writer = new AnswerBytes();
        const into = new Uint8Array(8_192);
        writer.open(into);
        writeIbanAnswer(writer, checker, bytes, written, bic, true);
        expectGerman(
          JSON.parse(Buffer.from(into.subarray(0, writer.position)).toString("utf8")) as CheckAnswer,
        );
      }
    }
  }
});

test("what the service may refuse a reader with can be told in German", () => {
  const met = ["invalid_key", "invalid_iban", "invalid_kontonummer", "invalid_blz", "forbidden"] as const;
  const failures = ["internal_error", "checker_failed", "server_busy", "configuration_error"] as const;
  for (const code of [...met, ...failures, "payload_too_large"] as const) {
    assert.ok(inGerman(textOf(errorCatalogue[code].message, "en")) !== undefined, code);
  }
});

test("every message of the table of outcomes has its German, and what nobody says has none", () => {
  for (const { message: id } of [...ibanOutcomes, ...Object.values(accountOutcomes)]) {
    const message = textOf({ id }, "en");
    assert.ok(inGerman(message) !== undefined, message);
    assert.equal(inGerman(`${message} And so on.`), undefined);
  }
  assert.equal(inGerman("Germany (DE)."), "Deutschland (DE).");
  assert.equal(inGerman(""), "");
  assert.equal(
    inGerman(`The IBAN is valid. The bank code is marked for deletion; its successor is 10000004.`),
    "Die IBAN ist gültig. Die Bankleitzahl ist zur Löschung vorgemerkt; ihre Nachfolgerin ist 10000004.",
  );
});
