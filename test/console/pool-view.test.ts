import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { durationBounds, periodBetween } from "../../src/contract/work-period.ts";
import { until } from "../faults/gate.ts";
import { freePort } from "../free-port.ts";
import { type RunningService, startQuickService, testKey } from "../service.ts";
import { giveKey, openPage, type WatchedPage, withoutBrowser } from "./browser.ts";
import { reading } from "./pool/readings.ts";

const iban = "DE89370400440532013000";
const batch = { ibans: Array.from({ length: 500 }, () => iban) };

/** The figure of this name as text. */
const figure = (page: Page, name: string) =>
  page.locator(`.figures div:has(dt:text-is("${name}")) dd`).textContent();

/** Resolves when the figure of this name is above zero. */
const aboveZero = (page: Page, name: string) =>
  page.locator(`.figures div:has(dt:text-is("${name}")) dd`, { hasText: /[1-9]/ }).waitFor();

/** How many pixels of a chart have about the colour of its first line. */
const drawnPixels = (chart: number) => `(() => {
  const chart = document.querySelectorAll(".chart")[${chart}];
  const canvas = chart.querySelector("canvas");
  const [red, green, blue] = getComputedStyle(chart.querySelector(".swatch")).borderTopColor.match(/\\d+/g);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let drawn = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] > 100 && [red, green, blue].every((part, index) => Math.abs(part - data[at + index]) < 40)) drawn++;
  return drawn;
})()`;

async function openPool(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/service/console#pool`);
  await giveKey(page, testKey);
  await page.waitForSelector(".pool .facts");
}

/** An hour as the service records it; each process changes its periods by their number, 0 to 358. */
function recordedHour(...processes: readonly ((period: number) => object)[]): object {
  const now = Math.floor(Date.now() / 10_000) * 10;
  const usual = { is_first: false, checks: 1_000, workers_busy_ms: [5_000] };
  return {
    bounds_ms: durationBounds,
    processes: processes.map((changed, number) => ({
      number,
      periods: Array.from({ length: 359 }, (_, period) => ({
        ...periodBetween(reading(), reading(), now - 10 * (359 - period), 10),
        ...usual,
        ...changed(period),
      })),
    })),
  };
}

describe("the Pool view in a browser", { skip: withoutBrowser }, () => {
  let service: RunningService;
  let watched: WatchedPage;
  let page: Page;
  const settings: Record<string, string> = { POOL_SIZE: "2", POOL_QUEUE: "12" };

  before(async () => {
    settings["PORT"] = String(await freePort());
    service = await startQuickService(settings);
    watched = await openPage();
    page = watched.page;
    await openPool(page, service.url);
  });

  after(async () => {
    await watched.close();
    await service.stop();
  });

  /** Sends requests until the page shows what is waited for. */
  async function loadUntil(seen: Promise<unknown>): Promise<void> {
    let isSeen = false;
    const whenSeen = seen.finally(() => {
      isSeen = true;
    });
    const client = async () => {
      while (!isSeen) {
        for (let round = 0; round < 20; round++) await (await service.request(`/v1/iban/${iban}`)).text();
        await (await service.post("/v1/iban", batch)).text();
      }
    };
    await Promise.all([whenSeen, ...Array.from({ length: 4 }, client)]);
  }

  test("shows the settings, the data and the process before anything has happened", async () => {
    const facts = (await page.textContent(".facts")) ?? "";
    assert.match(facts, /PROCESSES 1, POOL_SIZE 2, POOL_QUEUE 12/);
    assert.match(facts, /Bank data\d+ \w+ 20\d\d, \d+ days old/);
    assert.match((await page.textContent(".processes tbody")) ?? "", new RegExp(`pid ${service.child.pid}`));
    await watched.picture("pool-empty", true);
  });

  test("shows the load in figures, legends and drawn lines", async () => {
    await loadUntil(aboveZero(page, "Checks"));
    await loadUntil(aboveZero(page, "Latency (p99)"));
    assert.match((await figure(page, "Requests")) ?? "", /\/s$/);
    assert.match((await figure(page, "Queue")) ?? "", /^\d+ (of 12|high|too high)$/);
    assert.match((await figure(page, "Workers busy")) ?? "", /^[\d.]+\s%$/);
    const legends = (await page.locator(".legend").allTextContents()).join(" ");
    for (const name of ["median", "worker 1", "worker 2", "front end", "resident", "limit12"]) {
      assert.ok(legends.includes(name), `${name} in ${legends}`);
    }
    assert.equal(await page.locator(".chart canvas").count(), 7);
    for (let chart = 0; chart < 7; chart++) {
      // A line of two moments is a few pixels long.
      await until(async () => Number(await page.evaluate(drawnPixels(chart))) > 5, 20_000);
    }
    await watched.picture("pool-load", true);
  });

  test("shows the values of the moment that is pointed at", async () => {
    const drawing = page.locator(".chart canvas").first();
    const box = (await drawing.boundingBox())!;
    await drawing.hover({ position: { x: box.width - 2, y: box.height / 2 } });
    await page.locator(".chart .time").first().filter({ hasText: /./ }).waitFor();
    assert.match((await page.locator(".chart .time").last().textContent()) ?? "", /^\d\d:\d\d:\d\d$/);
    await page.mouse.move(0, 0);
    await page.locator(".chart .time").first().filter({ hasNotText: /./ }).waitFor({ state: "attached" });
  });

  test("says that the service is away, and continues when it is back", async () => {
    assert.equal(await service.stop(), 0);
    await page.waitForSelector(".notice.wrong:not(:empty)");
    assert.match((await page.textContent(".notice")) ?? "", /has not answered since \d\d:\d\d:\d\d/);
    assert.equal(await figure(page, "Requests"), "–");
    await watched.picture("pool-away", true);
    service = await startQuickService(settings);
    await page.waitForSelector(".notice:not(.wrong)", { state: "attached" });
    await page.waitForSelector(`.processes td:has-text("pid ${service.child.pid}")`);
    await loadUntil(aboveZero(page, "Checks"));
    await watched.picture("pool-back", true);
  });

  test("fits a phone, speaks German and is dark", async () => {
    await page.setViewportSize({ width: 375, height: 800 });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.selectOption("#language", "de");
    await page.waitForSelector('h2:text-is("Auslastung")');
    await page.locator(".chart canvas").nth(6).waitFor();
    assert.ok(Number(await page.evaluate(drawnPixels(1))) > 5, "drawn anew, in the colours of dark ground");
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert.equal(await page.evaluate(overflow), 0);
    const tooWide = `[...document.querySelectorAll(".drawing")].filter((one) =>
      one.firstChild.offsetWidth > one.clientWidth).length`;
    assert.equal(await page.evaluate(tooWide), 0);
    await watched.picture("pool-phone-dark-german", true);
  });

  test("asks no other host for anything and causes no complaint of the browser", () => {
    assert.deepEqual(
      watched.requested.filter((url) => !url.startsWith(service.url)),
      [],
    );
    assert.deepEqual(watched.complaints, []);
  });
});

describe("the Pool view of several processes", { skip: withoutBrowser }, () => {
  let service: RunningService;
  let watched: WatchedPage;

  before(async () => {
    service = await startQuickService({ PROCESSES: "2", POOL_SIZE: "1", POOL_QUEUE: "8" });
    watched = await openPage();
  });

  after(async () => {
    await watched.close();
    await service.stop();
  });

  test("shows the sum, and each", async () => {
    const { page } = watched;
    await openPool(page, service.url);
    assert.equal(await page.locator(".processes tbody tr").count(), 2);
    assert.match((await page.textContent(".facts")) ?? "", /PROCESSES 2, POOL_SIZE 1, POOL_QUEUE 8/);
    assert.match((await figure(page, "Queue")) ?? "", / of 16$/, "the queues add up");
    await page.selectOption(".choices select", { label: "Process 2" });
    await page.locator(".legend dt", { hasText: "worker 1" }).waitFor();
    assert.match((await figure(page, "Queue")) ?? "", / of 8$/);
    await page.selectOption(".choices select", { label: "All processes" });
    await page.locator(".legend dt", { hasText: "busiest worker" }).waitFor();
  });

  test("has the hour that the service has kept, with its marks, also after a reload", async () => {
    const { page } = watched;
    await page.route("**/service/metrics/history", (route) =>
      route.fulfill({
        json: recordedHour(
          () => ({}),
          (period) => ({ is_first: period === 180, refused: period === 200 ? 7 : 0 }),
        ),
      }),
    );
    await page.click(".segments button:nth-child(2)");
    await page.reload();
    await page.locator(".marks li", { hasText: "Process 2: started" }).waitFor();
    await page.locator(".marks li", { hasText: "Process 2: requests were refused (503)" }).waitFor();
    assert.equal(await page.getAttribute(".segments button:nth-child(2)", "aria-pressed"), "true");
    assert.ok(Number(await page.evaluate(drawnPixels(1))) > 300, "the hour is drawn");
    await watched.picture("pool-hour", true);
  });

  test("names a process that hangs", async () => {
    const { page } = watched;
    await page.route("**/service/metrics/processes", async (route) => {
      const answer = (await (await route.fetch()).json()) as { processes: object[] };
      await route.fulfill({ json: { processes: answer.processes.slice(0, 1), missing: [1] } });
    });
    await page.locator(".processes tr.act", { hasText: "Process 2does not answer" }).waitFor();
    assert.deepEqual(watched.complaints, []);
  });
});

describe("the Pool view's reading", { skip: withoutBrowser }, () => {
  let service: RunningService;
  let watched: WatchedPage;
  const readings = () => watched.requested.filter((url) => url.endsWith("/service/metrics/processes")).length;

  before(async () => {
    service = await startQuickService();
    watched = await openPage();
    // The browser's clock is ten minutes slow.
    await watched.page.clock.install({ time: Date.now() - 600_000 });
    await watched.page.route("**/service/metrics/history", (route) =>
      route.fulfill({
        headers: { Date: new Date().toUTCString() },
        json: recordedHour((period) => ({ is_first: period === 340 })),
      }),
    );
    await openPool(watched.page, service.url);
  });

  after(async () => {
    await watched.close();
    await service.stop();
  });

  /** Lets the page's clock run until it has asked for the next reading. */
  async function nextReading(): Promise<void> {
    const next = watched.page.waitForResponse(/\/service\/metrics\/processes$/);
    await watched.page.clock.runFor(1_100);
    await next;
  }

  /** Lets the page's clock run for ten seconds and expects that it asks for nothing. */
  async function expectNone(): Promise<void> {
    const before = readings();
    await watched.page.clock.runFor(10_000);
    // An answer to a later request of the page: by then every earlier request has been seen.
    await watched.page.evaluate(`fetch("/service/live").then((answer) => answer.text())`);
    assert.equal(readings(), before);
  }

  const setHidden = (isHidden: boolean) =>
    watched.page.evaluate(`
      Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} });
      document.dispatchEvent(new Event("visibilitychange"));
    `);

  test("happens every second while the view is open", async () => {
    await nextReading();
    await nextReading();
  });

  test("continues the hour that the service has kept, regardless of the browser's clock", async () => {
    const shown = (await watched.page.locator(".marks time").textContent()) ?? "";
    const near = Array.from({ length: 80 }, (_, second) =>
      new Date(Date.now() - (170 + second) * 1_000).toLocaleTimeString("en-GB"),
    );
    assert.ok(near.includes(shown), shown);
  });

  test("changes the page only every five seconds for those who want little motion", async () => {
    await watched.page.emulateMedia({ reducedMotion: "reduce" });
    await watched.page.evaluate(`document.querySelector(".figures").id = "old"`);
    for (let round = 0; round < 3; round++) await nextReading();
    assert.equal(await watched.page.locator("#old").count(), 1);
    for (let round = 0; round < 3; round++) await nextReading();
    await watched.page.locator("#old").waitFor({ state: "detached" });
    await watched.page.emulateMedia({ reducedMotion: "no-preference" });
  });

  test("shows what the service says instead of its figures", async () => {
    const error = { http_status: 403, code: "forbidden", message: "This address is not served." };
    await watched.page.route("**/service/metrics/processes", (route) =>
      route.fulfill({ status: 403, json: { status: 0, message: error.message, error } }),
    );
    await nextReading();
    await watched.page.locator(".notice.wrong", { hasText: error.message }).waitFor();
    await watched.page.unroute("**/service/metrics/processes");
    await nextReading();
    await watched.page.locator(".notice.wrong").waitFor({ state: "detached" });
  });

  test("ends while the page is hidden, and continues after", async () => {
    await setHidden(true);
    await expectNone();
    const next = watched.page.waitForResponse(/\/service\/metrics\/processes$/);
    await setHidden(false);
    await next;
    await nextReading();
  });

  test("ends while another view is open, and continues after", async () => {
    await watched.page.click("#batch");
    await watched.page.waitForSelector("#batch-source");
    await expectNone();
    const next = watched.page.waitForResponse(/\/service\/metrics\/processes$/);
    await watched.page.click("#pool");
    await next;
    await nextReading();
    assert.deepEqual(watched.complaints, []);
  });

  test("asks for the key again once it is refused", async () => {
    await watched.page.route("**/service/metrics/processes", (route) =>
      route.fulfill({
        status: 401,
        json: { error: { http_status: 401, code: "invalid_key", message: "The API key is not valid." } },
      }),
    );
    await nextReading();
    await watched.page.waitForSelector("#key-form:not([hidden])");
    assert.match((await watched.page.textContent("#notice")) ?? "", /does not know this key/);
    await expectNone();
  });
});
