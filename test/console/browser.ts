import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { type RunningService, startQuickService } from "../service.ts";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);

/** Why tests in a browser are skipped; false where one is installed. */
export const withoutBrowser = executablePath === undefined ? "no Chromium is installed" : false;

/** A page of a browser of its own, and what it has done. */
export interface WatchedPage {
  readonly page: Page;
  /** Addresses that it asked for, other than `data:`. */
  readonly requested: string[];
  /** Errors of its scripts and of the browser, those that say that a request failed or was refused left out. */
  readonly complaints: string[];
  /** Takes a picture into `.screenshots/`. */
  picture(name: string, fullPage?: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Opens an empty page. */
export async function openPage(options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const screenshots = fileURLToPath(new URL("../../.screenshots/", import.meta.url));
  mkdirSync(screenshots, { recursive: true });
  const browser = await chromium.launch({
    executablePath: executablePath!,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage({
    viewport: { width: 1280, height: 1000 },
    locale: "en-GB",
    ...options,
  });
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
  return {
    page,
    requested,
    complaints,
    picture: async (name, fullPage = false) => {
      await page.screenshot({ path: `${screenshots}${name}.png`, fullPage });
    },
    close: () => browser.close(),
  };
}

/** The console in a browser of its own, served by a service of its own. */
export interface OpenConsole {
  readonly service: RunningService;
  readonly watched: WatchedPage;
  readonly page: Page;
  close(): Promise<void>;
}

/** Opens the console; `view` is the name of a view other than the first. */
export async function openConsole(view = ""): Promise<OpenConsole> {
  const service = await startQuickService();
  const watched = await openPage();
  const { page } = watched;
  await page.goto(`${service.url}/service/console#${view}`);
  return {
    service,
    watched,
    page,
    close: async () => {
      await watched.close();
      await service.stop();
    },
  };
}

/** Types a key into its form and sends that off. */
export async function giveKey(page: Page, key: string): Promise<void> {
  await page.fill("#key", key);
  await page.click("#key-form button");
}
