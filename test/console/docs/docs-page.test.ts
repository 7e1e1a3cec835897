import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { type RunningService, startCompiledService, testKey } from "../../service.ts";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);
const skip = executablePath === undefined ? "no Chromium is installed" : false;
const screenshots = fileURLToPath(new URL("../../../.screenshots/", import.meta.url));

describe("the reference page in a browser", { skip }, () => {
  let service: RunningService;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const complaints: string[] = [];

  before(async () => {
    service = await startCompiledService();
    browser = await chromium.launch({
      executablePath: executablePath!,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
      ],
    });
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on("request", (request) => requested.push(request.url()));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`${service.url}/service/docs`);
  });

  after(async () => {
    await browser.close();
    await service.stop();
  });

  test("says that a wrong key is not valid and shows nothing", async () => {
    await page.fill("#key", "wrong");
    await page.click("#key-form button");
    await page.waitForSelector("#notice.wrong");
    assert.match((await page.textContent("#notice")) ?? "", /API key is missing or not valid/);
    assert.equal(await page.locator(".opblock").count(), 0);
    // The browser itself reports the refused request.
    assert.equal(complaints.length, 1);
    complaints.length = 0;
  });

  test("shows every documented operation once a key is given", async () => {
    await page.fill("#key", testKey);
    await page.click("#key-form button");
    await page.waitForSelector(".opblock");
    const answer = await service.request("/service/openapi.json");
    const document = (await answer.json()) as { readonly paths: Readonly<Record<string, object>> };
    const operations = Object.values(document.paths).flatMap((path) => Object.keys(path));
    assert.equal(await page.locator(".opblock").count(), operations.length);
    mkdirSync(screenshots, { recursive: true });
    await page.screenshot({ path: `${screenshots}docs.png` });
  });

  test("lets a person try a check and shows the real answer", async () => {
    const block = page.locator("#operations-IBAN_check-checkIbanByPath");
    await block.locator(".opblock-summary-control").click();
    await block.locator('tr[data-param-name="iban"] input').fill("DE89370400440532013000");
    await block.locator("button.execute").click();
    await block.locator(".live-responses-table").waitFor();
    assert.match((await block.locator(".live-responses-table").textContent()) ?? "", /COBADEFFXXX/);
    await block.scrollIntoViewIfNeeded();
    await page.screenshot({ path: `${screenshots}docs-try.png` });
  });

  test("asks no other host for anything and causes no complaint of the browser", () => {
    const others = requested.filter((url) => !url.startsWith(service.url) && !url.startsWith("data:"));
    assert.deepEqual(others, []);
    assert.deepEqual(complaints, []);
  });
});
