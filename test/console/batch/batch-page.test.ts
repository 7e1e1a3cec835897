import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { Download, Request } from "playwright-core";
import { useSharedService } from "../../service.ts";
import { useConsole, withoutBrowser } from "../browser.ts";

/** `CONSOLE_ROWS=100000 npm test -- console/batch` is the long form. */
const rowCount = Number(process.env["CONSOLE_ROWS"] ?? 20_000);

const right = "DE89370400440532013000";
const wrong = "DE88370400440532013000";
/** Numbers with every verdict; no list has the bank of the third. */
const ibans = [right, wrong, "AT611904300234573201", "DE02120300000000202051", "not an IBAN"];
/** How many rows have each of them. */
const share = rowCount / ibans.length;

describe("the Batch view in a browser", { skip: withoutBrowser }, () => {
  const service = useSharedService();
  /** Whether results that were not downloaded may be discarded. */
  let mayDiscard = true;
  const ui = useConsole({
    view: "batch",
    prepare: (page) => page.on("dialog", (dialog) => void (mayDiscard ? dialog.accept() : dialog.dismiss())),
    opened: () => ui.signIn(),
  });
  const { page } = ui;

  const takeFile = (content: string) => ui.openFile(Buffer.from(content, "latin1"));

  const downloadCsv = () => ui.downloadBy("as CSV");

  const linesOf = async (download: Download) => readFileSync(await download.path(), "utf8").split("\r\n");

  const checkedColumns = () => page.locator("#batch-work .column option:checked").textContent();

  const cells = (name: string) => page.locator(`.table .row .${name}`).allTextContents();

  const figure = async (name: string) =>
    Number((await page.textContent(`.filters .${name} strong`))!.replaceAll(",", ""));

  const choose = (label: string) => page.selectOption("#batch-work select", { label });

  const rowsAre = (count: number) => page.waitForSelector(`.table[aria-rowcount="${count + 1}"]`);

  const leave = () => page.click("#batch-work .title button");

  test("checks a file of many rows, in a table that holds only those in sight", async () => {
    const lines = Array.from(
      { length: rowCount },
      (_, row) => `K${row};"Müller; Söhne";${ibans[row % ibans.length]}`,
    );
    const buffer = Buffer.from(`number;name;iban\r\n${lines.join("\r\n")}\r\n`, "latin1");
    await ui.openFile(buffer, "customers.csv");
    assert.equal(await checkedColumns(), "iban");
    await page.click(ui.startButton);
    await page.waitForSelector(".table .row .verdict:not(:empty)");
    await page.locator(".table .row").first().focus();
    await page.evaluate(`
      window.focusedRow = document.activeElement;
      window.drawn = document.querySelector(".table .row .verdict:not(:empty)");
    `);
    await page.waitForSelector(ui.startButton, { state: "hidden" });
    assert.ok(await page.evaluate("document.activeElement === focusedRow"), "a row stays the same element");
    assert.ok(await page.evaluate("drawn.isConnected"), "a row that has not changed is not drawn again");
    const counts = { all: rowCount, valid: 2 * share, doubtful: share, invalid: 2 * share, unchecked: 0 };
    for (const [name, count] of Object.entries(counts)) assert.equal(await figure(name), count, name);
    await rowsAre(rowCount);
    assert.ok((await page.locator(".table .row").count()) < 100);
  });

  test("sorts, searches, filters by reason, and opens a row with its whole check", async () => {
    const rows = page.locator(".table .row");
    const first = () => rows.first().locator(".checked").textContent();
    await page.click("[data-column=bank] .sort");
    await page.click("[data-column=bank] .sort");
    await page.waitForSelector('.table [aria-sort="descending"]');
    await ui.nextFrame();
    assert.notEqual(await rows.first().locator(".bank").textContent(), "");
    await page.fill(".filters input", "Commerzbank");
    await ui.says(".table .row:first-child .bank", /^Commerzbank/);
    const asked: string[] = [];
    const note = (request: Request) => void asked.push(request.url());
    page.on("request", note);
    await rows.first().click();
    await page.waitForSelector(".details h2.valid");
    await ui.expectText(".details .characters", /^DE89 3704 0/);
    const shownRow = await page.textContent(".details h3");
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await page.locator(".details h3", { hasNotText: shownRow! }).waitFor();
    await page.getByRole("button", { name: "Previous", exact: true }).click();
    assert.equal(await page.textContent(".details h3"), shownRow);
    page.off("request", note);
    assert.deepEqual(asked, [], "what was found is not paid twice");
    await page.getByRole("button", { name: "Show every check" }).click();
    await page.waitForSelector(".details .checks");
    await page.getByRole("button", { name: "Close" }).click();
    await page.fill(".filters input", "");
    await page.selectOption(".filters select", "not_an_iban");
    await page.locator(".table .row .verdict", { hasText: "Not an IBAN" }).first().waitFor();
    assert.equal(await page.locator(".table .row .verdict", { hasText: "Valid" }).count(), 0);
    assert.equal(await first(), "not an IBAN", "text that is not an IBAN is shown unchanged");
    await page.click(".filters .all");
    await page.click("[data-column=number] .sort");
    assert.equal(await rows.first().locator(".own").count(), 2, "the file's own columns are shown");
  });

  test("scrolls to the last row, and filters", async () => {
    await page.evaluate("document.querySelector('.table').scrollTop = 1e9");
    await page.waitForSelector(`.table .row[aria-rowindex="${rowCount + 1}"]`);
    await page.click(".filters .invalid");
    await rowsAre(2 * share);
    assert.equal(await page.locator(".table .row .valid").count(), 0);
    await page.selectOption(".filters select", "bank_code_unknown");
    await rowsAre(share);
    await page.click(".filters .all");
  });

  test("prints the first thousand rows across, without what is for the screen", async () => {
    await page.emulateMedia({ media: "print" });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    assert.equal(await page.locator(".table .row").count(), 1_000);
    await ui.expectText(".results .print-only", /first 1,000 of [\d,]+ rows/);
    for (const unseen of ["header", ".filters", "#batch-work .actions > button"])
      assert.equal(await page.locator(unseen).first().isVisible(), false, unseen);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await page.emulateMedia({ media: "screen" });
    await page.locator(".table .row").nth(900).waitFor({ state: "detached" });
  });

  test("downloads the rows with their results as a file in which no spreadsheet finds a formula", async () => {
    const name = '"Müller; Söhne"';
    const { headers } = await service.request(`/v1/iban/${right}`);
    const edition = headers.get("X-Data-Edition") ?? "";
    const unread =
      "The IBAN is too short, does not begin with two letters, or contains characters other than letters and digits.";
    await takeFile(`no;name;iban\r\n=1+1;${name};${right}\r\n-5,00;@x;${wrong}\r\n+A1;${name};none`);
    await ui.checkAll();
    const download = await downloadCsv();
    assert.equal(download.suggestedFilename(), "list-checked.csv");
    assert.deepEqual(await linesOf(download), [
      "\uFEFFno;name;iban;status;valid;message;bic;bank;zip;location;country;sct;sdd;b2b;scc;error;reason;blz;check_iban;edition;note",
      `"'=1+1";${name};${right};1;true;The IBAN is valid.;COBADEFFXXX;Commerzbank;50447;Köln;DE;1;1;1;1;;;37040044;${right};${edition};`,
      `-5,00;"'@x";${wrong};0;false;The IBAN is not valid: its check digits are wrong.;;;;;DE;0;0;0;0;;iso_check_digits;;${wrong};${edition};`,
      `"'+A1";${name};none;3;false;${unread};;;;;;0;0;0;0;invalid_iban;not_an_iban;;;;`,
      "",
    ]);
  });

  test("shows five columns of a file without scrolling, and number, verdict and bank beside any of twelve", async () => {
    const takeColumns = async (names: string) => {
      const cells = names.replace(/\w+/g, "$& of the customer");
      await takeFile(`iban;${names}\n${right};${cells}\n`);
      await ui.says(".table .row .own", cells.split(";").at(-1)!);
    };
    const five = "name;street;town;amount;purpose";
    await takeColumns(five);
    assert.equal(await ui.overflow(".table"), 0);
    const size = page.viewportSize()!;
    await page.setViewportSize({ ...size, width: 768 });
    const inSight = `[...document.querySelectorAll(".table .row .own")].filter((cell) => cell.offsetWidth > 0).length`;
    assert.equal(await page.evaluate(inSight), 2, "on a tablet two of them stay");
    await page.setViewportSize(size);
    await takeColumns(`${five};due;clerk;phone;branch;note;language`);
    const places = () =>
      page.evaluate(`["checked", "verdict", "bank"].map((name) =>
        document.querySelector(".table .row ." + name).getBoundingClientRect().x)`);
    const before = await places();
    await page.evaluate("document.querySelector('.table').scrollLeft = 1e6");
    assert.ok((await page.evaluate<number>("document.querySelector('.table').scrollLeft")) > 0);
    assert.deepEqual(await places(), before);
  });

  test("says why it makes no workbook of 100,001 rows", async () => {
    await takeFile(`iban\n${`${right}\n`.repeat(100_001)}`);
    await page.click(ui.startButton);
    await ui.says("#batch-work .progress", /^[1-9]/);
    await page.getByRole("button", { name: "as XLSX" }).click();
    await ui.says("#batch-work > .notice.wrong", /at most 100,000 rows/);
    await ui.inGerman(() => ui.says("#batch-work > .notice.wrong", /höchstens 100\.000 Zeilen/));
  });

  test("asks for the column of IBANs where it is not clear, and says why a file cannot be read", async () => {
    await takeFile(`a;b\n;\n\n${`${right};${wrong}\n`.repeat(3)}`);
    const start = page.locator(ui.startButton);
    assert.ok(await start.isDisabled());
    await ui.expectText("#batch-work .notice", /Choose the column/);
    await choose("b");
    await ui.checkAll();
    assert.equal(await figure("invalid"), 3);
    await choose("a");
    await ui.checkAll();
    assert.equal(await figure("valid"), 3);
    assert.deepEqual(await cells("number"), ["4", "5", "6"], "empty rows are left out and counted");
    await leave();
    for (const [content, fault] of [
      ["", /No rows were found/],
      ['iban\n"DE', /quotation marks/],
      ["PK\u0003\u0004\0\0", /no readable rows/],
      ['<?xml version="1.0"?>\n<Document/>', /no readable rows/],
      ["%PDF-1.7\n", /This is a PDF\. Open it, copy its text/],
      ["\xff\xd8\xff\xe0\0\x10JFIF", /This is an image/],
      [`[${"1,".repeat(400_000)}1]`, /More than 400,000 rows/],
    ] as const) {
      const buffer = Buffer.from(content, "latin1");
      await page.setInputFiles("#file", { name: "list.csv", mimeType: "text/csv", buffer });
      await ui.says("#view > .notice", fault);
    }
  });

  test("checks all columns of IBANs at once, and keeps what was found of each choice", async () => {
    await takeFile(`payer;payee;name\n${right};${wrong};Anna\n${right};${right};Ben\n`);
    const start = page.locator(ui.startButton);
    await choose("All 2 columns of IBANs");
    assert.equal(await start.textContent(), "Check 4 numbers");
    await ui.checkAll();
    assert.deepEqual(await cells("number"), ["2", "2", "3", "3"]);
    assert.equal((await cells("own")).join(), "payer,Anna,payee,Anna,payer,Ben,payee,Ben");
    await page.click('[data-column="own own--1"] .sort');
    await ui.says(".table .row:first-child .own", "payee");
    assert.equal((await cells("own")).join(), "payee,Anna,payee,Ben,payer,Anna,payer,Ben");
    // Fewer numbers are chosen while the order of more is sought.
    await page.click("[data-column=number] .sort");
    await page.click("[data-column=number] .sort");
    await page.waitForSelector('[data-column=number][aria-sort="descending"]');
    for (const choice of ["payer", "All 2 columns of IBANs"]) {
      await page.evaluate(`(() => {
        document.querySelector(".filters input").dispatchEvent(new Event("input"));
        const choice = document.querySelector("#batch-work select");
        choice.selectedIndex = [...choice.options].findIndex(({ text }) => text === ${JSON.stringify(choice)});
        choice.dispatchEvent(new Event("change"));
      })()`);
      await rowsAre(choice === "payer" ? 2 : 4);
    }
    await page.click("[data-column=number] .sort");
    for (const text of ["COBADEFF", "50447 Köln", "de89 3704"]) {
      await page.fill(".filters input", text);
      await rowsAre(3);
    }
    await page.fill(".filters input", "");
    await rowsAre(4);
    await choose("payee");
    await rowsAre(2);
    assert.deepEqual(await cells("verdict"), ["", ""]);
    await ui.checkAll();
    await choose("All 2 columns of IBANs");
    await page.waitForSelector('.filters .valid strong:text-is("3")');
    assert.ok(await start.isHidden(), "nothing is left to check");
    const lines = await linesOf(await downloadCsv());
    assert.match(lines[0]!, /^\uFEFFpayer;payee;name;payer_status;payer_valid;.*;payee_status;payee_valid;/);
    assert.match(lines[1]!, /;Anna;1;true;.*;0;false;The IBAN is not valid: its check digits are wrong\.;/);
    assert.equal(lines.length, 4);
  });

  test("ends with a sentence to copy; a suggestion takes the place of a wrong number, in the table and in the download", async () => {
    await takeFile(`name;iban\nAnna;${right}\nBen;${wrong}\n`);
    await page.click(ui.startButton);
    const summary = page.locator("#batch-work [role=status]", { hasText: "need attention" });
    assert.equal(await summary.textContent(), "1 of 2 need attention: Wrong check digits (1).");
    const copy = page.locator(".summary").getByRole("button", { name: "Kopieren" });
    await ui.inGerman(() => copy.waitFor());
    await ui.openCheck(3);
    await page.locator(".suggestions button").first().click();
    await page.waitForSelector(".details h2:not(.invalid)");
    await ui.says("#batch-work [role=status]", "Nothing needs attention: 2 valid.");
    const [, , corrected = ""] = await linesOf(await downloadCsv());
    assert.match(corrected, /^Ben;DE\d{20};1;true;/);
    assert.ok(!corrected.includes(wrong));
  });

  test("a correction that fails changes nothing, a double click counts once, and the next row follows the corrected one", async () => {
    const misread = ["370400440532031000", "370400440523013000", "370400404532013000", "730400440532013000"];
    await takeFile(`iban\n${misread.map((number) => `DE89${number}\n`).join("")}`);
    await ui.checkAll();
    await page.click(".filters .invalid");
    await rowsAre(4);
    await ui.openCheck(4);
    const json = { error: { http_status: 400, code: "invalid_request", message: "Refused." } };
    let requests = 0;
    await page.route("**/v1/stream*", (route) =>
      requests++ === 0 ? route.fulfill({ status: 400, json }) : route.continue(),
    );
    const suggestion = page.locator(".suggestions button").first();
    await suggestion.click();
    await ui.says(".details .notice.wrong", "Refused.");
    await ui.says(".table .row:nth-child(3)", /DE89 3704 0040 .*Wrong check digits/);
    await suggestion.dblclick();
    await rowsAre(3);
    assert.equal(requests, 2);
    await page.unroute("**/v1/stream*");
    const next = page.getByRole("button", { name: "Next", exact: true });
    await next.click();
    assert.equal(await page.textContent(".details h3"), "Row 5");
    assert.ok(await next.evaluate((button) => button.matches(":focus")));
    await page.getByRole("button", { name: "Close" }).click();
    // A file of all rows is one in any order.
    await page.click("[data-column=bank] .sort");
    await page.waitForSelector('.table [aria-sort="ascending"]');
    for (const filter of [".all", ".valid"]) {
      await page.click(`.filters ${filter}`);
      await rowsAre(filter === ".valid" ? 1 : 4);
      await (await downloadCsv()).delete();
    }
    mayDiscard = false;
    await leave();
    await page.waitForSelector("#batch-source:not([hidden])");
    mayDiscard = true;
  });

  test("asks before a reload within a run, which ends it, and takes another file after it", async () => {
    let sent = 0;
    // The run does not end before the page is loaded again.
    await page.route("**/v1/**", (route) => (sent++ < 4 ? route.continue() : undefined));
    await takeFile(`iban\n${`${right}\n`.repeat(20_000)}`);
    await page.click(ui.startButton);
    await ui.says("#batch-work .progress", /^[1-9]/);
    const [dialog] = await Promise.all([page.waitForEvent("dialog"), page.reload()]);
    assert.equal(dialog.type(), "beforeunload");
    await page.unroute("**/v1/**");
    await page.waitForSelector("#batch-source");
    await takeFile(`iban\n${right}\n`);
    await ui.checkAll();
    assert.equal(await figure("valid"), 1);
  });

  test("makes the IBANs of accounts with their bank codes, also from a workbook, and asks before it discards them", async () => {
    await takeFile("name;konto;blz\nA;532013000;37040044\nB;532014000;37040044\n");
    assert.equal(await checkedColumns(), "konto with blz");
    await ui.checkAll();
    await ui.says(".table .row .checked", "DE89 3704 0044 0532 0130 00");
    assert.equal(await figure("valid"), 1);
    mayDiscard = false;
    const reload = () => page.evaluate("location.reload()");
    for (const goAway of [leave, () => page.click("#sign-out"), reload]) {
      const [dialog] = await Promise.all([page.waitForEvent("dialog"), goAway()]);
      if (dialog.type() === "confirm") assert.match(dialog.message(), /Results not downloaded: 2\./);
      else assert.equal(dialog.type(), "beforeunload");
    }
    mayDiscard = true;
    assert.equal(await checkedColumns(), "konto with blz");
    assert.ok(await page.isVisible("#batch-work"), "nothing is discarded");
    const download = await ui.downloadBy("as XLSX");
    assert.equal(download.suggestedFilename(), "list-checked.xlsx");
    await ui.openFile(readFileSync(await download.path()), "list-checked.xlsx");
    await ui.expectText("#batch-work h2", /2 rows/);
  });

  test("shows the last digits of a German IBAN on the narrowest phone", async () => {
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 360, height: 780 });
    await page.waitForSelector(".table .row .checked");
    const cut = await page.evaluate<number>(`(() => {
      const number = document.querySelector(".table .row .checked");
      const text = document.createRange();
      text.selectNodeContents(number);
      const right = text.getBoundingClientRect().right;
      return Math.max(number.scrollWidth - number.clientWidth, right - document.documentElement.clientWidth);
    })()`);
    assert.ok(cut <= 0, `${cut} pixels are cut off`);
    await ui.says(".table .row:first-child .checked", /30 00$/);
    await takeFile("name;konto;blz\nA;532013000;37040044\nB;532014000;37040044\nC;1;99999999\n");
    await ui.checkAll();
    const made = page.locator(".table .generated", { hasText: "DE89 3704 0044 0532 0130 00" });
    const { x, width } = (await made.boundingBox())!;
    assert.ok(x + width <= 360, "the IBAN of an account");
    const row = page.locator(".table .row").first();
    assert.ok(await row.evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight));
    const reason = page.locator(".filters select option", { hasText: "Wrong account check digit (1)" });
    await reason.waitFor({ state: "attached" });
    assert.equal(await ui.overflow(), 0, "long reasons do not widen the page");
    await leave();
    await page.setViewportSize(size);
  });

  test("takes pasted rows", async () => {
    await page.focus("#pasted");
    await page.evaluate(`
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "${right}\\n${wrong}\\n");
      document.getElementById("pasted").dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
    `);
    await page.waitForSelector('h2:text-is("Pasted rows · 2 rows")');
    await page.keyboard.press("Enter");
    await page.waitForSelector('.filters .valid strong:text-is("1")');
    await page.waitForSelector('.filters .invalid strong:text-is("1")');
  });

  test("takes a file that is dropped on another view, of which nothing leaves the page, and neither a folder nor several files", async () => {
    await leave();
    await page.click("#tab-check");
    const sent: string[] = [];
    const record = (request: Request) => sent.push(request.postData() ?? "");
    page.on("request", record);
    const drop = (files: number, isFolder = false) =>
      page.evaluate(`{
        const dataTransfer = new DataTransfer();
        for (let file = 0; file < ${files}; file++)
          dataTransfer.items.add(new File(["iban\\n${right}\\n"], "dropped.csv"));
        const { webkitGetAsEntry } = DataTransferItem.prototype;
        if (${isFolder}) DataTransferItem.prototype.webkitGetAsEntry = () => ({ isDirectory: true });
        for (const type of ["dragover", "drop"])
          if (document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })))
            throw new Error("the browser would open the file");
        Object.assign(DataTransferItem.prototype, { webkitGetAsEntry });
      }`);
    await drop(1);
    await page.waitForSelector('h2:text-is("dropped.csv · 1 row")');
    await drop(1, true);
    await ui.says("#view > .notice.wrong", "This is a folder");
    await drop(2);
    await ui.says("#view > .notice.wrong", "one file at a time");
    page.off("request", record);
    assert.deepEqual(sent.filter(Boolean), []);
  });

  test("reads UTF-8 with the hint sep=, UTF-16, payment messages, bookings of MT940, JSON, and the numbers of a mail, before anything is counted", async () => {
    const csv = `name;iban\nMüller €;${right}\nŁukasz;${wrong}\n`;
    const party = (role: string, iban: string) =>
      `<${role}><Nm>${role} &amp; Co</Nm><PstlAdr><AdrLine>Weg 1</AdrLine></PstlAdr></${role}><${role}Acct><Id><IBAN>${iban}</IBAN></Id></${role}Acct>`;
    const pain = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
      <PmtInf><PmtInfId>P1</PmtInfId>${party("Dbtr", right)}<DbtrAgt><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></DbtrAgt>
      <CdtTrfTxInf><PmtId><EndToEndId>E1</EndToEndId></PmtId>${party("Cdtr", wrong)}</CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>`;
    const booked = (iban: string) =>
      `:61:2611261126CR1,00N166NONREF\n:86:166?00GUTSCHRIFT?20Rechnung 7?31${iban}?32MUSTER\n`;
    for (const [content, cells] of [
      [`\uFEFFsep=;\r\n${csv}`, "name|Müller €|Łukasz"],
      [Buffer.from(`\uFEFF${csv.replaceAll(";", "\t")}`, "utf16le"), "name|Müller €|Łukasz"],
      [`:20:START\n:28C:1/1\n${booked(right)}${booked(wrong)}-\n`, ""],
      [pain, "role|name|reference|debtor|Dbtr & Co|P1|creditor|Cdtr & Co|E1|rulebook|address_unstructured"],
      [`[{"n":7,"payee":{"iban":"${right}"}},{"payee":{"iban":"${wrong}"}}]`, "n|7|"],
      ["Hallo,\nBisher: DE89 3704 0044 0532 0130 00\nNeu: DE75 5121 0800 1245 1261 98", ""],
    ] as const) {
      await ui.openFile(content);
      await page.waitForSelector('h2:text-is("list.csv · 2 rows")');
      await ui.says("#batch-work .actions > button:enabled", "Check 2 rows");
      await page.locator(".table .row").nth(1).waitFor();
      const own = await page.locator(".table .own:not(.bic)").allTextContents();
      for (const cell of cells.split("|").filter(Boolean)) assert.ok(own.includes(cell), cell);
    }
  });
});
