import assert from "node:assert/strict";
import { test } from "node:test";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { BicIndex, BicRegister, packBicRegister } from "../../src/banks/lookup/bics.ts";
import { bicAnswer } from "../../src/checks/bic-answer.ts";
import { dataFolder, rowsOf } from "../banks/shipped.ts";
import { loadShippedDirectory } from "../support/shipped-directory.ts";

const today = "2026-11-22";
const directory = new BankDirectory(await loadShippedDirectory(dataFolder));
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
