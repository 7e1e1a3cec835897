import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readBankBicsCsv, withOtherBics } from "../../src/banks/files/bank-bics-csv.ts";
import { BicIndex, BicRegister, packBicRegister } from "../../src/banks/lookup/bics.ts";
import { plain } from "../../src/checks/answer.ts";
import { bicAnswer } from "../../src/checks/bic-answer.ts";
import { ibanAnswer } from "../../src/checks/iban-answer.ts";
import { germanBank } from "../banks/records.ts";
import { dataFolder, rowsOf } from "../banks/shipped.ts";
import { directory } from "../suggest/engine.ts";

const others = readBankBicsCsv("bank-bics.csv", readFileSync(`${dataFolder}bank-bics.csv`));
const main = new Map(
  rowsOf("banks.csv").map(({ country, bank_code, bic }) => [`${country} ${bank_code}`, bic]),
);
for (const { Bankleitzahl, BIC, Merkmal } of rowsOf("blz.csv"))
  if (Merkmal === "1") main.set(`DE ${Bankleitzahl}`, BIC);

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

const today = "2026-11-22";
const bics = new BicIndex(directory);
const register = new BicRegister(packBicRegister({ editions: { vop: today }, facts: new Map() }));
const base = { directory, bics, register };

interface BicData {
  readonly banks: readonly { bank_code: string; bank: string; zip: string; location: string }[];
  readonly bank_count: number;
}

test("a BIC leads to the main record of a bank code, not to one of its further locations", () => {
  const main = rowsOf("blz.csv").filter(({ Merkmal, BIC }) => Merkmal === "1" && BIC !== "");
  const answers = new Map<string, BicData>();
  for (const { BIC: bic, Bankleitzahl: code, Bezeichnung: name, PLZ: zip, Ort: location } of main) {
    const known = answers.get(bic) ?? (bicAnswer(base, bic, today, "en") as { data: BicData }).data;
    answers.set(bic, known);
    const found = known.banks.find(({ bank_code }) => bank_code === code);
    if (found === undefined) assert.ok(known.bank_count > known.banks.length, `${bic} ${code}`);
    else assert.deepEqual([found.bank, found.zip, found.location], [name, zip, location], `${bic} ${code}`);
  }
});
