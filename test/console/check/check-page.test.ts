import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { composeIban } from "../../../src/banking/iban/compose.ts";
import { useConsole, withoutBrowser } from "../browser.ts";

const right = "DE89370400440532013000";

describe("the Check view in a browser", { skip: withoutBrowser }, () => {
  /** The checks that the service received. */
  let asked = 0;
  const ui = useConsole({
    prepare: (page) => {
      page.on("request", (request) => {
        if (/\/v1\/(iban|kto|extract)/.test(request.url())) asked++;
      });
      return page.clock.install();
    },
    opened: () => ui.signIn(),
  });
  const { page } = ui;
  /** What the Banks view says, and the rows that it found. */
  const notice = ".banks .notice";
  const found = ".banks tbody tr";
  const details = ".banks tr.more dl";

  beforeEach(async () => {
    await page.press("#input", "Escape");
    asked = 0;
  });

  const verdict = (kind: string) => page.waitForSelector(`h2.verdict.${kind}`);
  const check = async (text: string, kind: string) => {
    await page.fill("#input", text);
    await verdict(kind);
  };
  /** Opens another view, and this one again. */
  const comeBack = async () => {
    await page.click("#tab-service");
    await page.click("#tab-check");
  };
  const lookUps = (part: RegExp) => ui.requested.filter((url) => part.test(url)).length;

  test("shows bank, numbers to copy and every check of a right IBAN, and what valid does not mean", async () => {
    await check(right, "valid");
    await ui.expectText(
      "#verdict",
      /DE89 3704 0044 0532 0130 00/,
      /Commerzbank, 50447 Köln/,
      /SourceDeutsche Bundesbank, 7 Sept? 2026/,
      /directory \(edition \d+ \w+ 20\d\d\)/,
      /does not mean that the account exists/,
      /assumed from the country, not confirmed/,
    );
    assert.equal(await page.locator(".checks .failed").count(), 0);
    assert.ok((await page.locator(".checks li").count()) >= 6);
    const [green, accent] = await page.evaluate<string[]>(
      "['h2.valid', '.copy'].map((selector) => getComputedStyle(document.querySelector(selector)).color)",
    );
    assert.notEqual(green, accent, "valid does not look like a link");
  });

  test("copies the IBAN as machines and as people write it", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await check(right, "valid");
    for (const [label, text] of [
      ["Copy: IBAN", right],
      ["Copy with spaces: IBAN", "DE89 3704 0044 0532 0130 00"],
    ] as const) {
      await page.getByRole("button", { name: label, exact: true }).click();
      await ui.waitUntil(`navigator.clipboard.readText().then((text) => text === "${text}")`);
    }
    // As on a page without TLS.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { configurable: true })");
    await page.getByRole("button", { name: "Copy: IBAN", exact: true }).press("Enter");
    await page.locator("button:focus[title=Copied]").waitFor();
    await page.evaluate("delete navigator.clipboard");
  });

  test("marks the wrong check digits and says which are expected", async () => {
    await ui.enter("DE88370400440532013000");
    await verdict("invalid");
    assert.deepEqual(await page.locator(".characters mark").allTextContents(), ["8", "8"]);
    await ui.expectText(".checks li:first-child", /Expected: 89/);
  });

  test("shows what may have been meant, ranked by the service, and takes it over", async () => {
    for (const wrong of [
      "DE89 3704 0044 0532 0310 00",
      "DE89 37O4 0044 0532 0130 00",
      "CH39 0076 2011 6238 5295 7",
    ]) {
      await ui.enter(wrong);
      await verdict("invalid");
      const proposal = page.locator(".suggestions button").first();
      const text = (await proposal.locator(".number").textContent()) ?? "";
      assert.ok((await proposal.locator("mark").count()) > 0, wrong);
      await proposal.click();
      // The bank of the Swiss one is not in the list.
      await verdict(wrong.startsWith("CH") ? "doubtful" : "valid");
      assert.equal(await page.inputValue("#input"), text);
    }
    await ui.enter("DE89 3704 0044 0532 0310 00");
    await ui.says(".suggestions .hint", "Only the payee can confirm");
  });

  test("makes the IBAN of an account, in any order and spelling, with its SEPA schemes", async () => {
    for (const text of ["532013000 37040044", "BLZ 370 400 44 Konto 532013000"]) {
      await ui.enter(text);
      await verdict("valid");
      await ui.expectText(
        "#verdict",
        /IBAN of this account.*DE89 3704 0044 0532 0130 00/s,
        /SEPA payments.*credit transfer.*assumed from the country, not confirmed/s,
        /does not mean that the account exists/,
      );
    }
    assert.equal(asked, 1, "one account is asked about once");
  });

  test("finds which of two numbers without names is the bank code, and sends one check", async () => {
    for (const text of ["37040044 12345676", "12345676 37040044"]) {
      await ui.enter(text);
      await ui.says(".characters", "0012 3456 76 · 37040044");
      await ui.says("#verdict", "Commerzbank, 50447 Köln");
    }
    assert.equal(asked, 2, "which is the bank code, which is free, and one check");
  });

  test("checks the BIC together with the IBAN", async () => {
    await page.fill("#input", "DE02120300000000202051");
    await page.fill("#bic", "COBADEFFXXX");
    await verdict("doubtful");
    const wrongBic = /Valid, but ….*The IBAN is right, the BIC is not\. The bank does not have this BIC\./s;
    await ui.expectText("#verdict", wrongBic);
    assert.ok(await page.getByRole("button", { name: "Copy: IBAN", exact: true }).isVisible());
    await ui.expectText(".checks .failed", /BIC/);
    assert.deepEqual(await page.locator(".characters mark").allTextContents(), ["COBADEFFXXX"]);
    await page.fill("#bic", "BYLADEM1001");
    await verdict("valid");
    const numbers = await page.locator(".history .number").allTextContents();
    const bics = numbers.slice(0, 2).map((number) => number.split(" · ")[1]);
    const message = "checks that differ by the BIC alone look different";
    assert.deepEqual(bics, ["BYLADEM1001", "COBADEFFXXX"], message);
  });

  test("a BIC that is typed is asked about once, and one of a wrong length is said to be left out", async () => {
    await check("DE02120300000000202051", "valid");
    asked = 0;
    await page.fill("#bic", "");
    await ui.typeSlowly("#bic", "DEUTDEFFXXX", 170);
    await ui.says(".checks .failed", "BIC");
    assert.equal(asked, 1);
    await page.press("#bic", "Backspace");
    await ui.says(
      ".check .notice",
      /^The BIC is not checked yet: it must have 8 or 11 letters and digits\.$/,
    );
    await verdict("valid");
    assert.equal(asked, 1);
  });

  test("every check of a British IBAN has a name in words", async () => {
    await check("GB94BARC10201530093459", "doubtful");
    const names = await page.locator(".checks .name").allTextContents();
    assert.ok(names.includes("UK modulus check"), names.join(", "));
    const source = /Sourcelist “schwifty”, Sept? 2025, over a year old/;
    await ui.expectText("dl.facts", /Sort code102015.*Account number30093459/s, source);
    assert.doesNotMatch(names.join(), /_/);
  });

  test("typing an IBAN asks once, and neither language nor tabs ask again", async () => {
    await page.locator("#input").pressSequentially("MT84MALT011000012345MTLCAST001S", { delay: 10 });
    await verdict("valid");
    await ui.inGerman(() => page.waitForSelector('.facts dt:text-is("Bankcode")'));
    await page.press("#input", "Escape");
    await page.locator("#input").pressSequentially("AT611904300234573202", { delay: 10 });
    await verdict("invalid");
    await ui.inGerman(() => page.waitForSelector('h2.invalid:has-text("Ungültig")'));
    await comeBack();
    await verdict("invalid");
    assert.equal(asked, 2);
  });

  test("a screen reader hears nothing while an IBAN is typed, and what is missing when the typing pauses", async () => {
    // What is said of the empty form has been read out by then.
    await page.clock.runFor(1_000);
    const heard = await ui.listen();
    await ui.typeSlowly("#input", "DE02100500000054540402", 60);
    await verdict("valid");
    assert.deepEqual(await heard(), ["Valid. BSK 1818 - Berliner Sparkasse"]);
    await page.press("#input", "Backspace");
    await ui.spoken("21 of 22 characters.");
    assert.deepEqual(await heard(), ["21 of 22 characters."]);
  });

  test("a wrong number is listed beside a right one, in the order of the text; one that is chosen keeps its BIC, and the list is kept while other views are open", async () => {
    const text = `Bisher: IBAN AT61 1904 3002 3457 3203 / Neu: IBAN DE89 3704 0044 0532 0130 00, COBADEFFXXX`;
    await page.fill("#input", text);
    await page.getByRole("button", { name: "Check the 2 numbers in this text" }).click();
    const listed = page.locator("#verdict .suggestions li button");
    await listed.nth(1).waitFor();
    await ui.inGerman(() => ui.says("#verdict h2", "Im Text gefunden"));
    await ui.says("#verdict h2", "Found in the text");
    await comeBack();
    await listed.nth(1).waitFor();
    assert.deepEqual(await listed.locator(".number").allTextContents(), [
      "AT61 1904 3002 3457 3203",
      "DE89 3704 0044 0532 0130 00 · COBADEFFXXX",
    ]);
    await listed.nth(0).locator(".verdict.invalid").waitFor();
    await listed.nth(1).locator(".verdict.valid").waitFor();
    assert.equal(asked, 2, "each number is checked once");
    await listed.nth(1).click();
    await verdict("valid");
    assert.equal(await page.inputValue("#bic"), "COBADEFFXXX");
    await ui.expectText("#verdict .characters", /COBADEFFXXX/);
    await comeBack();
    await verdict("valid");
    assert.equal(await page.inputValue("#bic"), "COBADEFFXXX");
    assert.equal(asked, 2, "opening one costs nothing");
    await check("AT61 1904 3002 3457 3201", "doubtful");
    assert.equal(await page.inputValue("#bic"), "", "a BIC goes with its IBAN");
  });

  test("a British account beside an IBAN is said to need its BIC, and is checked with that", async () => {
    await check(`IBAN ${right}, Sort code 60-16-13 Account 31926819`, "valid");
    await ui.says(".notice", "601613, account 31926819: add the bank's BIC");
    await page.fill("#bic", "NWBKGB2L");
    await page.getByRole("button", { name: "Check the 2 numbers in this text" }).click();
    const listed = page.locator("#verdict .suggestions .number").nth(1);
    assert.equal(await listed.textContent(), "GB29 NWBK 6016 1331 9268 19 · NWBKGB2L");
  });

  test("a list stops at the first failure, keeps what was answered, and says what was not checked", async () => {
    const accounts = Array.from({ length: 20 }, (_, index) => `3704004405320${14_000 + index}`);
    const text = accounts.map((bban) => composeIban("DE", bban)).join("\n");
    await page.route("**/v1/iban*", (route) => (asked <= 6 ? route.continue() : route.abort()));
    await page.fill("#input", text);
    await page.getByRole("button", { name: "Check the 20 numbers in this text" }).click();
    const notice = page.locator(".check .notice", { hasText: "The service cannot be reached." });
    assert.equal(await notice.textContent(), "Not checked: 14 of 20 numbers. The service cannot be reached.");
    assert.ok(asked <= 10, `${asked} were sent`);
    const listed = page.locator("#verdict .suggestions li");
    const verdicts = listed.locator(".verdict");
    assert.deepEqual([await listed.count(), await verdicts.count()], [20, 6]);
    assert.equal(await listed.getByText("Not checked").count(), 14);
    await page.unroute("**/v1/iban*");
    asked = 0;
    await page.getByRole("button", { name: "Try again" }).click();
    await verdicts.nth(19).waitFor();
    assert.equal(asked, 14, "what was answered is not asked again");
  });

  test("fills in an unreadable digit, and sends no card number", async () => {
    await ui.enter("DE89 37?4 0044 0532 0130 00");
    await verdict("invalid");
    await ui.expectText(".suggestions button .number", /^DE89 3704 0044 0532 0130 00$/);
    asked = 0;
    await page.fill("#input", "4111 1111 1111 1111");
    await ui.says(".notice", "This is a card number");
    await page.clock.runFor(2_000);
    assert.equal(asked, 0);
  });

  test("asks for the bank code of an account number alone, and takes one from the address while the view is open", async () => {
    await page.fill("#input", "532013000");
    await page.fill("#blz", "37040044");
    await page.press("#blz", "Enter");
    await verdict("valid");
    await page.evaluate("location.hash = 'check/37040044'");
    await ui.says(".check .notice", "at bank code 37040044");
    await check("532013000", "valid");
    await ui.expectText("#verdict .characters", /37040044/);
  });

  test("says that a text is too long to be searched", async () => {
    await ui.enter("word ".repeat(10_000));
    await ui.says(".notice.wrong", "The text is too long.");
  });

  test("what was checked can be saved, survives a reload without a further check, and is gone after signing out", async () => {
    const numbers = page.locator(".history .number");
    const before = await numbers.allTextContents();
    assert.ok(before.length > 5);
    const download = await ui.downloadBy("Download as CSV");
    assert.equal(download.suggestedFilename(), "bankcheck-session.csv");
    const reload = async () => {
      await page.reload();
      await page.waitForSelector(".history li");
    };
    await reload();
    assert.deepEqual(await numbers.allTextContents(), before);
    await numbers.first().click();
    await page.waitForSelector("h2.verdict");
    assert.equal(await page.inputValue("#input"), before[0]);
    assert.equal(asked, 0);
    await page.evaluate(`for (let index = 0; index < 200; index++) sessionStorage.setItem(
      "check " + index, Object.values(sessionStorage).find((text) => text.startsWith("{")).replace(/"iban":"../, '"iban":"X' + index))`);
    await reload();
    assert.equal(await numbers.count(), 100);
    await page.click("#sign-out");
    await page.waitForSelector("#key:visible");
    assert.equal(await page.evaluate("sessionStorage.length"), 0);
    await ui.signIn();
    assert.equal(await numbers.count(), 0);
  });

  test("checks again what failed when the browser is back online", async () => {
    await page.route("**/v1/iban*", (route) => route.abort());
    await page.fill("#input", "LI21088100002324013AA");
    await ui.says(".notice.wrong", "cannot be reached");
    await page.unroute("**/v1/iban*");
    await page.evaluate("dispatchEvent(new Event('online'))");
    await page.waitForSelector("h2.verdict");
    await ui.expectText("dl.facts", /Account number0002324013AA/);
  });

  test("draws the QR code of a payment to a valid IBAN, or says that what draws it is missing", async () => {
    await page.route("**/lean-qr-*.js", (route) => route.abort());
    await check(right, "valid");
    await page.locator(".payment summary").click();
    const [payee, amount] = [page.locator(".payment input").first(), page.locator(".payment input").nth(1)];
    await payee.fill("Erika");
    await ui.says(".payment .wrong", "is missing");
    assert.equal(await page.isVisible("canvas.qr"), false);
    await page.unroute("**/lean-qr-*.js");
    const load = await ui.hold("**/lean-qr-*.js");
    await payee.fill("Erika Mustermann");
    await amount.fill("nothing");
    const answered = page.waitForResponse("**/lean-qr-*.js");
    load();
    await answered;
    await ui.says(".payment .wrong", "at most two decimals");
    assert.equal(await page.isVisible("canvas.qr"), false, "a code is drawn of what is filled in now");
    await amount.fill("12,30");
    await page.waitForSelector("canvas.qr:visible");
    assert.ok(await page.evaluate<boolean>("document.querySelector('canvas.qr').width > 30"));
  });

  test("shows the verdict of an answer that comes late", async () => {
    const answer = await ui.hold("**/v1/iban*");
    await page.fill("#input", "GB29NWBK60161331926819");
    await ui.says(".notice", "Checking …");
    answer();
    await verdict("doubtful");
    await page.unroute("**/v1/iban*");
  });

  test("clears the verdict as soon as the number changes, says that a check continues and that it has taken ten seconds, and asks again on request", async () => {
    await check(right, "valid");
    await page.route("**/v1/iban*", () => {});
    await page.fill("#input", "FR1420041010050500013M02606");
    assert.equal(await page.locator("h2.verdict").count(), 0);
    assert.equal(await page.textContent("#verdict .characters"), "FR14 2004 1010 0505 0001 3M02 606");
    await page.clock.runFor(1_000);
    await ui.says(".notice", "Checking …");
    await page.clock.runFor(10_000);
    await ui.says(".notice.wrong", "has not answered for ten seconds");
    assert.equal(await page.locator("h2.verdict").count(), 0);
    await page.unroute("**/v1/iban*");
    await page.getByRole("button", { name: "Try again" }).click();
    await verdict("doubtful");
  });

  test("Banks takes codes in groups, and an error replaces the banks of an earlier search", async () => {
    await page.click("#tab-banks");
    for (const [fields, outcome] of [
      [{ bankleitzahl: "370 400 44" }, /\d banks match/],
      [{ bic: "coba de ff xxx" }, /of \d+ matching banks/],
    ] as const) {
      await ui.searchBanks(fields);
      await ui.says(notice, outcome);
      assert.ok((await page.locator(found).count()) > 0);
    }
    await page.locator(".banks button.link").first().click();
    await page.waitForSelector(details);
    await page.click("#tab-check");
    await page.click("#tab-banks");
    // What was found is kept while another view is open.
    await page.waitForSelector(details);
    await ui.inGerman(() => ui.says(`${details} dt`, "Prüfziffernverfahren"));
    assert.equal(lookUps(/\/v1\/banks\//), 1, "each look-up counts, so none is made twice");
    await ui.searchBanks({ zip: "Köln" });
    await ui.says(".banks .notice.wrong", "digits only");
    assert.equal(await page.locator(found).count(), 0);
    await ui.searchBanks({ bankleitzahl: "60-16-13", country: "GB" });
    await ui.says(notice, "By its range, 60-16-13 belongs here");
    await ui.says(found, "NWBK");
    // They keep their words while others are searched for.
    const answer = await ui.hold("**/v1/search*");
    await ui.searchBanks({ name: "Barclays", country: "GB" });
    await ui.inGerman(async () => {
      await ui.says(notice, "Laut Bereich gehört 60-16-13");
      answer();
      await ui.says(notice, /gefunden/);
    });
    await page.unroute("**/v1/search*");
    for (const country of ["GB", "DE", "*"]) {
      const [request] = await Promise.all([
        page.waitForRequest("**/v1/search"),
        ui.searchBanks({ bankleitzahl: "99-00-00", country }),
      ]);
      assert.equal((request.postDataJSON() as { country: string }).country, "GB", country);
      await ui.says(notice, "which bank has the UK sort code 99-00-00");
      assert.equal(await page.locator(found).count(), 0);
      await page.getByRole("link", { name: "Check an account" }).click();
      await page.waitForSelector("#check-form");
      await page.click("#tab-banks");
    }
    await page.click("#tab-check");
  });

  test("a BIC leads to its bank, whose address opens it again, and Banks shows more than 50 hits", async () => {
    const openBank = async () => {
      await check(right, "valid");
      await page.getByRole("link", { name: "Open bank" }).click();
      await page.waitForSelector(details);
      await ui.expectText(".banks tbody tr", /Commerzbank/);
    };
    const searchForSparkasse = async () => {
      await ui.searchBanks({ name: "Sparkasse" });
      await ui.says(notice, /^50 of/);
    };
    await openBank();
    assert.ok(page.url().endsWith("#banks/DE/37040044"));
    await page.reload();
    await page.waitForSelector(details);
    await ui.says(`${found} >> nth=0`, "Commerzbank");
    await searchForSparkasse();
    await page.click("#tab-check");
    const before = lookUps(/\/v1\/(search|banks)/);
    await openBank();
    assert.equal(lookUps(/\/v1\/(search|banks)/), before, "each look-up counts, so none is made twice");
    await page.evaluate("location.hash = 'banks/NL/ABNA'");
    await ui.says(found, "ABN AMRO");
    await page.waitForSelector(details);
    await searchForSparkasse();
    // What is filled in meanwhile is not searched for.
    await page.fill(".banks-form [name=location]", "Köln");
    const rows = page.locator(".banks tbody tr:not(.more)");
    await page.getByRole("button", { name: "More" }).click();
    await ui.says(notice, /^100 of/);
    assert.equal(await rows.count(), 100);
    assert.equal(new Set(await rows.allTextContents()).size, 100);
    await page.click("#tab-check");
  });
});
