import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { type RunningService, testKey } from "../service.ts";
import { giveKey, type OpenConsole, openConsole, type WatchedPage, withoutBrowser } from "./browser.ts";

describe("the console in a browser", { skip: withoutBrowser }, () => {
  let service: RunningService;
  let watched: WatchedPage;
  let page: Page;
  let close: OpenConsole["close"];

  before(async () => {
    ({ service, watched, page, close } = await openConsole());
  });

  after(() => close());

  async function enter(key: string): Promise<void> {
    await giveKey(page, key);
    await page.waitForSelector("#check-form:not([hidden])");
  }

  test("groups a right IBAN in fours and shows its bank and every check", async () => {
    await enter(testKey);
    await page.fill("#input", "DE89370400440532013000");
    await page.waitForSelector("h2.valid");
    assert.equal(await page.inputValue("#input"), "DE89 3704 0044 0532 0130 00");
    assert.match((await page.textContent(".bank")) ?? "", /Commerzbank.*COBADEFFXXX.*Köln.*SCT/s);
    assert.equal(await page.locator(".checks .failed").count(), 0);
    assert.ok((await page.locator(".checks li").count()) >= 6);
    await watched.picture("console-right");
  });

  test("marks the wrong check digits of an IBAN and says which would be right", async () => {
    await page.fill("#input", "DE88370400440532013000");
    await page.waitForSelector("h2.invalid");
    assert.deepEqual(await page.locator(".characters mark").allTextContents(), ["8", "8"]);
    assert.match((await page.textContent(".checks .failed")) ?? "", /Right would be 89/);
    assert.match(
      (await page.textContent(".checks li")) ?? "",
      /Right would be 89/,
      "failed checks come first",
    );
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 375, height: 900 });
    await watched.picture("console-wrong-dark-phone");
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert.equal(await page.evaluate(overflow), 0);
  });

  test("proposes what may have been meant, and takes it over", async () => {
    await page.fill("#input", "DE89 3704 0044 0532 0310 00");
    const proposal = page.locator(".proposals button").first();
    await proposal.locator("mark").nth(1).waitFor();
    assert.match((await proposal.textContent()) ?? "", /^DE89 3704 0044 0532 0130 00Commerzbank$/);
    assert.deepEqual(await proposal.locator("mark").allTextContents(), ["1", "3"]);
    await watched.picture("console-proposal-dark-phone");
    await proposal.focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("h2.valid");
    assert.equal(await page.inputValue("#input"), "DE89 3704 0044 0532 0130 00");
    assert.equal(await page.locator(".proposals").count(), 0);
  });

  test("checks an account number with its bank code, and speaks German", async () => {
    await page.fill("#input", "0532013000");
    await page.fill("#blz", "37040044");
    await page.waitForSelector("h2.valid");
    await page.fill("#input", "1234567");
    await page.waitForSelector("h2.invalid");
    assert.equal(await page.textContent(".characters"), "0001 2345 67");
    assert.deepEqual(await page.locator(".characters mark").allTextContents(), ["5"]);
    await page.fill("#blz", "10000000");
    await page.waitForSelector('h2.undecided:text-is("Cannot be told")');
    await page.fill("#input", "0532013000");
    await page.fill("#blz", "37040044");
    await page.selectOption("#language", "de");
    await page.waitForSelector('h2.valid:text-is("Gültig")');
    assert.match((await page.textContent(".checks")) ?? "", /Prüfziffer der Kontonummer/);
    await page.fill("#input", "DE88370400440532013000");
    await page.waitForSelector('h2.invalid:text-is("Nicht gültig")');
    assert.equal(
      await page.textContent(".told .detail"),
      "Die IBAN ist ungültig: Ihre Prüfziffern sind falsch.",
    );
    assert.equal(await page.locator('[lang="en"]').count(), 0, "nothing is left in English");
  });

  test("asks no other host for anything, keeps the key in the tab and causes no complaint", async () => {
    assert.deepEqual(
      watched.requested.filter((url) => !url.startsWith(service.url)),
      [],
    );
    assert.deepEqual(watched.complaints, []);
    assert.equal(await page.evaluate("localStorage.length + document.cookie.length"), 0);
  });

  test("asks for the key again when the service refuses it", async () => {
    await page.evaluate("sessionStorage.clear()");
    await page.reload();
    await enter("wrong");
    await page.fill("#input", "DE89370400440532013000");
    await page.waitForSelector("#key-form:not([hidden])");
    assert.match((await page.textContent("#notice")) ?? "", /API key/);
    assert.equal(await page.evaluate('sessionStorage.getItem("bankcheck-key")'), null);
  });

  test("says that the service cannot be reached and goes on once it can", async () => {
    await enter(testKey);
    await page.context().setOffline(true);
    await page.fill("#input", "DE88370400440532013000");
    await page.waitForSelector(".notice.wrong:not(:empty)");
    await page.context().setOffline(false);
    await page.waitForSelector("h2.invalid");
  });
});
