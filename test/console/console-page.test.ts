import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { BankDataAnswer } from "../../src/contract/api-types.ts";
import { errorCatalogue } from "../../src/contract/errors.ts";
import { useSharedService } from "../service.ts";
import { words } from "../support/words.ts";
import { ConsolePage, openPage, useConsole, withoutBrowser } from "./browser.ts";

describe("the console's frame in a browser", { skip: withoutBrowser }, () => {
  const service = useSharedService();
  const ui = useConsole();
  const { page } = ui;

  test("refuses what is not a key or an unknown one, and says which, with the field in focus", async () => {
    for (const [key, reason] of [
      ["schlüssel", /An API key has neither/],
      ["two words", /An API key has neither/],
      ["unknown-key", /does not know this key/],
    ] as const) {
      await ui.giveKey(key);
      await ui.says("#notice.wrong", reason);
      assert.equal(await page.evaluate("document.activeElement.id"), "key");
      assert.equal(await page.evaluate("sessionStorage.length"), 0);
    }
    await ui.inGerman(() => ui.says("#notice.wrong", "kennt diesen Schlüssel nicht"));
    await page.evaluate("localStorage.clear()");
  });

  test("names the key's holder, keeps the key in the tab alone and the language over a reload, and signs out", async () => {
    await ui.signIn();
    assert.equal(await page.textContent("#holder"), "test");
    assert.equal(await page.evaluate("Object.values(localStorage).join() + document.cookie"), "");
    await ui.inGerman(async () => {
      await page.reload();
      await page.waitForSelector("#check-form");
      await ui.says("#holder", "test");
      await ui.says("#tab-check", "Prüfen");
      assert.equal(await page.getAttribute("html", "lang"), "de");
    });
    await page.click("#sign-out");
    await page.waitForSelector("#key-form:not([hidden])");
    assert.equal(await page.evaluate("sessionStorage.length"), 0);
    await ui.signIn();
  });

  test("a deep link to a view asks for the key with its field in focus, and opens the view with it", async () => {
    await page.evaluate("sessionStorage.clear()");
    for (const view of ["check", "batch"]) {
      await page.goto(`${service.url}/service/console#${view}`);
      await page.reload();
      await ui.waitUntil("document.activeElement.id === 'key'");
      // A browser focuses what an address names once the page is drawn.
      await page.evaluate(
        "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
      );
      assert.equal(await page.evaluate("document.activeElement.id"), "key", view);
    }
    await ui.giveKey();
    await page.waitForSelector("#pasted:focus");
  });

  test("the docs lead to the reference, which is readable without a key, and sends what needs none", async () => {
    await page.evaluate("sessionStorage.clear()");
    await page.goto(`${service.url}/service/docs`);
    await page.waitForSelector(".operation");
    assert.equal(new URL(page.url()).hash, "#reference");
    assert.ok((await page.locator(".operation").count()) >= 10);
    await page.waitForSelector(".operation .notice:has-text('Sign in to send')");
    const probe = page.locator("[id='reference/live']");
    await probe.getByRole("button", { name: "Send" }).click();
    await probe.locator("[role=status]", { hasText: /^200/ }).waitFor();
  });

  test("finds an endpoint, shows it in every language, and sends it with the key", async () => {
    await page.fill(".contents input", "v1/iban batch");
    await page.click("#tab-check");
    await ui.signIn();
    // What is searched for is still searched for on the page with forms to send.
    await page.click("#tab-reference");
    await page.locator(".operation .trial button:visible").waitFor();
    assert.equal(await page.locator(".operation:visible").count(), 1);
    const operation = page.locator("[id='reference/checkIbanByBody']");
    for (const [language, marker] of Object.entries({
      curl: "curl '",
      fetch: "await fetch(",
      client: "client.check",
      python: "urllib.request",
      php: "stream_context_create",
    })) {
      await operation.locator(".samples select").selectOption(language);
      await operation.locator(".sample", { hasText: marker }).waitFor();
    }
    await operation.locator("textarea").fill('{"iban": "DE89370400440532013000"}');
    await operation.locator(".trial button").click();
    await operation.locator("pre.answer", { hasText: "COBADEFFXXX" }).waitFor();
    await operation.locator('summary:has-text("400")').click();
    await page.selectOption("#language", "de");
    await operation.locator(".trial button", { hasText: "Senden" }).waitFor();
    assert.equal(await operation.locator(".copy").getAttribute("title"), "Kopieren");
    assert.equal(await operation.locator('details[open]:has(> summary:has-text("400"))').count(), 1);
    assert.equal(await operation.locator("h4").first().textContent(), "Parameters");
    await ui.expectText(".operations > .notice", /auf Englisch/);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.isVisible(".contents"), false, "the list of endpoints is not printed");
    const bound = "getComputedStyle(document.querySelector('.sample')).maxHeight";
    assert.equal(await page.evaluate(bound), "none");
    await page.emulateMedia({ media: "screen" });
    assert.equal(await operation.locator(".trial button").textContent(), "Senden");
    assert.equal(await operation.locator("textarea").inputValue(), '{"iban": "DE89370400440532013000"}');
    await operation.locator(".sample", { hasText: "DE89370400440532013000" }).waitFor();
    await operation.locator("pre.answer", { hasText: "COBADEFFXXX" }).waitFor();
    assert.equal(await page.locator(".operation:visible").count(), 1, "what was searched is still searched");
    assert.equal(await page.locator(".operations h2:visible").count(), 1);
    await page.selectOption("#language", "en");
  });

  test("the code of the typed client names its calls", async () => {
    await page.evaluate('localStorage.setItem("bankcheck-sample", "client")');
    await page.reload();
    await page.waitForSelector(".operation");
    const samples = await page.locator(".sample").allTextContents();
    const calls = samples.flatMap((text) => /await client\.(\w+)\(/.exec(text)?.[1] ?? []);
    for (const name of words`check account search bank extract bankData processes history`)
      assert.ok(calls.includes(name), name);
  });

  test("a link to an endpoint opens the reference there", async () => {
    await page.goto(`${service.url}/service/console#reference/searchByQuery`);
    await page.reload();
    await page.waitForSelector("[id='reference/searchByQuery']");
    const place = "document.getElementById('reference/searchByQuery').getBoundingClientRect()";
    await ui.waitUntil(`Math.abs(${place}.top) < 60`);
  });

  test("every operation answers 200 as it is filled in, flags are switches, and the search finds fields", async () => {
    const states = page.locator(".operation .proof [role=status]");
    const forms = page.locator(".operation .trial button");
    assert.equal(await states.count(), await forms.count());
    for (let index = 0; index < (await forms.count()); index++) {
      await forms.nth(index).click();
      await states.nth(index).filter({ hasText: /^\d/ }).waitFor();
      const id = await page.locator(".operation:has(.trial)").nth(index).getAttribute("id");
      assert.match((await states.nth(index).textContent()) ?? "", /^200 /, id ?? "");
    }
    const check = page.locator("[id='reference/checkIbanByPath']");
    await check.getByRole("checkbox", { name: "explain" }).check();
    assert.match((await check.locator(".sample").textContent()) ?? "", /explain: true|explain=1/);
    const shown = page.locator(".contents .entry:visible");
    for (const [wanted, name] of [
      ["blz_column", /^POST.*any number of IBANs/],
      ["blz", /Check a German account number/],
      ["csv", /any number of IBANs/],
    ] as const) {
      await page.fill(".contents input[type=search]", wanted);
      await shown.filter({ hasText: name }).first().waitFor();
    }
    await page.fill(".contents input[type=search]", "");
  });

  test("explains keys, statuses, errors, limits and 503 from the tables of the interface, and finds them", async () => {
    const says = (id: string, ...patterns: readonly RegExp[]) =>
      ui.expectText(`[id='reference/${id}']`, ...patterns);
    await says("keys", /X-API-Key.*rate limit/s);
    await says("statuses", /Of an IBAN:.*1: valid.*Of an account:.*1: valid/s);
    await says("errors", ...Object.keys(errorCatalogue).map((code) => new RegExp(code)));
    await says("limits", /1 to 500 IBANs/);
    await says("503-the-service-is-busy", /server_busy.*Retry-After: 2/s);
    await page.fill(".contents input[type=search]", "rate limit");
    assert.ok(await page.isVisible("[id='reference/keys']"));
    assert.equal(await page.isVisible("[id='reference/statuses']"), false);
    await page.fill(".contents input[type=search]", "");
    const [example, schema] = await page.evaluate<[number, number]>(`["pre", ".fields"].map((part) =>
      document.querySelector("[id='reference/checkIbanByPath'] .text details " + part).getBoundingClientRect().top)`);
    assert.ok(example < schema, "examples come before schemas");
  });

  test("shows usage by day and the bank data by country, with coverage and age, in the Service view", async () => {
    await page.fill(".contents input", "v1/iban batch");
    await page.click("#tab-service");
    await page.waitForSelector(".days svg");
    assert.equal(await page.locator(".days rect").count(), 31);
    await ui.expectText(".service", /Edition .* days old/);
    const command = page.locator(".service .bar", { hasText: "Import newer lists" });
    assert.equal(await command.locator("code").textContent(), "npm run bankcheck -- data update");
    assert.ok(await command.getByRole("button", { name: "Copy" }).isVisible());
    await page.getByRole("link", { name: "JSON and Prometheus" }).click();
    await page.waitForSelector("[id='reference/metrics']");
    await page.click("#tab-service");
    await page.waitForSelector(".days svg");
    const { lists } = (await (await service.request("/service/data")).json()) as BankDataAnswer;
    assert.equal(await page.locator(".lists tbody tr").count(), lists.length);
    const germany = (await page.locator(".lists tbody tr", { hasText: "Germany" }).textContent()) ?? "";
    const { rows } = lists.find((list) => list.country === "DE")!;
    assert.match(germany, new RegExp(`complete${rows.toLocaleString("en")}`));
  });

  test("shows which tab is open in forced colours too", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    const outlined = await page.evaluate<string[]>(`[...document.querySelectorAll("[role=tab]")]
      .filter((tab) => getComputedStyle(tab).outlineStyle === "solid").map(({ id }) => id)`);
    assert.deepEqual(outlined, ["tab-service"]);
    const underlined = await page.evaluate<number>(`[...document.querySelectorAll("[role=tab]")]
      .filter((tab) => getComputedStyle(tab).borderBottomColor !== getComputedStyle(document.body).backgroundColor).length`);
    assert.ok(underlined <= 1, `${underlined} tabs look open`);
    await page.emulateMedia({ forcedColors: "none" });
  });

  test("is light: below 200 KB without what loads for workbooks and QR codes, and little of it at first", async () => {
    const other = new ConsolePage(await openPage());
    const sum = (size: string) =>
      `performance.getEntries().reduce((sum, entry) => sum + (entry.${size} ?? 0), 0)`;
    const loaded = (size: string) => other.page.evaluate<number>(sum(size));
    await other.load(`${service.url}/service/console#batch`);
    const first = await loaded("transferSize");
    await other.signIn();
    await other.openFile("iban\nDE89370400440532013000\n");
    const all = await loaded("decodedBodySize");
    await other.page.context().close();
    assert.ok(first > 10_000 && first < 70_000, `${first} bytes come over the line before the first check`);
    assert.ok(all < 200 * 1_024, `${all} bytes uncompressed`);
  });
});
