import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before } from "node:test";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Download,
  type Page,
  type Request,
  type Response,
} from "playwright-core";
import { type RunningService, sharedService, testKey } from "../service.ts";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);

/** Why tests in a browser are skipped; false if one is installed. */
export const withoutBrowser = executablePath === undefined ? "no Chromium is installed" : false;

/** Only a fault takes so long, on however slow a machine; in milliseconds. */
const patience = 120_000;

/** The browser of this process, started with the first page. */
let browser: Promise<Browser> | undefined;

/** Ends the browser; tests need not call it. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

if (process.env["NODE_TEST_CONTEXT"] !== undefined) after(closeBrowser);

/** A page with a session of its own, and what it has done. */
export interface WatchedPage {
  readonly page: Page;
  /** Addresses that it asked for, other than `data:`. */
  readonly requested: string[];
  /** Errors of its scripts and of the browser, those that say that a request failed or was refused left out. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** Opens an empty page. */
export async function openPage(options: BrowserContextOptions = {}): Promise<WatchedPage> {
  browser ??= chromium.launch({
    executablePath: executablePath!,
    timeout: patience,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const context = await (await browser).newContext({
    viewport: { width: 1280, height: 1000 },
    locale: "en-GB",
    ...options,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) requested.push(request.url());
  });
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) complaints.push(text);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { page, requested, complaints, close: () => context.close() };
}

/**
 * Loads a page with its scripts and styles; fails at once where one of them does not come, since a test would wait for what
 * they show. A browser gives up what is on its way when it sees an address of the machine change, and is asked again.
 */
export async function load(page: Page, url: string): Promise<void> {
  const lost: string[] = [];
  const failed = (request: Request) =>
    lost.push(`${request.url()}: ${request.failure()?.errorText ?? "no answer"}`);
  const answered = (answer: Response) => {
    if (answer.status() >= 400) lost.push(`${answer.url()}: ${answer.status()}`);
  };
  page.on("requestfailed", failed).on("response", answered);
  try {
    await page.goto(url);
    if (lost.some((text) => text.endsWith("ERR_NETWORK_CHANGED"))) await page.reload();
    else if (lost.length > 0) throw new Error(`the page did not load: ${lost.join(", ")}`);
  } finally {
    page.off("requestfailed", failed).off("response", answered);
  }
}

interface OpenConsole {
  readonly service: RunningService;
  readonly watched: WatchedPage;
  readonly page: Page;
}

/**
 * Opens the console in a page of its own, served by the service that all files share, before the tests of a suite, and closes
 * it after them. `opened` takes its parts over, and may wait for what the tests begin with; `view` is the name of a view other
 * than the first, and `prepare` is called before it loads.
 */
export function useConsole(
  opened: (console: OpenConsole) => unknown,
  view = "",
  prepare: (page: Page) => Promise<void> = async () => {},
): void {
  let service: RunningService;
  let watched: WatchedPage;
  before(async () => {
    [service, watched] = await Promise.all([sharedService(), openPage()]);
    const { page } = watched;
    await prepare(page);
    await load(page, `${service.url}/service/console#${view}`);
    await opened({ service, watched, page });
  });
  after(() => closeQuietly(watched, service.url));
}

/** Closes a page of the console, which may have complained of nothing and asked no host but its own. */
export async function closeQuietly(
  { complaints, requested, close }: WatchedPage,
  url: string,
): Promise<void> {
  await close();
  assert.deepEqual(complaints, []);
  assert.deepEqual(
    requested.filter((address) => !address.startsWith(url)),
    [],
  );
}

/** Types a key into its form and sends that off. */
export async function giveKey(page: Page, key: string): Promise<void> {
  await page.fill("#key", key);
  await page.click("#key-form button");
}

/** Signs in, and waits for the view that the address names. */
export async function signIn(page: Page, key = testKey): Promise<void> {
  await giveKey(page, key);
  await page.waitForSelector("#view:not([hidden])");
}

/** Waits until an element has a text. */
export function says(page: Page, selector: string, hasText: RegExp | string): Promise<void> {
  return page.locator(selector, { hasText }).waitFor();
}

/** Has the page in German while something is done. */
export async function inGerman(page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.selectOption("#language", "de");
  await act();
  await page.selectOption("#language", "en");
}

/** How many pixels the page, or an element of it, is wider than what is shown of it. */
export function overflow(page: Page, selector = "html"): Promise<number> {
  return page.locator(selector).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
}

/** Expects that what the first of these elements says matches each of the patterns. */
export async function expectText(
  page: Page,
  selector: string,
  ...patterns: readonly RegExp[]
): Promise<void> {
  const text = (await page.textContent(selector)) ?? "";
  for (const pattern of patterns) assert.match(text, pattern);
}

/** How many checks are counted for a key. */
export async function countedChecks(service: RunningService, key: string): Promise<number> {
  const usage = await service.request("/service/usage", { headers: { "X-API-Key": key } });
  return ((await usage.json()) as { key: { total: number } }).key.total;
}

/** Holds requests back until the returned function is called. */
export async function hold(page: Page, url: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, (route) => held.then(() => route.continue()));
  return release;
}

/** Searches banks by these fields alone, in Germany unless they name another country. */
export async function searchBanks(
  page: Page,
  { country = "DE", ...fields }: Readonly<Record<string, string>>,
): Promise<void> {
  await page.waitForSelector(".banks-form");
  await page.evaluate("document.querySelector('.banks-form').reset()");
  for (const [name, text] of Object.entries(fields)) await page.fill(`.banks-form [name=${name}]`, text);
  await page.selectOption(".banks-form select", country);
  await page.click(".banks-form button");
}

/** Opens a file in the Batch view, in place of the one that is open, and waits for its rows. */
export async function openFile(page: Page, content: Buffer | string, name = "list.csv"): Promise<void> {
  if (await page.isVisible("#batch-work")) await page.click("#batch-work .title button");
  await page.setInputFiles("#file", { name, mimeType: "", buffer: Buffer.from(content) });
  await page.waitForSelector("#batch-work:not([hidden])");
}

/** Presses a button, and returns what is downloaded then. */
export async function downloadBy(page: Page, button: string): Promise<Download> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  return download;
}

/** The button of the Batch view that checks its rows, stops, and resumes. */
export const startButton = "#batch-work .actions > button:first-child";

/** Checks all rows of the Batch view, until their results are drawn. */
export async function checkAll(page: Page): Promise<void> {
  await page.click(startButton);
  await page.waitForSelector(startButton, { state: "hidden" });
  await nextFrame(page);
}

/** Waits for the frame in which the rows of a table are drawn. */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate("new Promise(requestAnimationFrame)");
}

/**
 * Types with a pause after each character by the page's clock, which must be installed and is stopped meanwhile: so no
 * pause is longer on a busy machine.
 */
export async function typeSlowly(page: Page, selector: string, text: string, pauseMs: number): Promise<void> {
  await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 60_000);
  for (const character of text) {
    await page.locator(selector).pressSequentially(character);
    await page.clock.runFor(pauseMs);
  }
  await page.clock.resume();
}

/**
 * Waits until an expression is true in the page. The pages' policy refuses the evaluation that Playwright's
 * `waitForFunction` repeats.
 */
export async function waitUntil(page: Page, expression: string): Promise<void> {
  while ((await page.evaluate(expression)) !== true) await page.waitForTimeout(50);
}
