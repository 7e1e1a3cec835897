import assert from "node:assert/strict";
import { describe, test } from "node:test";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { useConsole, withoutBrowser } from "./browser.ts";

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Of parts that are all alike, the first ones stand for the others. */
const repeated = [
  ".lists tbody tr:nth-child(n + 6)",
  ".operation ~ .operation",
  ".table .row:nth-child(n + 8)",
];

/** Returns violations of WCAG 2.2, levels A and AA, on the page. */
async function violations(page: Page): Promise<string[]> {
  // Half a megabyte to hand over and compile.
  if (!(await page.evaluate<boolean>(`"axe" in window`))) await page.evaluate(`(() => { ${axe.source} })()`);
  // There are no media to wait for, and selectors are not printed.
  const options = { runOnly: standards, resultTypes: ["violations"], selectors: false, preload: false };
  const found = await page.evaluate<axe.AxeResults>(
    `axe.run({ exclude: ${JSON.stringify(repeated.map((selector) => [selector]))} }, ${JSON.stringify(options)})`,
  );
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describe("the console for everybody", { skip: withoutBrowser }, () => {
  // Colours are those after a transition.
  const ui = useConsole({ prepare: (page) => page.emulateMedia({ reducedMotion: "reduce" }) });
  const { page } = ui;

  /** Expects no violations once this is shown. */
  async function expectNone(shown: string): Promise<void> {
    await page.waitForSelector(shown);
    assert.deepEqual(await violations(page), [], "light");
    const { width, height } = page.viewportSize()!;
    // Colours do not depend on the width, nor the layout on the colours; German words are longer.
    await page.emulateMedia({ colorScheme: "dark" });
    await page.selectOption("#language", "de");
    for (const phoneOrTablet of [768, 360]) {
      await page.setViewportSize({ width: phoneOrTablet, height: 780 });
      assert.equal(await ui.overflow(), 0, `nothing is wider than ${phoneOrTablet} pixels`);
    }
    const lines = "new Set([...document.querySelectorAll('[role=tab]')].map((tab) => tab.offsetTop)).size";
    assert.equal(await page.evaluate(lines), 1, "the tabs are in one line");
    assert.deepEqual(await violations(page), [], "dark, German, on a phone");
    await page.selectOption("#language", "en");
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: "light" });
  }

  test("the question for the key", () => expectNone("#key-form"));

  test("the Check view, empty, right and wrong", async () => {
    await ui.signIn();
    await expectNone("#check-form");
    for (const [iban, verdict] of [
      ["DE89370400440532013000", "valid"],
      ["DE88370400440532013000", "invalid"],
    ] as const) {
      await ui.enter(iban);
      await expectNone(`h2.${verdict}`);
    }
  });

  test("the Banks, Service and Reference views", async () => {
    await page.click("#tab-banks");
    await ui.searchBanks({ name: "Volksbank" });
    await page.waitForSelector(".banks table");
    await page.locator(".banks button.link").first().click();
    await expectNone("tr.more dl");
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.locator(".banks button.link").first().isVisible(), "names are printed");
    assert.equal(await page.locator(".banks button.copy").first().isVisible(), false);
    await page.emulateMedia({ media: "screen" });
    await page.click("#tab-service");
    await expectNone(".lists table");
    await page.emulateMedia({ media: "print" });
    const list = page.locator(".lists .scrolled").first();
    const isWhole = await list.evaluate(({ clientHeight, scrollHeight }) => clientHeight === scrollHeight);
    assert.ok(isWhole, "all countries are printed");
    await page.emulateMedia({ media: "screen" });
    await page.click("#tab-reference");
    await expectNone(".operation");
    await page.click("#tab-check");
  });

  test("the Batch view, empty, ready, done, filtered and on a phone", async () => {
    await page.locator("#tab-check").focus();
    await page.keyboard.press("ArrowRight");
    await expectNone("#batch-source");
    const rows = "DE89370400440532013000;Bremen\nDE88370400440532013000;Köln\n".repeat(100);
    await ui.openFile(rows);
    await expectNone(".table .row");
    await page.keyboard.press("Enter");
    await expectNone(`${ui.startButton}[hidden] ~ button`);
    await page.locator(".table .row").nth(1).click();
    await expectNone(".details h2.invalid");
    await page.click(".filters button:nth-child(2)");
    await expectNone('.table[aria-rowcount="101"]');
    await page.fill(".filters [type=search]", "no row has this");
    await expectNone(".results .none:not([hidden])");
  });

  test("the Pool view, with figures and without the service", async () => {
    await page.click("#tab-pool");
    await page.locator(".figures dd", { hasText: /\/s$/ }).first().waitFor();
    await expectNone(".chart >> nth=6 >> svg");
    await page.context().setOffline(true);
    await expectNone(".notice.wrong:not(:empty)");
  });
});
