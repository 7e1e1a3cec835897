import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { openInput } from "../../../src/cli/input/open-input.ts";
import { openWorkbook } from "../../../src/cli/input/xlsx.ts";
import { collect } from "../../client/collect.ts";
import { newFile, newFolder } from "../../support/folders.ts";
import { startCommand } from "../../support/start-command.ts";
import { expectEnd } from "../expect-end.ts";
import { jsonLines } from "../printed.ts";
import { bankcheck, commerzbank, runOver, serviceEnvironment, wrong } from "../with-service.ts";

const folder = newFolder();

const runCheck = (input: Buffer | string, ...args: readonly string[]) => runOver(input, "check", ...args);

/** Returns the output of `check` for an input, with `status` as the only added column. */
async function checked(input: Buffer | string, ...args: readonly string[]): Promise<string> {
  const { output } = await expectEnd(runCheck(input, "-q", "--select", "status", ...args), 0);
  return output.toString();
}

/** The same of standard input, in a separate process. */
async function piped(input: Buffer | string): Promise<string> {
  const args = ["check", "-q", "--select", "status"];
  const { stdout } = await expectEnd(startCommand(args, await serviceEnvironment(), input).result, 0);
  return stdout.toString();
}

const rows = `name;iban\nMüller;${commerzbank}\nMeyer;${wrong}\n`;
const result = `name;iban;status\nMüller;${commerzbank};1\nMeyer;${wrong};0\n`;

/** A frame of zstd with one block that is not compressed. Source: RFC 8878, section 3.1.1. */
function zstd(content: Buffer): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32LE(content.length, 5);
  head.writeUIntLE(content.length * 8 + 1, 9, 3);
  return Buffer.concat([head, content]);
}

const zipped = (parts: Readonly<Record<string, string>>) =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))),
  );

const sheetOf = (content: string) => `<worksheet><sheetData>${content}</sheetData></worksheet>`;

const cells = [
  ["name", "iban", "since", "amount"],
  ["Müller & Söhne", commerzbank, 44_927, 5.32013e8],
  ["Meyer, Anna", wrong, 44_927.5, 1.1 + 2.2],
] as const;

/** A workbook with two sheets, whose texts are shared, after other sheets and with properties where they are given. */
function workbook(properties = "", hidden = ""): Buffer {
  const texts: string[] = [...new Set(cells.flat().filter((cell) => typeof cell === "string"))];
  const escaped = (text: string) => text.replaceAll("& ", "&amp;_x0020_");
  const row = (values: readonly (string | number)[], number: number) =>
    `<row r="${number}">${values
      .map((value, column) => {
        const name = `${"ABCD"[column]}${number}`;
        if (typeof value === "string") return `<c r="${name}" t="s"><v>${texts.indexOf(value)}</v></c>`;
        return `<c r="${name}" s="${column - 1}"><v>${value}</v></c>`;
      })
      .join("")}</row>`;
  const parts = {
    "xl/workbook.xml": `<workbook xmlns:r="x" xmlns:d3p1="x">${properties}<sheets>${hidden}<sheet name="Customers" r:id="r1"/><sheet name="Other" d3p1:id="r2"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
    "xl/sharedStrings.xml": `<sst>${texts.map((text) => `<si><r><t>${escaped(text)}</t></r><rPh><t>x</t></rPh></si>`).join("")}</sst>`,
    "xl/styles.xml":
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="_-* #,##0.00\\ _D_M_-"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    "xl/worksheets/sheet1.xml": sheetOf(cells.map((values, index) => row(values, index + 1)).join("")),
    "xl/worksheets/sheet2.xml": sheetOf(
      `<row><c t="inlineStr"><is><t><![CDATA[${commerzbank}]]></t><rPh><t>x</t></rPh></is></c></row>`,
    ),
  };
  return zipped(parts);
}

test("gzip, zstd and UTF-16 are recognised by their content, also in a pipe and one within the other", async () => {
  const plain = Buffer.from(rows);
  const utf16 = Buffer.from(`\ufeff${rows}`, "utf16le");
  for (const [name, content] of [
    ["gzip", gzipSync(plain)],
    ["two members", Buffer.concat([gzipSync(plain.subarray(0, 20)), gzipSync(plain.subarray(20))])],
    ["zstd", zstd(plain)],
    ["zstd after a skipped frame", Buffer.concat([Buffer.from("P*M\u0018\u0004\0\0\0size"), zstd(plain)])],
    ["utf-16", utf16],
    ["utf-16 big endian", Buffer.from(utf16).swap16()],
    ["utf-16 without a mark", utf16.subarray(2)],
    ["utf-16 in gzip", gzipSync(utf16)],
  ] as const) {
    assert.equal(await checked(content), result, name);
  }
  for (const content of [gzipSync(utf16), zstd(plain), utf16]) assert.equal(await piped(content), result);
  const odd = runCheck(Buffer.concat([utf16, Buffer.from("x")]), "--select", "status");
  const { output } = await expectEnd(odd, 0, /ends with half a character of UTF-16/);
  assert.equal(output.toString(), result);
  const cut = gzipSync(Buffer.from(rows.repeat(9_999))).subarray(0, 900);
  await expectEnd(runCheck(cut), 1, /gzip data of the file is damaged or cut off/);
});

test("XLSX is read as CSV: numbers with the digits that spreadsheets show, dates as in ISO 8601, another sheet by name or number", async () => {
  const expected = [
    "name,iban,since,amount,status",
    `Müller & Söhne,${commerzbank},2023-01-01,532013000,1`,
    `"Meyer, Anna",${wrong},2023-01-01T12:00:00,3.3,0`,
    "",
  ].join("\n");
  const file = workbook();
  assert.equal(await checked(file), expected);
  assert.equal(await piped(file), expected);
  assert.equal(await checked(gzipSync(file)), expected);
  for (const sheet of ["Other", "other", "2"]) {
    assert.equal(await checked(file, "--sheet", sheet), `${commerzbank},1\n`);
  }
  const hidden = workbook("", '<sheet name="Old" r:id="r2" state="hidden"/>');
  assert.equal(await checked(hidden), expected);
  assert.equal(await checked(hidden, "--sheet", "old"), `${commerzbank},1\n`);
  const note = "Only the sheet Customers is read; --sheet chooses another: Other.\n";
  assert.ok((await runCheck(hidden)).stderr.startsWith(note));
  assert.ok(!(await runCheck(hidden, "--sheet", "1")).stderr.includes("is read"));
  const from1904 = workbook('<workbookPr date1904="1"/>');
  assert.equal(await checked(from1904), expected.replaceAll("2023-01-01", "2027-01-02"));
  const absent = runCheck(file, "--sheet", "Nowhere");
  await expectEnd(absent, 1, /no sheet "Nowhere"; the sheets are: Customers, Other/);
  await expectEnd(runCheck(zipped({ a: "b" })), 1, /ZIP archive, not an XLSX file/);
  await expectEnd(runCheck(file.subarray(0, 900)), 1, /XLSX file is damaged/);
});

test("an XLSX file that unpacks to far more than a sheet holds is refused before it fills the memory", async () => {
  const much = "A".repeat(3_000_000);
  const string = `<sst><si><t>${much.slice(0, 120_000)}</t></si></sst>`;
  for (const [shared, content, reason] of [
    [`<sst><si><t>${much}</t></si></sst>`, "", /without a tag/],
    [`<sst><si><t>${much.slice(0, 300_000)}</t></si></sst>`, "", /cell of more than/],
    [string, `<row>${'<c t="s"><v>0</v></c>'.repeat(10)}</row>`, /row of more than 1 MB/],
    ["<sst/>", `<row><c t="inlineStr"><is><t>${much}`, /without a tag/],
    ["<sst/>", `<row><c a="${much}`, /without a tag/],
  ] as const) {
    const parts = {
      "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="a" r:id="1"/></sheets></workbook>',
      "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="1" Target="a.xml"/></Relationships>',
      "xl/sharedStrings.xml": shared,
      "xl/a.xml": sheetOf(content),
    };
    await assert.rejects(collect(openWorkbook(Readable.from([zipped(parts)]), undefined, () => {})), reason);
  }
});

test("a JSON array is read as its elements, which may be objects over several lines or plain texts", async () => {
  const [first, second] = [
    { name: 'a "]},{"', iban: commerzbank },
    { iban: wrong, n: [1, { a: 2 }] },
  ];
  const objects = jsonLines(await checked(JSON.stringify([first, second], null, 2)));
  assert.deepEqual(objects, [
    { ...first, status: 1 },
    { ...second, status: 0 },
  ]);
  const texts = await checked(JSON.stringify([commerzbank, wrong]));
  assert.equal(texts, `{"iban":"${commerzbank}","status":1}\n{"iban":"${wrong}","status":0}\n`);
  const many = Array.from({ length: 20_000 }, (_, n) => ({ n, iban: commerzbank, t: "},{" }));
  const valid = many.map((row) => ({ ...row, status: 1 }));
  assert.deepEqual(jsonLines(await checked(JSON.stringify(many))), valid);
});

test("a payment message is read as a table of its accounts, and their BICs are checked", async () => {
  const party = (role: string, iban: string, bic: string) =>
    `<${role}Acct><Id><IBAN>${iban}</IBAN></Id></${role}Acct><${role}Agt><FinInstnId><BICFI>${bic}</BICFI></FinInstnId></${role}Agt>`;
  const payment = `<CdtTrfTxInf>${party("Cdtr", commerzbank, "DEUTDEFF")}</CdtTrfTxInf>`;
  const xml = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><PmtInf>${party("Dbtr", commerzbank, "COBADEFF")}${payment}</PmtInf></Document>`;
  const expected = `role,name,iban,bic,reference,rulebook,status\ndebtor,,${commerzbank},COBADEFF,,,1\ncreditor,,${commerzbank},DEUTDEFF,,,2\n`;
  assert.equal(await checked(gzipSync(xml), "--bic-column", "bic"), expected);
  assert.equal(await checked(xml), expected);
  const address = "<Cdtr><PstlAdr><AdrLine>Domkloster 4</AdrLine></PstlAdr></Cdtr>";
  const refused = xml.replace("DEUTDEFF", "COBADEFF").replace("<CdtrAcct>", `${address}<CdtrAcct>`);
  const says = /Refused by the SEPA rulebooks, see the column rulebook:\n +1 {2}address_unstructured\n/;
  const { output } = await expectEnd(runCheck(refused, "--fail-on-invalid"), 4, says);
  assert.match(output.toString(), /\ncreditor,,DE89370400440532013000,COBADEFF,,address_unstructured,/);
});

test("each row says why it is wrong, what was checked, with which edition, and what was probably meant", async () => {
  const input = `iban,n\nde89 3704 0044 0532 0130 00,1\nhello,2\n${wrong},3\n`;
  const { output, stderr } = await runCheck(input, "--suggest");
  const [head = "", right = "", none = "", meant = ""] = output.toString().split("\n");
  assert.match(head, /^iban,n,status,.*,error,reason,blz,check_iban,edition,note,suggestion$/);
  assert.match(right, new RegExp(`,,,37040044,${commerzbank},\\d{4}-\\d\\d-\\d\\d,,$`));
  assert.match(none, /,invalid_iban,\w+,,,,,$/);
  assert.match(meant, new RegExp(`,iso_check_digits,.*,${commerzbank}$`));
  assert.match(stderr, /Valid 1 · Not valid 2\n( +1 {2}\w+\n){2}$/);
});

test("rows that cannot be read stay with their reason, end the run, or go to a file", async () => {
  const input = `iban;n\n${commerzbank};1\n${wrong};2;3;x\n${commerzbank};"a" b\n\n${commerzbank};4\n`;
  const kept = (await checked(input, "--select", "status,error,message")).split("\n");
  assert.equal(kept[1], `${commerzbank};1;1;;The IBAN is valid.`);
  const bad = /^"DE88370400440532013000;2;3;x";;;bad_row;Line 3 cannot be read: it has 4 fields/;
  assert.match(kept[2] ?? "", bad);
  assert.match(kept[3] ?? "", /;;bad_row;Line 4 cannot be read: its quotes are wrong\.$/);
  assert.match(kept[5] ?? "", /^DE89370400440532013000;4;1;/);
  const rejected = join(folder, "rejected.csv");
  const out = await checked(input, `--bad-rows=reject=${rejected}`);
  assert.equal(out, `iban;n;status\n${commerzbank};1;1\n\n${commerzbank};4;1\n`);
  assert.equal(readFileSync(rejected, "utf8"), `iban;n\n${wrong};2;3;x\n${commerzbank};"a" b\n`);
});

test("a bad row that stops a run keeps all rows before it, and once it is mended the run continues", async () => {
  const good = `${commerzbank};x\n`;
  const input = newFile(folder, `iban;n\n${good.repeat(1_900)}${commerzbank};1;2\n${good.repeat(700)}`);
  const output = join(folder, "mended.csv");
  const args = ["check", input, "-o", output, "-q", "--bad-rows", "stop"];
  const says = /^Line 1902 cannot be read: it has 3 fields instead of 2\..*--resume continues from there/;
  await expectEnd(bankcheck(args), 1, says);
  const kept = readFileSync(`${output}.part`, "utf8").split("\n");
  assert.equal(kept.length, 1_902, "every row before it is in the output");
  writeFileSync(input, `iban;n\n${good.repeat(1_900)}${commerzbank};12\n${good.repeat(700)}`);
  await expectEnd(bankcheck([...args, "--resume"]), 0);
  assert.equal(readFileSync(output, "utf8").split("\n").length, 2_603);
  rmSync(output);
  writeFileSync(input, `iban;n\n${good.repeat(1_900)}${commerzbank};1;2\n`);
  await bankcheck(args);
  writeFileSync(input, `iban;n\n${good.repeat(500)}${wrong};x\n${good.repeat(1_399)}${commerzbank};12\n`);
  await expectEnd(bankcheck([...args, "--resume"]), 1, /have changed; --force starts over/);
  assert.ok(!existsSync(output));
});

test("several IBANs of a row, an IBAN with its BIC, only some rows, and an exit code for what is wrong", async () => {
  const two = await checked(`payer,payee\n${commerzbank},${wrong}\n`, "-c", "payer", "-c", "Payee");
  assert.equal(two, `payer,payee,payer_status,payee_status\n${commerzbank},${wrong},1,0\n`);
  const alike = `IBAN;name;IBAN;IBAN_3\n${commerzbank};x;${wrong};${wrong}\n`;
  const three = ["-c", "1", "-c", "3", "-c", "4"];
  const table = await checked(alike, ...three);
  assert.match(table, /^IBAN;name;IBAN;IBAN_3;IBAN_status;IBAN_3_status;IBAN_3_4_status\n/);
  const object = await checked(alike, ...three, "--format", "ndjson");
  assert.match(object, /"IBAN_status":1,"IBAN_3_status":0,"IBAN_3_4_status":0\}\n$/);
  const bics = `iban,bic\n${commerzbank},COBADEFF\n${commerzbank},DEUTDEFF\n${commerzbank},\n${commerzbank},nonsense\n`;
  const withBic = (await checked(bics, "--bic-column", "bic", "--select", "status,error")).split("\n");
  const results = withBic.slice(1, 5).map((row) => row.split(",").slice(2).join());
  assert.deepEqual(results, ["1,", "2,", "1,", ",invalid_bic"]);
  assert.equal(await checked(rows, "--only", "invalid"), `name;iban;status\nMeyer;${wrong};0\n`);
  const valid = await checked(rows, "--only", "valid", "--prefix", "our_");
  assert.equal(valid, `name;iban;our_status\nMüller;${commerzbank};1\n`);
  await expectEnd(runCheck(rows, "--fail-on-invalid"), 4);
  await expectEnd(runCheck(`${commerzbank}\n`, "--fail-on-invalid"), 0);
  const none = runCheck(rows, "--select", "colour");
  await expectEnd(none, 1, /--select has no column "colour"; there are: status, /);
});

test("IBANs and account numbers are read as people write them, and the row says so", async () => {
  const written = "IBAN: DE89\u200b3704-0044.0532 0130 00";
  const [, row = ""] = (await checked(`iban\n"${written}"\n`, "--select", "status,iban,note")).split("\n");
  assert.ok(row.endsWith(`,1,${commerzbank},read as ${commerzbank}`), row);
  const accounts = ["532013000.0", "532-013-000", "'0532013000", "532.013.000"];
  const table = `konto;blz\n${accounts.map((account) => `${account};370 400 44\n`).join("")}`;
  const out = (await checked(table, "--select", "status,note")).split("\n");
  for (const [index, account] of accounts.entries()) {
    const row = new RegExp(`^${account.replaceAll(".", "\\.")};370 400 44;1;read as 0?532013000$`);
    assert.match(out[index + 1] ?? "", row);
  }
});

test("a file that becomes shorter while it is read is not taken for a whole one, one that grows is read to its end", async () => {
  const path = newFile(folder, `${commerzbank}\n`.repeat(40_000));
  const grown = await openInput(path);
  appendFileSync(path, "end");
  const pieces = await collect(grown.chunks());
  assert.equal(Buffer.concat(pieces).length, 40_000 * 23 + 3);
  await grown.close();
  const cut = await openInput(path);
  truncateSync(path, 500_000);
  await assert.rejects(
    collect(cut.chunks()),
    /became shorter while it was read: from 920003 to \d+ bytes\.$/,
  );
  await cut.close();
});

test("of several files those that cannot be read are named, and all others are checked", async () => {
  const [one, other] = [newFile(folder, rows), newFile(folder, `${commerzbank}\n`)];
  const damaged = newFile(folder, gzipSync(rows).subarray(0, 20));
  const absent = join(folder, "absent.csv");
  const target = join(folder, "some");
  const files = [damaged, one, absent, other];
  const run = (...more: string[]) =>
    bankcheck(["check", ...files, "-o", target, "--select", "status", ...more]);
  const { stderr } = await expectEnd(run("-q"), 1);
  const lines = stderr.trimEnd().split("\n");
  assert.equal(lines.length, 3, stderr);
  assert.ok(lines[0]!.startsWith(`${damaged}: `) && lines[1]!.startsWith(`${absent}: `), stderr);
  assert.equal(lines[2], `2 of 4 files could not be checked: ${damaged}, ${absent}.`);
  assert.equal(readFileSync(join(target, basename(one)), "utf8"), result);
  assert.equal(readFileSync(join(target, basename(other)), "utf8"), `${commerzbank},1\n`);
  writeFileSync(absent, `${commerzbank}\n`);
  writeFileSync(damaged, gzipSync(rows));
  await expectEnd(run("--resume"), 0, `${basename(one)} is complete already`);
  assert.equal(readFileSync(join(target, basename(damaged)), "utf8"), result);
  for (const [args, says] of [
    [[one, other], /^Several files need --output FOLDER, [^;]*\.\n$/],
    [[one, one, "-o", target], /FOLDER, .*; two of them have the same name\.\n$/],
    [[one, other, "-o", join(folder, "one.csv")], /FOLDER, .*; \S+one\.csv names a file\.\n$/],
  ] as const)
    await expectEnd(bankcheck(["check", ...args]), 1, says);
});

test("a workbook among several files has a file of rejected rows, and never the output of another file", async () => {
  const [book, other] = [join(folder, "book.xlsx"), newFile(folder, rows)];
  writeFileSync(book, workbook());
  const place = (name: string) => join(folder, name, "book.xlsx.csv");
  const args = ["-o", join(folder, "books"), "--bad-rows", "reject", join(folder, "bad-books")];
  await expectEnd(bankcheck(["check", book, other, ...args]), 0);
  assert.ok(existsSync(place("books")) && existsSync(place("bad-books")));
  writeFileSync(`${book}.csv`, rows);
  const alike = bankcheck(["check", book, `${book}.csv`, ...args, "--force"]);
  await expectEnd(alike, 1, /two of them have the same name\.\n$/);
});
