import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { readBankBicsCsv, withOtherBics } from "../../src/banks/files/bank-bics-csv.ts";
import { plain } from "../../src/checks/answer.ts";
import { ibanAnswer } from "../../src/checks/iban-answer.ts";
import type { IbanCheckAnswer } from "../../src/client/index.ts";
import { germanBank } from "../banks/records.ts";
import { dataFolder, rowsOf } from "../banks/shipped.ts";
import { loadShippedDirectory } from "../support/shipped-directory.ts";

const directory = new BankDirectory(await loadShippedDirectory(dataFolder));
const others = readBankBicsCsv("bank-bics.csv", readFileSync(`${dataFolder}bank-bics.csv`));
const main = new Map(
  rowsOf("banks.csv").map(({ country, bank_code, bic }) => [`${country} ${bank_code}`, bic]),
);
for (const { Bankleitzahl, BIC, Merkmal } of rowsOf("blz.csv"))
  if (Merkmal === "1") main.set(`DE ${Bankleitzahl}`, BIC);

function check(country: string, bban: string, bic: string, language: "en" | "de" = "en"): IbanCheckAnswer {
  return ibanAnswer(directory, composeIban(country, bban), bic, {
    ...plain,
    language,
    reason: true,
  }) as IbanCheckAnswer;
}

/** Length of the account by country, where nothing else is in the BBAN. */
const accountLengths: Readonly<Record<string, number>> = { AT: 11, CH: 12, NL: 10 };

test("each further BIC of a bank code is right, each former one is refused with what is right today", () => {
  let checked = 0;
  for (const [key, { further, former }] of others) {
    const [country = "", code = ""] = key.split(" ");
    const length = accountLengths[country];
    if (length === undefined) continue;
    const bban = code + "1".padStart(length, "0");
    for (const bic of further) assert.deepEqual([check(country, bban, bic).status, key, bic], [1, key, bic]);
    for (const { bic } of former) {
      const { status, message, data } = check(country, bban, bic);
      assert.deepEqual([status, data.reason, key], [2, "bic_former", key]);
      const today = main.get(key)!;
      assert.ok(message.includes(today === "" ? "not known" : `current BIC is ${today}`), message);
      checked++;
    }
  }
  assert.ok(checked > 20, `${checked}`);
});

test("COBADEFFXXX is right at a code of the former Dresdner Bank, another bank's BIC is not", () => {
  const account = Array.from(
    { length: 100 },
    (_, number) => `50080000${String(1_234_500 + number).padStart(10, "0")}`,
  );
  const bban = account.find((one) => check("DE", one, "DRESDEFF500").status === 1);
  assert.ok(bban !== undefined);
  assert.equal(check("DE", bban, "COBADEFFXXX").status, 1);
  const other = check("DE", bban, "DEUTDEFF");
  assert.deepEqual([other.status, other.data.reason], [2, "bic_mismatch"]);
});

test("the last day of a former BIC is named where it is known", () => {
  const ten = "6790000001";
  const bban = ten + String(Number(BigInt(ten) % 97n) || 97).padStart(2, "0");
  const { status, message } = check("BE", bban, "PCHQBEBB");
  assert.equal(status, 2, message);
  assert.match(message, /valid until 2025-12-14; the current one is [A-Z0-9]{8}/);
  assert.match(check("BE", bban, "PCHQBEBB", "de").message, /galt bis 2025-12-14; der aktuelle ist/);
});

test("the file repeats no main BIC, and no BIC is both further and former", () => {
  for (const [key, { further, former }] of others) {
    const own = main.get(key);
    assert.ok(own !== undefined, key);
    const others = new Set([...further, ...former.map(({ bic }) => bic)].map((bic) => bic.slice(0, 8)));
    assert.ok(own === "" || !others.has(own.slice(0, 8)), key);
    for (const { bic } of former) assert.ok(!further.some((one) => one.slice(0, 8) === bic.slice(0, 8)), key);
  }
});

test("an assumed SEPA scheme says that most banks of the country had it, and when", () => {
  const explained = ibanAnswer(directory, "AT611904300234573201", undefined, { ...plain, explain: true });
  assert.match(JSON.stringify(explained), /Most banks of the country had these schemes on 2026-05-25\./);
  const german = ibanAnswer(directory, "DE89370400440532013000", undefined, { ...plain, explain: true });
  assert.doesNotMatch(JSON.stringify(german), /Most banks of the country/);
});

test("an imported list of German bank codes drops only the other BICs that it contradicts", () => {
  const further = {
    main: "DRESDEFF370",
    further: ["COBADEFFXXX"],
    former: [{ bic: "PBNKDEFFXXX", until: null }],
  };
  const bics = new Map([["DE 37080040", further]]);
  const of = (bic: string | null) =>
    withOtherBics([germanBank({ bankCode: "37080040", bic })], bics)[0]!.otherBics;
  const { main: _, ...kept } = further;
  for (const same of ["DRESDEFF370", "DRESDEFFXXX", "DRESDEFF", null]) assert.deepEqual(of(same), kept);
  const former = { bic: "DRESDEFF370", until: null };
  assert.deepEqual(of("COBADEFFXXX"), { further: [], former: [...further.former, former] });
  assert.deepEqual(of("PBNKDEFF"), { further: [], former: [former] });
});
