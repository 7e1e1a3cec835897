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

/** A page of the console with a session of its own, and what it has done. */
export class ConsolePage {
  readonly page: Page;
  /** Addresses that it asked for, other than `data:`. */
  readonly requested: string[] = [];
  /** Errors of its scripts and of the browser, those that say that a request failed or was refused left out. */
  readonly complaints: string[] = [];
  /** The button of the Batch view that checks its rows, stops, and resumes. */
  readonly startButton = "#batch-work .actions > button:first-child";

  constructor(page: Page) {
    this.page = page;
  }

  /** Begins to note what the page does. */
  watch(): void {
    this.page.on("request", (request) => {
      if (!request.url().startsWith("data:")) this.requested.push(request.url());
    });
    this.page.on("console", (message) => {
      const text = message.text();
      if (message.type() === "error" && !text.startsWith("Failed to load resource"))
        this.complaints.push(text);
    });
    this.page.on("pageerror", (error) => this.complaints.push(String(error)));
  }

  /**
   * Loads a page with its scripts and styles; fails at once where one of them does not come, since a test would wait for what
   * they show. A browser gives up what is on its way when it sees an address of the machine change, and is asked again.
   */
  async load(url: string): Promise<void> {
    const lost: string[] = [];
    const failed = (request: Request) =>
      lost.push(`${request.url()}: ${request.failure()?.errorText ?? "no answer"}`);
    const answered = (answer: Response) => {
      if (answer.status() >= 400) lost.push(`${answer.url()}: ${answer.status()}`);
    };
    this.page.on("requestfailed", failed).on("response", answered);
    try {
      await this.page.goto(url);
      if (lost.some((text) => text.endsWith("ERR_NETWORK_CHANGED"))) await this.page.reload();
      else if (lost.length > 0) throw new Error(`the page did not load: ${lost.join(", ")}`);
    } finally {
      this.page.off("requestfailed", failed).off("response", answered);
    }
  }

  /** Types a key into its form and sends that off. */
  async giveKey(key = testKey): Promise<void> {
    await this.page.fill("#key", key);
    await this.page.click("#key-form button");
  }

  /** Signs in, and waits for the view that the address names. */
  async signIn(key?: string): Promise<void> {
    await this.giveKey(key);
    await this.page.waitForSelector("#view:not([hidden])");
  }

  /** Waits until an element has a text. */
  says(selector: string, hasText: RegExp | string): Promise<void> {
    return this.page.locator(selector, { hasText }).waitFor();
  }

  /** Expects that what the first of these elements says matches each of the patterns. */
  async expectText(selector: string, ...patterns: readonly RegExp[]): Promise<void> {
    const text = (await this.page.textContent(selector)) ?? "";
    for (const pattern of patterns) assert.match(text, pattern);
  }

  /** Has the page in German while something is done. */
  async inGerman(act: () => Promise<unknown>): Promise<void> {
    await this.page.selectOption("#language", "de");
    await act();
    await this.page.selectOption("#language", "en");
  }

  /** How many pixels the page, or an element of it, is wider than what is shown of it. */
  overflow(selector = "html"): Promise<number> {
    const shown = this.page.locator(selector);
    return shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  }

  /** Waits until a live region says something. */
  spoken(hasText: RegExp | string): Promise<void> {
    return this.page.locator("[role=status]", { hasText }).waitFor({ state: "attached" });
  }

  /** Returns what says everything that live regions of the view have said since, or since it was last called. */
  async listen(): Promise<() => Promise<string[]>> {
    await this.page.evaluate(`{
      window.heard = [];
      new MutationObserver((changes) => {
        for (const { target } of changes)
          if (target.closest?.("[role=status], [aria-live]") && target.textContent) heard.push(target.textContent);
      }).observe(document.querySelector("#view"), { subtree: true, childList: true });
    }`);
    return () => this.page.evaluate<string[]>("heard.splice(0)");
  }

  /** Holds requests back, all but the first ones, until the returned function is called. */
  async hold(url: string, first = 0): Promise<() => void> {
    let begun = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await this.page.route(url, async (route) => {
      if (begun++ >= first) await held;
      await route.continue();
    });
    return release;
  }

  /** Fills in a number and has it checked at once, also one that could still be typed on. */
  async enter(text: string): Promise<void> {
    await this.page.fill("#input", text);
    await this.page.press("#input", "Enter");
  }

  /** Searches banks by these fields alone, in Germany unless they name another country. */
  async searchBanks({ country = "DE", ...fields }: Readonly<Record<string, string>>): Promise<void> {
    await this.page.waitForSelector(".banks-form");
    await this.page.evaluate("document.querySelector('.banks-form').reset()");
    for (const [name, text] of Object.entries(fields))
      await this.page.fill(`.banks-form [name=${name}]`, text);
    await this.page.selectOption(".banks-form select", country);
    await this.page.click(".banks-form button");
  }

  /** Opens a file in the Batch view, in place of the one that is open, and waits for its rows. */
  async openFile(content: Buffer | string, name = "list.csv"): Promise<void> {
    if (await this.page.isVisible("#batch-work")) await this.page.click("#batch-work .title button");
    await this.page.setInputFiles("#file", { name, mimeType: "", buffer: Buffer.from(content) });
    await this.page.waitForSelector("#batch-work:not([hidden])");
  }

  /** Opens a row of the Batch view and makes the check of its number. */
  async openCheck(row: number): Promise<void> {
    await this.page.getByRole("button", { name: `Open row ${row}` }).click();
    await this.page.getByRole("button", { name: "Show every check" }).click();
  }

  /** Checks all rows of the Batch view, until their results are drawn. */
  async checkAll(): Promise<void> {
    await this.page.click(this.startButton);
    await this.page.waitForSelector(this.startButton, { state: "hidden" });
    await this.nextFrame();
  }

  /** Waits for the frame in which the rows of a table are drawn. */
  async nextFrame(): Promise<void> {
    await this.page.evaluate("new Promise(requestAnimationFrame)");
  }

  /** Presses a button, and returns what is downloaded then. */
  async downloadBy(button: string): Promise<Download> {
    const download = this.page.waitForEvent("download");
    await this.page.getByRole("button", { name: button }).click();
    return download;
  }

  /**
   * Types with a pause after each character by the page's clock, which must be installed and is stopped meanwhile: so no
   * pause is longer on a busy machine.
   */
  async typeSlowly(selector: string, text: string, pauseMs: number): Promise<void> {
    await this.page.clock.pauseAt((await this.page.evaluate<number>("Date.now()")) + 60_000);
    for (const character of text) {
      await this.page.locator(selector).pressSequentially(character);
      await this.page.clock.runFor(pauseMs);
    }
    await this.page.clock.resume();
  }

  /**
   * Waits until an expression is true in the page. The pages' policy refuses the evaluation that Playwright's
   * `waitForFunction` repeats.
   */
  async waitUntil(expression: string): Promise<void> {
    while ((await this.page.evaluate(expression)) !== true) await this.page.waitForTimeout(50);
  }
}

/** Opens an empty page. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
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
  return context.newPage();
}

interface Server {
  readonly url: string;
  stop(): Promise<unknown>;
}

interface ConsoleOptions {
  /** The view that the address names. */
  readonly view?: string;
  /** Starts what serves the console, unless that is the service that all files share; stopped once the page is closed. */
  readonly serve?: () => Promise<Server>;
  /** Called before the console loads. */
  readonly prepare?: (page: Page) => unknown;
  /** Called with the console, which the tests may begin with once it is done. */
  readonly opened?: (ui: ConsolePage) => unknown;
}

/**
 * Opens the console in a page of its own before the tests of a suite, and closes it after them, when it may have complained
 * of nothing and asked no host but its own. The page has no members before.
 */
export function useConsole(options: ConsoleOptions = {}): ConsolePage {
  const { view = "", serve, prepare, opened } = options;
  let page: Page;
  const get = (_: Page, name: string) => {
    const member: unknown = Reflect.get(page, name);
    return typeof member === "function" ? (member.bind(page) as unknown) : member;
  };
  const ui = new ConsolePage(new Proxy({} as Page, { get }));
  let url: string;
  let own: Server | undefined;
  before(async () => {
    [own, page] = await Promise.all([serve?.(), openPage()]);
    ({ url } = own ?? (await sharedService()));
    ui.watch();
    await prepare?.(page);
    await ui.load(`${url}/service/console#${view}`);
    await opened?.(ui);
  });
  after(async () => {
    await page.context().close();
    await own?.stop();
    assert.deepEqual(ui.complaints, []);
    const elsewhere = ui.requested.filter((address) => !address.startsWith(url));
    assert.deepEqual(elsewhere, []);
  });
  return ui;
}

/** How many checks are counted for a key. */
export async function countedChecks(service: RunningService, key: string): Promise<number> {
  const usage = await service.request("/service/usage", { headers: { "X-API-Key": key } });
  return ((await usage.json()) as { key: { total: number } }).key.total;
}
