import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { MetricsAnswer } from "../../src/contract/api-types.ts";
import { durationBounds } from "../../src/contract/durations.ts";
import { periodBetween } from "../../src/metrics/work-period.ts";
import { startQuickService, useSharedService } from "../service.ts";
import { type ConsolePage, useConsole, withoutBrowser } from "./browser.ts";
import { reading } from "./pool/readings.ts";

const iban = "DE89370400440532013000";
const batch = { ibans: Array.from({ length: 500 }, () => iban) };

const figure = (name: string) => `.figures div:has(dt:text-is("${name}")) dd`;

/** Signs in, and waits for the first reading. */
async function showPool(ui: ConsolePage): Promise<void> {
  await ui.giveKey();
  await ui.page.waitForSelector(".pool .facts");
}

/** How long the first line of a chart is, in pixels. */
const drawnPixels = (chart: number) =>
  `document.querySelectorAll(".chart")[${chart}].querySelector("path.line").getTotalLength()`;

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
  const service = useSharedService();
  /** When the page was given the hour that the service has kept. */
  let recordedAt = 0;

  const ui = useConsole({
    view: "pool",
    prepare: async (page) => {
      // The browser's clock is ten minutes slow.
      await page.clock.install({ time: Date.now() - 600_000 });
      await page.route("**/service/metrics/history", (route) => {
        recordedAt = Date.now();
        return route.fulfill({
          headers: { Date: new Date(recordedAt).toUTCString() },
          json: recordedHour((period) => ({ is_first: period === 340 })),
        });
      });
    },
    opened: showPool,
  });
  const { page } = ui;
  const readings = () => ui.requested.filter((url) => url.endsWith("/service/metrics/processes")).length;

  /** Lets the page's clock run until it has asked for the next reading. */
  async function nextReading(): Promise<void> {
    await readAfter(() => page.clock.runFor(1_100));
  }

  /** Expects that something makes the page ask for a reading. */
  async function readAfter(act: () => Promise<unknown>): Promise<void> {
    await Promise.all([page.waitForResponse(/\/service\/metrics\/processes$/), act()]);
  }

  /** Sends requests until the figure of this name is above zero. */
  async function loadUntilAboveZero(name: string): Promise<void> {
    const shown = page.locator(figure(name), { hasText: /[1-9]/ });
    do {
      const client = async () => {
        for (let round = 0; round < 20; round++) await (await service.request(`/v1/iban/${iban}`)).text();
        await (await service.post("/v1/iban", batch)).text();
      };
      await Promise.all(Array.from({ length: 4 }, client));
      await nextReading();
    } while ((await shown.count()) === 0);
  }

  /** Lets the page's clock run for ten seconds and expects that it asks for nothing. */
  async function expectNone(): Promise<void> {
    // An answer to a later request of the page: by then every earlier request has been seen.
    const seen = () => page.evaluate(`fetch("/service/live").then((answer) => answer.text())`);
    await seen();
    const before = readings();
    await page.clock.runFor(10_000);
    await seen();
    assert.equal(readings(), before);
  }

  const setHidden = (isHidden: boolean) =>
    page.evaluate(`
      Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} });
      document.dispatchEvent(new Event("visibilitychange"));
    `);

  test("shows the settings, the data and the process", async () => {
    const data = /Bank dataEdition of \d+ \w+ 20\d\d, \d+ days old$/;
    await ui.expectText(".facts", /PROCESSES 1, POOL_SIZE 1, POOL_QUEUE 1000/, data);
    await ui.expectText(".settled table tbody", new RegExp(`pid ${service.child.pid}`));
  });

  test("continues the hour that the service has kept, regardless of the browser's clock", async () => {
    const shown = (await page.locator(".marks time").textContent()) ?? "";
    const near = Array.from({ length: 80 }, (_, second) =>
      new Date(recordedAt - (170 + second) * 1_000).toLocaleTimeString("en-GB"),
    );
    assert.ok(near.includes(shown), shown);
    const { process } = (await (await service.request("/service/metrics")).json()) as MetricsAnswer;
    const since = (await page.locator(".settled td.amount").last().textContent()) ?? "";
    const form = { dateStyle: "short", timeStyle: "short" } as const;
    const started = Date.now() - process.uptime_seconds * 1_000;
    const minutes = [-1, 0, 1].map((more) => new Date(started + more * 60_000).toLocaleString("en-GB", form));
    assert.ok(minutes.includes(since), since);
  });

  test("shows the load of each second in figures, legends and drawn lines", async () => {
    await loadUntilAboveZero("Checks");
    await loadUntilAboveZero("Latency (p99)");
    await ui.expectText(figure("Requests"), /\/s$/);
    await ui.expectText(figure("Queue"), /^\d+ of 1,000(, (too )?high)?$/);
    await ui.expectText(figure("Workers busy"), /^[\d.]+%/);
    await ui.expectText(figure("Machine busy"), /^[\d.]+% of \d+ cores, [\d.]+% steal/);
    const legends = (await page.locator(".legend").allTextContents()).join(" ");
    const names = "median|mean of the workers|front end|whole machine|steal|resident|limit1,000".split("|");
    for (const name of names) assert.ok(legends.includes(name), `${name} in ${legends}`);
    assert.equal(await page.locator(".chart svg").count(), 7);
    // A line of two moments is a few pixels long.
    const areDrawn = [0, 1, 2, 3, 4, 5, 6].map((chart) => `${drawnPixels(chart)} > 5`).join(" && ");
    while (!(await page.evaluate(areDrawn))) await loadUntilAboveZero("Checks");
  });

  test("shows the values of the moment that is pointed at", async () => {
    const drawing = page.locator(".chart svg").first();
    const box = (await drawing.boundingBox())!;
    await drawing.hover({ position: { x: box.width - 2, y: box.height / 2 } });
    await ui.says(".chart .time >> nth=-1", /^\d\d:\d\d:\d\d$/);
    await page.mouse.move(0, 0);
    const times = page.locator(".chart .time");
    await times.first().filter({ hasNotText: /./ }).waitFor({ state: "attached" });
  });

  test("says that the service is away, and continues when it is back", async () => {
    await page.context().setOffline(true);
    await page.clock.runFor(1_100);
    await page.waitForSelector(".notice.wrong:not(:empty)");
    await ui.expectText(".notice", /has not answered since \d\d:\d\d:\d\d/);
    await ui.expectText(figure("Requests"), /^–$/);
    await page.context().setOffline(false);
    await nextReading();
    await page.waitForSelector(".notice:not(.wrong)", { state: "attached" });
    await loadUntilAboveZero("Checks");
  });

  test("shows what the service says instead of its figures", async () => {
    const error = { http_status: 403, code: "forbidden", message: "This address is not served." };
    await page.route("**/service/metrics/processes", (route) =>
      route.fulfill({ status: 403, json: { status: 0, message: error.message, error } }),
    );
    await nextReading();
    await ui.says(".notice.wrong", error.message);
    await page.unroute("**/service/metrics/processes");
    await nextReading();
    await page.locator(".notice.wrong").waitFor({ state: "detached" });
  });

  test("ends while the page is hidden or another view is open, and continues after", async () => {
    for (const [leave, comeBack] of [
      [() => setHidden(true), () => setHidden(false)],
      [() => page.click("#tab-batch"), () => page.click("#tab-pool")],
    ] as const) {
      await leave();
      await expectNone();
      await readAfter(comeBack);
      await nextReading();
    }
  });

  test("fits a phone, speaks German and is dark", async () => {
    await page.setViewportSize({ width: 375, height: 800 });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.selectOption("#language", "de");
    await page.waitForSelector('h2:text-is("Auslastung")');
    await page.locator(".chart svg").nth(6).waitFor();
    assert.ok(Number(await page.evaluate(drawnPixels(1))) > 5, "drawn anew");
    const tooWide = `[...document.querySelectorAll(".drawing")].filter((one) =>
      one.firstChild.getBoundingClientRect().width > one.clientWidth).length`;
    assert.equal(await page.evaluate(tooWide), 0);
    await page.emulateMedia({ colorScheme: "light", forcedColors: "active" });
    await ui.waitUntil(`${drawnPixels(1)} > 5`);
    await page.emulateMedia({ forcedColors: "none" });
    await page.selectOption("#language", "en");
  });

  test("changes the page only every five seconds for those who want little motion", async () => {
    // The page follows the service's clock, which only the test changes.
    let time = Date.now() + 10_000;
    await page.route("**/service/metrics/processes", async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), date: new Date(time).toUTCString() };
      await route.fulfill({ response, headers });
    });
    const mark = () => page.evaluate(`document.querySelector(".figures").id = "old"`);
    const changed = () => page.locator("#old").waitFor({ state: "detached" });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await mark();
    await changed();
    await mark();
    for (let round = 0; round < 3; round++) await nextReading();
    assert.equal(await page.locator("#old").count(), 1);
    time += 10_000;
    await changed();
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.unroute("**/service/metrics/processes");
  });
});

describe("the Pool view of several processes", { skip: withoutBrowser }, () => {
  const serve = () => startQuickService({ PROCESSES: "2", POOL_QUEUE: "8" });
  const ui = useConsole({ view: "pool", serve, opened: showPool });
  const { page } = ui;

  test("shows the sum, and each", async () => {
    assert.equal(await page.locator(".settled table tbody tr").count(), 2);
    await ui.expectText(".facts", /PROCESSES 2, POOL_SIZE 1, POOL_QUEUE 8/);
    // A process may have been too busy to be asked.
    await ui.says(figure("Queue"), / of 16$/);
    await page.selectOption(".choices select", { label: "Process 2" });
    await page.locator(".legend dt", { hasText: "busiest worker" }).waitFor({ state: "detached" });
    await ui.says(figure("Queue"), / of 8$/);
    await page.selectOption(".choices select", { label: "All processes" });
    await ui.says(".legend dt", "busiest worker");
  });

  test("has the hour that the service has kept, with its marks, also after a reload", async () => {
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
    await ui.says(".marks li", "Process 2: started");
    await ui.says(".marks li", "Process 2: requests were refused (503)");
    assert.equal(await page.getAttribute(".segments button:nth-child(2)", "aria-pressed"), "true");
    const drawn = Number(await page.evaluate(drawnPixels(1)));
    assert.ok(drawn > 200, `the hour is drawn: ${drawn} px`);
  });

  test("names a process that hangs", async () => {
    await page.route("**/service/metrics/processes", async (route) => {
      const answer = (await (await route.fetch()).json()) as { processes: object[] };
      await route.fulfill({ json: { processes: answer.processes.slice(0, 1), missing: [1] } });
    });
    await ui.says(".settled tr.act", "Process 2does not answer");
  });
});
