import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { type RunningService, testKey } from "../../service.ts";
import { giveKey, type OpenConsole, openConsole, type WatchedPage, withoutBrowser } from "../browser.ts";

const customers = readFileSync(new URL("../../../data/sample-customers.csv", import.meta.url), "utf8");
/** `CONSOLE_ROWS=100000 npm test -- console/batch` is the long form. */
const rowCount = Number(process.env["CONSOLE_ROWS"] ?? 20_000);

/** IBANs of every kind: those of the sample, and one whose bank no directory knows. */
const ibans = [
  ...customers
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(";")[3]!),
  "SA0380000000608010167519",
  "AT611904300234573201",
  "not an IBAN",
];

describe("the Batch view in a browser", { skip: withoutBrowser, timeout: 240_000 }, () => {
  let service: RunningService;
  let watched: WatchedPage;
  let page: Page;
  let close: OpenConsole["close"];

  before(async () => {
    ({ service, watched, page, close } = await openConsole("batch"));
    await giveKey(page, testKey);
    await page.waitForSelector("#batch-source");
  });

  after(() => close());

  const setFile = (content: string) =>
    page.setInputFiles("#file", {
      name: "list.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(content, "latin1"),
    });

  async function takeFile(content: string): Promise<void> {
    if (await page.isVisible("#batch-work")) await page.click("#batch-work .title button");
    await setFile(content);
    await page.waitForSelector("#batch-work:not([hidden])");
  }

  /** What the service says of as many rows as are to be checked, which repeat the IBANs. */
  async function expectedCounts(): Promise<Record<string, number>> {
    const answer = await service.post("/v1/iban", { ibans });
    const { batch } = (await answer.json()) as {
      batch: { results: { valid: boolean; status: number; data: { bank: string } }[] };
    };
    const counts = { valid: 0, invalid: 0, unknownBank: 0 };
    for (let row = 0; row < rowCount; row++) {
      const { valid, status, data } = batch.results[row % ibans.length]!;
      counts[valid ? "valid" : "invalid"]++;
      if ((valid || status === 7) && data.bank === "") counts.unknownBank++;
    }
    return counts;
  }

  const figure = async (name: string) =>
    Number((await page.textContent(`.figures .${name} dd`))!.replaceAll(",", ""));

  test("checks a file of many rows, in a table that holds only those in sight", async () => {
    await watched.picture("batch-empty");
    const lines = Array.from(
      { length: rowCount },
      (_, row) => `K${row};"Müller; Söhne";${ibans[row % ibans.length]}`,
    );
    const buffer = Buffer.from(`number;name;iban\r\n${lines.join("\r\n")}\r\n`, "latin1");
    await page.setInputFiles("#file", { name: "customers.csv", mimeType: "text/csv", buffer });
    await page.waitForSelector("#batch-work:not([hidden])");
    assert.equal(await page.inputValue("#batch-work select"), "2");
    await page.click("#batch-work .actions button:first-child");
    await page.waitForSelector(".table .row .verdict:not(:empty)");
    await watched.picture("batch-running");
    await page.waitForSelector("#batch-work .actions button:first-child", { state: "hidden" });
    await watched.picture("batch-done");
    const expected = await expectedCounts();
    assert.ok(Object.values(expected).every((count) => count > 0));
    for (const [name, count] of Object.entries(expected)) assert.equal(await figure(name), count, name);
    assert.equal(await figure("unchecked"), 0);
    assert.equal(await page.getAttribute(".table", "aria-rowcount"), String(rowCount + 1));
    assert.ok((await page.locator(".table .row").count()) < 100);
  });

  test("scrolls to the last row, and filters", async () => {
    const { invalid, unknownBank } = await expectedCounts();
    await page.evaluate("document.querySelector('.table').scrollTop = 1e9");
    await page.waitForSelector(`.table .row[aria-rowindex="${rowCount + 1}"]`);
    await page.click(".filters button:nth-child(2)");
    await page.waitForSelector(`.table[aria-rowcount="${invalid! + 1}"]`);
    assert.equal(await page.locator(".table .row .valid").count(), 0);
    await watched.picture("batch-invalid");
    await page.click(".filters button:nth-child(3)");
    await page.waitForSelector(`.table[aria-rowcount="${unknownBank! + 1}"]`);
    await page.click(".filters button:nth-child(1)");
  });

  test("gives the rows with what was found as a file that no spreadsheet computes anything of", async () => {
    const name = '"Müller; Söhne"';
    await takeFile(`no;name;iban\r\n=1+1;${name};${ibans[0]}\r\n-5,00;@x;${ibans[2]}\r\n+A1;${name};none`);
    await page.click("#batch-work .actions button:first-child");
    await page.waitForSelector("#batch-work .actions button:first-child", { state: "hidden" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click("#batch-work .actions button:nth-child(2)"),
    ]);
    assert.equal(download.suggestedFilename(), "list-checked.csv");
    assert.deepEqual(readFileSync(await download.path(), "utf8").split("\r\n"), [
      "\uFEFFno;name;iban;status;valid;message;bic;bank;zip;location;country;sct;sdd;b2b;scc;error",
      `"'=1+1";${name};${ibans[0]};1;true;Valid;COBADEFFXXX;Commerzbank;50447;Köln;DE;1;1;1;1;`,
      `-5,00;"'@x";${ibans[2]};0;false;Check digits wrong;;;;;DE;0;0;0;0;`,
      `"'+A1";${name};none;3;false;No IBAN;;;;;;0;0;0;0;invalid_iban`,
      "",
    ]);
  });

  test("asks for the column of IBANs where that cannot be told, and says why a file cannot be read", async () => {
    await takeFile(`a;b\n${`${ibans[0]};${ibans[2]}\n`.repeat(3)}`);
    const start = page.locator("#batch-work .actions button:first-child");
    assert.ok(await start.isDisabled());
    assert.match((await page.textContent("#batch-work .notice")) ?? "", /Choose the column/);
    await page.selectOption("#batch-work select", { label: "b" });
    await start.click();
    await page.waitForSelector('.figures .invalid dd:text-is("3")');
    await page.selectOption("#batch-work select", { label: "a" });
    await start.click();
    await page.waitForSelector('.figures .valid dd:text-is("3")');
    await page.click("#batch-work .title button");
    for (const [content, fault] of [
      ["", /no rows/],
      ['iban\n"DE', /quotes/],
      ["PK\u0003\u0004\0\0", /no CSV/],
    ] as const) {
      await setFile(content);
      await page.locator("#view > .notice", { hasText: fault }).waitFor();
    }
  });

  test("takes pasted rows", async () => {
    await page.focus("#pasted");
    await page.evaluate(`
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "${ibans[0]}\\n${ibans[2]}\\n");
      document.getElementById("pasted").dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
    `);
    await page.waitForSelector('h2:text-is("Pasted rows · 2 rows")');
    await page.keyboard.press("Enter");
    await page.waitForSelector('.figures .valid dd:text-is("1")');
    await page.waitForSelector('.figures .invalid dd:text-is("1")');
  });

  test("takes a dropped file", async () => {
    await page.click("#batch-work .title button");
    await page.evaluate(`
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["iban\\n${ibans[0]}\\n"], "dropped.csv"));
      const source = document.getElementById("batch-source");
      for (const type of ["dragover", "drop"])
        source.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    `);
    await page.waitForSelector('h2:text-is("dropped.csv · 1 row")');
  });

  test("asks no other host for anything and causes no complaint", () => {
    assert.deepEqual(
      watched.requested.filter((url) => !url.startsWith(service.url)),
      [],
    );
    assert.deepEqual(watched.complaints, []);
  });
});
