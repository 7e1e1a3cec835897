import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { testKey } from "../service.ts";
import { useConsole, withoutBrowser } from "./browser.ts";

const rows = "name;iban\nAnna;DE89370400440532013000\nBen;DE88370400440532013000\n";

describe("the console by keyboard alone, as a screen reader reads it", { skip: withoutBrowser }, () => {
  // Nothing here may need a pointer.
  const script = `addEventListener("pointerdown", () => { throw new Error("a pointer was used"); })`;
  const ui = useConsole({ prepare: (page) => page.addInitScript(script) });
  const { page } = ui;

  const focused = () => page.locator("*:focus");

  /** Waits until what is in focus reads like this, which it may do a moment after a key. */
  async function focusIs(pattern: RegExp): Promise<void> {
    let tree = "";
    for (let tries = 0; tries < 200; tries++) {
      tree = await focused().ariaSnapshot();
      if (pattern.test(tree)) return;
      await page.waitForTimeout(50);
    }
    assert.match(tree, pattern);
  }

  /** Presses a key until what is in focus has this role and name. */
  async function tabTo(role: string, name: RegExp, key = "Tab"): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      const isAny = await page.evaluate<boolean>("document.querySelector(':focus') !== null");
      const tree = isAny ? await focused().ariaSnapshot() : "";
      const [first = ""] = tree.split("\n");
      if (first.includes(`- ${role} `) && name.test(first)) return;
      await page.keyboard.press(key);
    }
    assert.fail(`no ${role} ${name} can be reached by ${key}`);
  }

  /** Expects that the view reads like each of these. */
  async function viewHas(...parts: readonly RegExp[]): Promise<void> {
    const tree = await page.locator("#view").ariaSnapshot();
    for (const part of parts) assert.match(tree, part);
  }

  test("signs in, with the field in focus", async () => {
    await page.keyboard.type(testKey);
    await page.keyboard.press("Enter");
    await page.waitForSelector("#check-form");
    await tabTo("textbox", /IBAN, account number/);
  });

  test("checks a number: one sentence is spoken, and the tree has verdict, facts and checks", async () => {
    await page.keyboard.type("DE89 3704 0044 0532 0130 00");
    await ui.spoken(/^Valid\. Commerzbank$/);
    await viewHas(
      /heading "Valid" \[level=2\]/,
      /term: IBAN/,
      /button "Copy: IBAN"/,
      /group: All checks|All checks \(\d+\)/,
    );
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("h2.verdict").count(), 0);
    assert.equal(await page.inputValue("#input"), "");
    assert.equal(await page.evaluate("document.activeElement.id"), "input");
  });

  test("takes a correction, and a field that is entered again is selected as a whole", async () => {
    await page.keyboard.type("DE89 3704 0044 0532 0310 00");
    await page.keyboard.press("Enter");
    await ui.spoken(/^Not valid/);
    await tabTo("button", /"DE89 3704 0044 0532 0130 00 ?Commerzbank/);
    await page.keyboard.press("Enter");
    await ui.spoken(/^Valid\. Commerzbank$/);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    assert.equal(
      await page.evaluate("document.activeElement.selectionEnd - document.activeElement.selectionStart"),
      27,
    );
  });

  test("checks a list: from the pasted rows to the downloaded file", async () => {
    await tabTo("tab", /Check/, "Shift+Tab");
    await page.keyboard.press("ArrowRight");
    await tabTo("textbox", /Paste/);
    await page.keyboard.insertText(rows);
    await tabTo("button", /Use these rows/);
    await page.keyboard.press("Enter");
    await page.waitForSelector("#batch-work:not([hidden])");
    await tabTo("button", /Check 2 rows/);
    await page.keyboard.press("Enter");
    await ui.spoken(/^1 of 2 need attention: Wrong check digits \(1\)\.$/);
    // The focus stays with the run, on what comes next.
    await focusIs(/button "Download/);
    await viewHas(
      /table "Results"/,
      /columnheader "Verdict"/,
      /cell "Not valid Wrong check digits"/,
      /cell "Anna"/,
    );
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    assert.match(readFileSync(await download.path(), "utf8"), /^\uFEFFname;iban;status;valid/);
  });

  test("opens a row's whole check and closes it again", async () => {
    await tabTo("table", /Results/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await focusIs(/row.*Ben|cell "Ben"/s);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".details h2.invalid");
    await focusIs(/button "Close"/);
    await page.keyboard.press("Escape");
    assert.ok(await page.locator(".details").isHidden());
    await focusIs(/row/);
  });

  test("searches a bank, reads its details and then checks an account there", async () => {
    await tabTo("tab", /Batch/, "Shift+Tab");
    await page.keyboard.press("ArrowRight");
    await tabTo("textbox", /Name/);
    await page.keyboard.type("Commerzbank");
    await tabTo("textbox", /Bank code/);
    await page.keyboard.type("37040044");
    await page.keyboard.press("Enter");
    await ui.spoken(/match/);
    await tabTo("button", /Commerzbank/);
    await page.keyboard.press("Enter");
    await ui.says("tr.more dd", "Deutsche Bundesbank");
    await tabTo("link", /Check an account/);
    await page.keyboard.press("Enter");
    await page.waitForSelector("#check-form");
    await ui.waitUntil("document.activeElement.id === 'input'");
    await page.keyboard.type("532013000");
    await page.keyboard.press("Enter");
    await ui.spoken(/^Valid\. Commerzbank$/);
  });

  test("reads the pool: figures, what limits it, every process and what happened", async () => {
    await tabTo("tab", /Check/, "Shift+Tab");
    for (const _ of ["Batch", "Banks", "Pool"]) await page.keyboard.press("ArrowRight");
    await page.locator(".figures dd", { hasText: /\/s$/ }).first().waitFor();
    await page.locator(".chart svg").nth(6).waitFor();
    await viewHas(
      /term: Requests/,
      /term: Front end busy/,
      /img "Utilisation over time/,
      /columnheader "Workers busy"/,
      /cell "Process 1 pid \d+"/,
      /heading "Events"/,
      /term: Settings/,
    );
    await tabTo("button", /1 hour/);
    await page.keyboard.press("Enter");
    assert.equal(await focused().getAttribute("aria-pressed"), "true");
  });
});
