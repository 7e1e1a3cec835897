import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { testKey, useSharedService } from "../service.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "../support/faulty-proxy.ts";
import { countedChecks, useConsole, withoutBrowser } from "./browser.ts";

const busy = (retryAfter: number): Fault => ({ code: "server_busy", retryAfter });

describe("the console in storms of refusals, and offline", { skip: withoutBrowser }, () => {
  const service = useSharedService();
  let proxy: FaultyProxy;
  /** Fault of the next requests; called with the number of each request since the storm began. */
  let storm: (number: number) => Fault | undefined = () => undefined;
  let calm = 0;

  const ui = useConsole({
    serve: async () => {
      proxy = await startFaultyProxy(service.url, (number) => storm(number - calm));
      return { url: proxy.url, stop: proxy.close };
    },
    prepare: (page) => page.on("dialog", (dialog) => void dialog.accept()),
    opened: () => ui.signIn(),
  });
  const { page } = ui;

  function begin(faultOf: typeof storm): void {
    calm = proxy.requests;
    storm = faultOf;
  }

  const counted = () => countedChecks(service, testKey);

  test("a check that is refused four times is answered in the end, and counted once", async () => {
    const before = await counted();
    const heard = await ui.listen();
    begin((number) => (number < 4 ? busy(number === 0 ? 1 : 0) : undefined));
    await page.fill("#input", "DE89370400440532013000");
    await page.waitForSelector("h2.valid");
    assert.equal(proxy.requests - calm, 5);
    assert.equal((await counted()) - before, 1);
    assert.ok((await heard()).includes("The service is busy. The check is repeated in a moment."));
    assert.equal(await page.textContent(".check .notice"), "", "what was said is over");
  });

  test("a number that was given up in a storm is not asked about again", async () => {
    await page.clock.install();
    begin(() => busy(60));
    await page.fill("#input", "NL91ABNA0417164300");
    await ui.says(".check .notice", "busy");
    storm = () => undefined;
    await page.fill("#input", "DE89370400440532013000");
    await page.waitForSelector("h2.valid");
    await page.clock.runFor(61_000);
    // A later request of the page: when it is answered, every earlier one has come.
    await page.evaluate(`fetch("/service/live").then((answer) => answer.text())`);
    assert.equal(proxy.requests - calm, 2);
    assert.equal(await page.locator("h2.valid").count(), 1);
  });

  test("a list is checked to its end through refusals, each row counted once", async () => {
    await page.click("#tab-batch");
    const before = await counted();
    await ui.openFile(`iban\n${"DE89370400440532013000\n".repeat(6_000)}`);
    const heard = await ui.listen();
    // The first wave is refused as a whole, and after it every second request.
    begin((number) => (number < 4 ? busy(1) : number % 2 === 0 ? busy(0) : undefined));
    await ui.checkAll();
    assert.equal(await page.textContent(".filters .valid strong"), "6,000");
    assert.equal(await page.textContent(".filters .unchecked strong"), "0");
    assert.equal((await counted()) - before, 6_000);
    assert.ok((await heard()).includes("The service is busy. Checking resumes in a moment."));
    assert.equal(await page.textContent("#batch-work .notice"), "");
    await (await ui.downloadBy("as CSV")).delete();
    await page.click("#batch-work .title button");
  });

  test("every view says in a sentence that the service cannot be reached, and shows it once it is back", async () => {
    for (const [view, answered, retry] of [
      ["banks", ".banks table", "Search"],
      ["service", ".service .lists", "Try again"],
      ["pool", ".pool .facts", undefined],
      ["reference", ".operation", "Try again"],
    ] as const) {
      begin(() => "cut");
      await page.click(`#tab-${view}`);
      if (view === "banks") await ui.searchBanks({ name: "Commerzbank" });
      const away = /cannot be reached|has not answered since|could not be loaded/;
      await ui.says("#view .notice.wrong >> nth=0", away);
      storm = () => undefined;
      if (retry !== undefined) await page.getByRole("button", { name: retry }).first().click();
      await page.locator(answered).first().waitFor();
      await page.locator("#view > * > .notice.wrong:not(:empty)").first().waitFor({ state: "detached" });
    }
  });

  test("signing in says that the service cannot be reached, and works once it is back", async () => {
    await page.click("#sign-out");
    await page.click("#tab-check");
    await page.waitForSelector("#key-form:not([hidden])");
    begin(() => "cut");
    await ui.giveKey();
    await ui.says("#notice.wrong", "cannot be reached");
    assert.equal(await page.inputValue("#key"), testKey, "the key need not be entered again");
    storm = () => undefined;
    await page.keyboard.press("Enter");
    await page.waitForSelector("#check-form");
  });
});
