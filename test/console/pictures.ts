import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import type { ProcessesAnswer } from "../../src/contract/api-types.ts";
import { type RunningService, startQuickService } from "../service.ts";
import { animatedPng, type Frame } from "./animated-png.ts";
import { ConsolePage, closeBrowser, openPage } from "./browser.ts";

/** Folder of the pictures that the README shows. */
export const pictureFolder = fileURLToPath(new URL("../../.github/pictures/", import.meta.url));

/** The file beside the pictures that holds the digest of the pages they were taken of. */
export const digestFile = `${pictureFolder}pages.sha256`;

const width = 1000;

interface Picture {
  readonly height: number;
  /** Fills the view, and resolves when it shows what the picture is about, or with the frames of an animation. */
  prepare(page: Page, service: RunningService): Promise<unknown>;
}

/** The pictures of the README by the name of the view that they begin with. */
export const pictures: Readonly<Record<string, Picture>> = {
  check: { height: 620, prepare: showChecks },
  batch: { height: 620, prepare: showBatch },
  pool: { height: 720, prepare: showLoad },
};

/** Types a right IBAN and a wrong one, and checks a file. */
async function showChecks(page: Page): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  const whole = async (ms: number) =>
    frames.push({ png: await page.screenshot({ animations: "disabled" }), x: 0, y: 0, ms });
  const type = async (text: string, verdict: string) => {
    await page.fill("#input", "");
    await page.waitForSelector("h2.verdict", { state: "detached" });
    await whole(700);
    const box = (await page.locator("#input").boundingBox())!;
    const [x, y] = [Math.floor(box.x), Math.floor(box.y)];
    const clip = { x, y, width: Math.ceil(box.width), height: Math.ceil(box.height) };
    for (let end = 2; end < text.length; end += 4) {
      // The value alone, so that nothing is checked before its end.
      await page.evaluate(`document.querySelector("#input").value = ${JSON.stringify(text.slice(0, end))}`);
      frames.push({ png: await page.screenshot({ clip, animations: "disabled" }), x, y, ms: 140 });
    }
    await page.fill("#input", text);
    await page.waitForSelector(verdict);
    await whole(3_000);
  };
  await type("DE89 3704 0044 0532 0130 00", "h2.verdict.valid");
  // Viewers without animation show the first frame, so that is a verdict instead of an empty field.
  const typing = frames.splice(0, frames.length - 1);
  await type("DE89 3704 0044 0532 0310 00", "h2.verdict.invalid");
  await page.click("#tab-batch");
  await showBatch(page);
  await whole(3_000);
  return [...frames, ...typing];
}

/** Checks a file in the Batch view. */
async function showBatch(page: Page): Promise<void> {
  const file = fileURLToPath(new URL("../../data/sample-customers.csv", import.meta.url));
  await page.setInputFiles("#file", file);
  await page.waitForSelector("#batch-work:not([hidden])");
  await new ConsolePage(page).checkAll();
  await page.evaluate("document.querySelector('#batch-work').scrollIntoView()");
}

const ibans = Array.from({ length: 500 }, () => "DE89370400440532013000");

/** Has the view read the processors as they would be without the other programs of this machine. */
async function showOwnMachine(page: Page): Promise<void> {
  await page.route("**/service/metrics/processes", async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as ProcessesAnswer;
    const processes = answer.processes.map(({ number, metrics }) => {
      const busyMs = metrics.process.busy_ms + metrics.pool.busy_ms.reduce((sum, ms) => sum + ms, 0);
      const machine = { ...metrics.machine, busy_ms: busyMs, stolen_ms: 0 };
      return { number, metrics: { ...metrics, machine } };
    });
    await route.fulfill({ response, json: { ...answer, processes } });
  });
}

/** Sends waves of batches and single checks while the view draws them. */
async function showLoad(page: Page, service: RunningService): Promise<void> {
  await page.waitForSelector(".pool .facts");
  const end = Date.now() + 20_000;
  while (Date.now() < end) {
    const wave = 2 + Math.round(6 * Math.abs(Math.sin(Date.now() / 3000)));
    await Promise.all([
      ...Array.from({ length: wave }, () =>
        service.post("/v1/iban", { ibans }).then((answer) => answer.text()),
      ),
      ...Array.from({ length: 10 * wave }, () =>
        service.request(`/v1/iban/${ibans[0]}`).then((answer) => answer.text()),
      ),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Takes every picture anew, each from a service of its own. */
export async function takePictures(): Promise<void> {
  for (const [name, { height, prepare }] of Object.entries(pictures)) {
    const service = await startQuickService();
    const page = await openPage({ viewport: { width, height } });
    await showOwnMachine(page);
    try {
      await page.goto(`${service.url}/service/console#${name}`);
      await new ConsolePage(page).giveKey();
      const frames = await prepare(page, service);
      const picture = Array.isArray(frames) ? animatedPng(frames as Frame[]) : await page.screenshot();
      writeFileSync(`${pictureFolder}${name}.png`, picture);
    } finally {
      // A reading may be on its way.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.context().close();
      await service.stop();
    }
  }
  await closeBrowser();
  writeFileSync(digestFile, `${pagesDigest()}\n`);
}

/** Returns a digest of the pages as they are built, so that only what may change a picture changes it. */
export function pagesDigest(): string {
  const folder = fileURLToPath(new URL("../../.dist/pages/", import.meta.url));
  const hash = createHash("sha256");
  // No picture shows the document that the reference reads.
  for (const file of readdirSync(folder).sort())
    if (/\.(html|css|js)$/.test(file)) hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
  return hash.digest("hex");
}
