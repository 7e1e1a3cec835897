import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type VerdictWord, verdictOf, verdictWords } from "../../src/contract/verdict.ts";
import { testKey, useSharedService } from "../service.ts";
import { startCommand } from "../support/start-command.ts";
import { useConsole, withoutBrowser } from "./browser.ts";

/** Numbers of every verdict, with the reason in the service's answer. */
const numbers = [
  ["DE89370400440532013000", "", null, "valid"],
  ["DE89370400440532013000", "COBADEFFXXX", null, "valid"],
  ["DE89370400440532013000", "BYLADEM1001", "bic_mismatch", "doubtful"],
  ["AT021420000000000001", "EASYATW1", "bic_former", "doubtful"],
  ["CH9300762011623852957", "", "bank_code_unknown", "doubtful"],
  ["CH8330761079043346526", "", "qr_iban", "doubtful"],
  ["GB53BARC93806315764273", "", "uk_modulus", "doubtful"],
  ["AT021420000000000001", "", "bank_list_old", "doubtful"],
  ["DE29760694091644440170", "", "bank_code_deletion", "doubtful"],
  ["DE88370400440532013000", "", "iso_check_digits", "invalid"],
  ["DE65123456780532013000", "", "bank_code_unknown", "invalid"],
  ["DE8937040044053201300", "", "length", "invalid"],
  ["XX89370400440532013000", "", "country_unknown", "invalid"],
] as const;
const expected = numbers.map(([, , , word]) => word);
const count = (word: VerdictWord) => expected.filter((one) => one === word).length;
const rows = `iban;bic\n${numbers.map(([iban, bic]) => `${iban};${bic}`).join("\n")}\n`;

describe("one table of verdicts, everywhere", { skip: withoutBrowser }, () => {
  const service = useSharedService();
  const ui = useConsole({ opened: () => ui.signIn() });
  const { page } = ui;

  test("the service answers with the reason from which each verdict follows", async () => {
    for (const [iban, bic, reason, word] of numbers) {
      const answer = await service.post("/v1/iban?reason=1", { iban, ...(bic !== "" && { bic }) });
      const { status, data } = (await answer.json()) as { status: number; data: { reason: string | null } };
      assert.deepEqual([iban, data.reason, verdictOf(status === 1, data.reason)], [iban, reason, word]);
    }
  });

  test("the command counts the same verdicts, in the same words", async () => {
    const environment = { BANKCHECK_URL: service.url, BANKCHECK_KEY: testKey };
    const { stderr } = await startCommand(
      ["check", "-", "--column", "iban", "--bic-column", "bic"],
      environment,
      rows,
    ).result;
    const words = Object.entries(verdictWords).map(([word, { en }]) => `${en} ${count(word as VerdictWord)}`);
    assert.ok(stderr.includes(`: ${words.join(" · ")}\n`), stderr);
  });

  test("Check shows them", async () => {
    for (const [iban, bic, , word] of numbers) {
      await page.press("#input", "Escape");
      await ui.enter(bic === "" ? iban : `IBAN ${iban} BIC ${bic}`);
      const anyway = page.getByRole("button", { name: "Check anyway" });
      if (await anyway.isVisible()) await anyway.click();
      await page.locator("h2.verdict").waitFor();
      assert.equal(await page.getAttribute("h2.verdict", "class"), `verdict ${word}`, `${iban} ${bic}`);
    }
  });

  test("Batch shows them, row by row and in its figures", async () => {
    await page.click("#tab-batch");
    await ui.openFile(rows);
    await ui.checkAll();
    const classes = await page.evaluate(
      "[...document.querySelectorAll('.table .row .verdict')].map(({ classList }) => classList[1])",
    );
    assert.deepEqual(classes, expected);
    for (const word of ["valid", "doubtful", "invalid"] as const)
      assert.equal(await page.textContent(`.filters .${word} strong`), String(count(word)), word);
  });

  test("Check and Service say the same of a country's list: whether it is whole, and whether it is old", async () => {
    await page.click("#tab-check");
    const saidOf = async (iban: string) => {
      await page.press("#input", "Escape");
      await ui.enter(iban);
      await page.locator(".checks").waitFor();
      return (await page.textContent(".result"))!;
    };
    // No list has the bank code 19043.
    assert.doesNotMatch(await saidOf("AT611904300234573201"), /complete/);
    assert.match(await saidOf("AT021420000000000001"), /over a year old/);
    assert.doesNotMatch(await saidOf("DE89370400440532013000"), /year old/);
    await page.click("#tab-service");
    const [austria, germany] = await Promise.all(
      ["Austria AT", "Germany DE"].map(async (name) => {
        const row = page.locator(".lists tr", { hasText: name });
        return [await row.locator(".coverage").textContent(), await row.locator(".old").count()];
      }),
    );
    assert.deepEqual({ austria, germany }, { austria: ["complete", 1], germany: ["complete", 0] });
  });
});
