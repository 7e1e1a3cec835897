import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import { until } from "../faults/gate.ts";
import { freePort } from "../free-port.ts";
import { type RunningService, startQuickService } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { runHere } from "../support/run-here.ts";
import { ConsolePage, countedChecks, useConsole, withoutBrowser } from "./browser.ts";

const rowCount = 6_000;
const lines = "DE89370400440532013000\n".repeat(rowCount);

describe("the console while keys and service come and go", { skip: withoutBrowser }, () => {
  const state = newFolder();
  const settings: Record<string, string> = { STATE_DIR: state, API_KEYS: "" };
  let service: RunningService;
  let first: string;

  const keys = async (...words: string[]) =>
    (await runHere(["keys", ...words], { STATE_DIR: state })).stdout.trim();

  const ui = useConsole({
    serve: async () => {
      first = await keys("create", "first");
      settings["PORT"] = String(await freePort());
      service = await startQuickService(settings);
      return { url: service.url, stop: () => service.stop() };
    },
    prepare: (page) => page.on("dialog", (dialog) => void dialog.accept()),
    opened: () => ui.signIn(first),
  });
  const { page } = ui;

  const known = (key: string, isKnown = true) =>
    until(async () => (await service.request("/v1/ping", { headers: { "X-API-Key": key } })).ok === isKnown);

  /** Starts a run that halts before its fifth batch until the returned function is called. */
  async function startHeldRun(): Promise<() => void> {
    const goOn = await ui.hold("**/v1/stream*", 4);
    await ui.openFile(lines);
    await page.click(ui.startButton);
    await page.waitForSelector(".filters .valid strong:text-is('2,000')");
    return goOn;
  }

  async function finished(): Promise<void> {
    await page.waitForSelector(ui.startButton, { state: "hidden" });
    assert.equal(await page.textContent(".filters .valid strong"), "6,000");
    assert.equal(await page.textContent(".filters .unchecked strong"), "0");
  }

  test("opens its views by the arrow keys, and the address names them", async () => {
    await page.focus("#tab-check");
    for (const [key, id] of [
      ["ArrowRight", "batch"],
      ["ArrowRight", "banks"],
      ["Home", "check"],
      ["ArrowLeft", "reference"],
      ["ArrowRight", "check"],
      ["End", "reference"],
      ["Home", "check"],
      ["ArrowRight", "batch"],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForSelector(`#tab-${id}[aria-selected=true]`);
      assert.equal(new URL(page.url()).hash, `#${id}`);
      assert.equal((await page.title()).toLowerCase(), `${id} · bankcheck`);
      assert.equal(await page.evaluate("document.activeElement.id"), `tab-${id}`);
    }
    for (const id of ["sign-out", "language", "view", "pasted"]) {
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate("document.activeElement.id"), id);
    }
  });

  test("asks for another key when the one it has is revoked; the run continues with it, the checks of the first are gone", async () => {
    const next = await keys("create", "second");
    await page.click("#tab-check");
    await page.fill("#input", "DE89370400440532013000");
    await page.waitForSelector(".history li");
    // A number that stays in the form is checked again when the view opens.
    await page.fill("#input", "");
    await page.click("#tab-batch");
    const goOn = await startHeldRun();
    await keys("revoke", "first");
    const old = String(await page.evaluate("sessionStorage.getItem('bankcheck-key')"));
    await known(old, false);
    await known(next);
    goOn();
    await ui.says("#notice.wrong", /does not know this key/);
    assert.equal(await page.evaluate("sessionStorage.length"), 0);
    await ui.signIn(next);
    await finished();
    await page.click("#tab-check");
    assert.equal(await page.locator(".history li").count(), 0);
    await page.click("#tab-batch");
  });

  test("a run that is stopped continues where it was, after another view was open", async () => {
    const key = String(await page.evaluate("sessionStorage.getItem('bankcheck-key')"));
    const before = await countedChecks(service, key);
    const goOn = await startHeldRun();
    const button = page.locator(ui.startButton);
    await button.click();
    await button.filter({ hasText: "Resume" }).waitFor();
    goOn();
    await page.click("#tab-check");
    await page.waitForSelector("#check-form");
    await page.click("#tab-batch");
    // What was sent before is still answered.
    await page.waitForSelector(".filters .unchecked strong:text-is('2,000')");
    await button.click();
    await finished();
    assert.equal((await countedChecks(service, key)) - before, rowCount, "each row counts once");
  });

  test("waits for a service that was killed, and continues once it is there again", async () => {
    const goOn = await startHeldRun();
    service.child.kill("SIGKILL");
    await once(service.child, "exit");
    goOn();
    await ui.says("#batch-work .notice.wrong", "cannot be reached");
    service = await startQuickService(settings);
    await finished();
    assert.equal(await page.textContent("#batch-work .notice"), "");
  });

  test("two tabs are two sessions: each has its own key, and both have the language that is chosen", async () => {
    const key = await keys("create", "third");
    await known(key);
    const otherUi = new ConsolePage(await page.context().newPage());
    const { page: other } = otherUi;
    await otherUi.load(`${service.url}/service/console`);
    await otherUi.signIn(key);
    assert.equal(await other.textContent("#holder"), "third");
    assert.equal(await page.textContent("#holder"), "second");
    await other.selectOption("#language", "de");
    assert.equal(await other.title(), "Prüfen · bankcheck");
    await ui.says("#tab-check", "Prüfen");
    await ui.says(".filters .valid", "Gültig 6.000");
    await page.selectOption("#language", "en");
    await otherUi.says("#tab-check", /^Check$/);
    await page.click("#sign-out");
    await page.waitForSelector("#key-form:not([hidden])");
    const [request] = await Promise.all([
      other.waitForRequest(/\/v1\/iban/),
      other.fill("#input", "DE89370400440532013000"),
    ]);
    assert.equal(request.headers()["authorization"], `Bearer ${key}`);
    await other.waitForSelector("h2.valid");
    await ui.signIn(key);
    assert.equal(await page.textContent("#holder"), "third");
    await other.close();
  });
});
