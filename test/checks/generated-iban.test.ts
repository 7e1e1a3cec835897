import assert from "node:assert/strict";
import { test } from "node:test";
import { generateIban } from "../../src/banking/germany/iban-rules/generate.ts";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { germanRuleBank } from "../../src/banks/directory/find-bank.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import { dataFolder } from "../banks/shipped.ts";
import { loadShippedDirectory } from "../support/shipped-directory.ts";

test("the IBAN and BIC that an IBAN rule makes of an account at any bank are valid together", async () => {
  const directory = new BankDirectory(await loadShippedDirectory(dataFolder));
  const bankOf = (blz: string) => germanRuleBank(directory, blz);
  let made = 0;
  for (let index = 0; index < directory.germanCount; index++) {
    const { bankCode, main } = directory.record(index);
    if (!main) continue;
    for (let number = 1; number < 9; number++) {
      const account = String((number * 7_919 + index * 104_729) * 10 ** (number % 4)).slice(-10);
      const generated = generateIban(bankCode, account, bankOf);
      if (!("iban" in generated)) continue;
      made++;
      const { outcome } = checkIban(directory, generated.iban, generated.bic ?? undefined);
      assert.equal(outcome, "valid", `${bankCode} ${account} ${generated.iban} ${generated.bic}`);
    }
  }
  assert.ok(made > 5_000, String(made));
});
