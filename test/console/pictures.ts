import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { type RunningService, testKey } from "../service.ts";
import { giveKey, openConsole } from "./browser.ts";

/** Folder of the pictures that the README shows. */
export const pictureFolder = fileURLToPath(new URL("../../.github/pictures/", import.meta.url));

interface Picture {
  readonly height: number;
  /** Fills the view, and resolves when it shows what the picture is about. */
  prepare(page: Page, service: RunningService): Promise<unknown>;
}

/** The pictures of the README by the name of the view that they show. */
export const pictures: Readonly<Record<string, Picture>> = {
  check: {
    height: 720,
    prepare: async (page) => {
      await page.fill("#input", "DE89 3704 0044 0532 0130 00");
      await page.waitForSelector("h2.verdict.valid");
    },
  },
  batch: {
    height: 620,
    prepare: async (page) => {
      await page.setInputFiles(
        "#file",
        fileURLToPath(new URL("../../data/sample-customers.csv", import.meta.url)),
      );
      await page.waitForSelector("#batch-work:not([hidden])");
      await page.click("#batch-work .actions button:first-child");
      await page.waitForSelector("#batch-work .actions button:first-child", { state: "hidden" });
      await page.evaluate("document.querySelector('#batch-work').scrollIntoView()");
    },
  },
  pool: { height: 720, prepare: showLoad },
};

const ibans = Array.from({ length: 500 }, () => "DE89370400440532013000");

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
    const { page, service, close } = await openConsole(name);
    try {
      await page.setViewportSize({ width: 1000, height });
      await giveKey(page, testKey);
      await prepare(page, service);
      await page.screenshot({ path: `${pictureFolder}${name}.png` });
    } finally {
      await close();
    }
  }
}
