import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { parse } from "csv-parse/sync";
import { readSheet } from "read-excel-file/universal";
import { workbook as ofSharedStrings, xlsxOf } from "../../banks/import/workbook.ts";
import { useConsole, withoutBrowser } from "../browser.ts";

const iban = "DE89370400440532013000";
/** A workbook whose cells are styled by number: as it is, a date, a date with the time of day. */
const workbook = (sheets: Readonly<Record<string, string>>) => xlsxOf(sheets, [], [0, 14, 22]);

const row = (number: number, ...cells: readonly string[]) => {
  const placed = cells.map((cell, column) =>
    cell.replace("<c", `<c r="${String.fromCharCode(65 + column)}${number}"`),
  );
  return `<row r="${number}">${placed.join("")}</row>`;
};
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (value: number, style = 0) => `<c s="${style}"><v>${value}</v></c>`;
const formula = (value: string) => `<c t="str"><f>A1</f><v>${value}</v></c>`;
/** A day as spreadsheets count it. */
const day = (Date.UTC(2026, 10, 22) - Date.UTC(1899, 11, 30)) / 86_400_000;

describe("workbooks in the Batch view", { skip: withoutBrowser }, () => {
  const asked: string[] = [];
  const ui = useConsole({
    view: "batch",
    prepare: (page) =>
      page.on("dialog", (dialog) => {
        asked.push(dialog.message());
        void dialog.accept();
      }),
    opened: () => ui.signIn(),
  });
  const { page } = ui;

  async function take(buffer: Buffer): Promise<void> {
    await ui.openFile(buffer, "book.xlsx");
    await page.locator(".table .row").first().waitFor();
  }
  const downloaded = async (form: string) => readFileSync(await (await ui.downloadBy(form)).path());
  const cells = async (name: string) =>
    (await page.locator(`.table .row .${name}`).allTextContents()).map((text) => text.trim());

  test("formulas are read as their values, dates as ISO 8601, numbers with their digits; empty rows are skipped", async () => {
    await take(
      workbook({
        Cover: row(1, text("Customers, November")),
        Customers:
          row(1, text("iban"), text("since"), text("amount"), text("active"), text("zip")) +
          row(2, formula(iban), number(day, 1), number(-12.5), '<c t="b"><v>1</v></c>', text("01067")) +
          row(3) +
          row(4, "<c/>", "<c/>", '<c s="1"/>', "<c/>", text(" ")) +
          row(
            5,
            text("DE88 3704 0044 0532 0130 00"),
            number(day + 510 / 1_440, 2),
            '<c t="e"><v>#N/A</v></c>',
            number(1234567890123456),
          ),
      }),
    );
    await ui.expectText("#batch-work h2", /2 rows/);
    // The first sheet with numbers is shown.
    await ui.expectText("#batch-work select option:checked", /^Customers$/);
    assert.deepEqual(await cells("own"), [
      ...["2026-11-22", "-12.5", "true", "01067"],
      ...["2026-11-22 08:30:00", "", "1234567890123456", ""],
    ]);
    await ui.checkAll();
    assert.deepEqual(await cells("verdict"), ["Valid", "Wrong check digits"]);
    assert.deepEqual(await cells("number"), ["2", "5"], "rows are counted as spreadsheets count them");
  });

  test("another sheet can be chosen, what was found of each is kept, and all that was not downloaded is asked for", async () => {
    await take(
      workbook({
        Ibans: row(1, text("iban"), text("name")) + row(2, text(iban), text("Anna")),
        Accounts:
          row(1, text("konto"), text("blz"), text("name")) +
          row(2, number(532013000), number(37040044), text("Ben")) +
          row(3, text("0532013000"), text("37040044"), text("Carla")),
        Empty: "",
      }),
    );
    await ui.checkAll();
    for (const [label, verdicts] of [
      ["Accounts", ["", ""]],
      ["Ibans", ["Valid"]],
      ["Accounts", ["", ""]],
    ] as const) {
      await page.selectOption("#batch-work select >> nth=0", { label });
      await page.waitForSelector(`.table[aria-rowcount="${verdicts.length + 1}"]`);
      assert.deepEqual(await cells("verdict"), verdicts);
    }
    await page.locator('h2:text-is("book.xlsx · 2 rows")').waitFor();
    await ui.checkAll();
    assert.deepEqual(await cells("verdict"), ["Valid", "Valid"]);
    const options = await page.locator("#batch-work select").first().locator("option").allTextContents();
    assert.deepEqual(options, ["Ibans", "Accounts"], "a sheet without rows is not offered");
    const answer = await ui.hold("**/v1/iban*");
    for (const label of ["Ibans", "Accounts"]) {
      await page.selectOption("#batch-work select >> nth=0", { label });
      await ui.openCheck(2);
    }
    await page.waitForSelector(".details .checks");
    const answered = page.waitForResponse("**/v1/iban*");
    answer();
    await answered;
    await page.unroute("**/v1/iban*");
    await page.click("#batch-work .title button");
    assert.match(asked.at(-1) ?? "", /Results not downloaded: 3\./);
  });

  test("numbers and dates stay what they are; CSV in German has decimal commas", async () => {
    await take(
      workbook({
        Customers:
          row(1, text("iban"), text("amount"), text("since"), text("zip")) +
          row(2, text(iban), number(0.30000000000000004), number(day + 0.5, 2), text("01067")) +
          row(3, text(iban), number(-1234.5), number(day, 1), text("1.5")),
      }),
    );
    assert.deepEqual((await cells("own")).slice(0, 3), ["0.3", "2026-11-22 12:00:00", "01067"]);
    await ui.checkAll();
    await page.selectOption("#language", "de");
    const csv = (await downloaded("CSV")).toString();
    assert.match(csv, /;0,3;2026-11-22 12:00:00;01067;1;true;Die IBAN ist gültig\./);
    assert.match(csv, /;-1234,5;2026-11-22;1\.5;1;true;/);
    const sheet = await readSheet(new Blob([await downloaded("XLSX")]));
    const [, ...kept] = sheet.map((cells) => cells.slice(1, 5));
    assert.deepEqual(kept, [
      [0.30000000000000004, new Date(Date.UTC(2026, 10, 22, 12)), "01067", 1],
      [-1234.5, new Date(Date.UTC(2026, 10, 22)), "1.5", 1],
    ]);
    await page.selectOption("#language", "en");
  });

  test("a large workbook of shared strings is read, and its downloads as CSV and as XLSX have the same rows, in both languages", async () => {
    const numbers = [iban, "DE88 3704 0044 0532 0130 00", "none"];
    const given = Array.from({ length: 6_000 }, (_, index) => [
      numbers[index % 3]!,
      index === 0 ? "x".repeat(32_767) : `${randomBytes(100).toString("hex")} & Sons`,
      `0${index}`,
    ]);
    const book = ofSharedStrings([["iban", "name", "zip"], ...given]);
    // From these sizes on, libraries use workers of their own for what is packed.
    assert.ok(book.length > 540_000, String(book.length));
    await take(book);
    await ui.checkAll();
    for (const [language, delimiter, sentences] of [
      ["en", ",", [/^The IBAN is valid\.$/, /its check digits are wrong\.$/, /^The IBAN is too short/]],
      ["de", ";", [/^Die IBAN ist gültig\.$/, /Die Prüfziffern sind falsch\.$/, /^Das ist keine IBAN\.$/]],
    ] as const) {
      await page.selectOption("#language", language);
      const csv = parse(await downloaded("CSV"), { bom: true, delimiter }) as string[][];
      const sheet = await readSheet(new Blob([await downloaded("XLSX")]));
      const cells = sheet.map((line) => line.map((cell) => String(cell ?? "")));
      assert.deepEqual(cells, csv);
      const [head = [], ...lines] = csv;
      const kept = lines.map((line) => line.slice(0, 3));
      assert.deepEqual(kept, given);
      const message = head.indexOf("message");
      for (const [index, line] of lines.entries()) assert.match(line[message]!, sentences[index % 3]!);
    }
    await page.selectOption("#language", "en");
  });
});
