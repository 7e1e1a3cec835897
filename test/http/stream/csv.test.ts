import assert from "node:assert/strict";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { testKey, useSharedService } from "../../service.ts";
import { newFolder } from "../../support/folders.ts";
import { checkHere } from "../../support/run-here.ts";
import { answerOf, answerTo, linesOf, openStream } from "./client.ts";

const iban = "DE89370400440532013000";
const wrong = "DE89370400440532013001";

const folder = newFolder();
const service = useSharedService();

/** The rows of an answer in CSV, and its end. */
function parted(answer: string): { readonly rows: string; readonly end: Record<string, unknown> } {
  const at = answer.lastIndexOf("# {");
  return { rows: answer.slice(0, at), end: JSON.parse(answer.slice(at + 2)) as Record<string, unknown> };
}

/** Files, each with its query and the options of the command that mean the same. */
const files: Readonly<Record<string, readonly [file: string, query?: string, options?: string]>> = {
  // The first of its worker: what is remembered of its answers must serve streams of one column too.
  "several columns": [
    `payer,payee\n${iban},${wrong}\n${wrong},${iban}\n`,
    "?column=payer&column=payee",
    "--column payer --column payee",
  ],
  "a named column": [`a;b\n${iban};${wrong}\n${wrong};${iban}\n`, "?column=b", "--column b"],
  "a column by number": [`${iban}\t${wrong}\n${wrong}\t${iban}\n`, "?column=2", "--column 2"],
  BICs: [
    `iban,bic\n${iban},COBADEFFXXX\n${iban},DEUTDEFF\n${iban},x\n${wrong},x\n${iban},\n`,
    "?bic_column=bic",
    "--bic-column bic",
  ],
  "a chosen delimiter and no header": [
    `${iban}|a,b\n${wrong}|c,d\n`,
    "?delimiter=%7C&header=0",
    "--delimiter | --no-header",
  ],
  "empty lines first, a column called by a number, texts with commas, and ends of two kinds": [
    `\n\r\niban;2026;address\r\n${iban};1;"a, b, c, d"\n${wrong};"2;x\ny;"z\n${iban};3;e, f, g, h\n`,
  ],
  "rows that end with CR alone": [`iban,n\r${iban},"a"\r${wrong},"a" b\r`],
};

for (const [name, [file, query = "", options = ""]] of Object.entries(files)) {
  test(`the rows of a stream are those of bankcheck check: ${name}`, async () => {
    const { status, text: answer } = await answerTo(service, [file], query);
    assert.equal(status, 200, answer);
    const args = ["check", "--quiet", ...options.split(" ").filter(Boolean)];
    const connection = { BANKCHECK_URL: service.url, BANKCHECK_KEY: testKey };
    const { exit, output, stderr } = await checkHere(folder, args, file, connection);
    assert.equal(exit, 0, stderr);
    assert.equal(parted(answer).rows, output.toString());
  });
}

test("streams of every kind are answered alike, in any order", async () => {
  const file = `payer;payee;bic\n${iban};${wrong};COBADEFFXXX\nGB29NWBK60161331926819;${iban};\nhello;;x\n`;
  const columns = ["", "column=payer", "column=payer&column=payee", "column=payer&bic_column=bic"];
  const options = ["", "fields=status,bank", "reason=1", "suggest=1", "lang=de", "explain=1"];
  const accepted = ["text/csv", "application/x-ndjson"];
  const kinds = columns.flatMap((column) =>
    options.flatMap((option) => accepted.map((Accept) => [`?${column}&${option}`, Accept] as const)),
  );
  const answersTo = async (ordered: typeof kinds) => {
    const texts: string[] = [];
    for (const [query, Accept] of ordered)
      texts.push((await answerTo(service, [file], query, { Accept })).text);
    return texts;
  };
  assert.deepEqual((await answersTo(kinds.toReversed())).toReversed(), await answersTo(kinds));
});

test("the summary of CSV counts rows by their result", async () => {
  const unknownBank = "CH9300762011623852957";
  const file = `iban\n${iban}\n${wrong}\nhello\n"x" y\n${unknownBank}\n"${unknownBank}"\n\n`;
  const { text: answer } = await answerTo(service, [file]);
  assert.deepEqual(parted(answer).end["summary"], {
    lines: 6,
    valid: 3,
    invalid: 2,
    errors: 1,
    reasons: { iso_check_digits: 1, not_an_iban: 1 },
    warnings: { bank_code_unknown: 2 },
  });
});

test("CSV whose client pauses within its first row, after empty lines, is waited for", async () => {
  const open = openStream(service, "", "text/csv");
  const answer = answerOf(open);
  open.write('\n"iban\n');
  // A client that was silent for a second is looked at within another.
  await delay(3_000);
  open.end(`"\n${iban}\n`);
  assert.match(await text(await answer), /^\n"iban\n",status.*\nDE89370400440532013000,1,/);
});

test("the end of CSV is a separate chunk", async () => {
  const open = openStream(service, "", "text/csv");
  open.end(`iban\n${iban}\n`);
  const chunks: Buffer[] = [];
  const answer = (await answerOf(open)).on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(answer, "end");
  assert.match(String(chunks.at(-1)), /^# \{"summary":.*\}\}\n$/);
});

test("Accept chooses between CSV and NDJSON, for any body", async () => {
  const [csv, json] = ["text/csv", "application/x-ndjson"];
  for (const [body, type, Accept, query, rows] of [
    [`name,iban\na,${iban}\n`, csv, json, "", '{"line":2,"status":1}\n'],
    // The most specific range counts.
    [`name,iban\na,${iban}\n`, csv, "*/*, text/csv;q=0", "", '{"line":2,"status":1}\n'],
    [
      ...[`a,b\n${iban},${wrong}\n`, csv, json, "&column=a&column=b"],
      '{"line":2,"column":"a","status":1}\n{"line":2,"column":"b","status":0}\n',
    ],
    [`${iban}\n`, "text/plain", "text/csv, */*;q=0.1", "", "line,status\n1,1\n"],
    [
      `{"id":"a,b","iban":"${iban}"}\n{"kontonummer":"532013000","bankleitzahl":"37040044"}\n{`,
      ...[json, csv, ",error", 'line,id,status,error\n1,"a,b",1,\n2,,1,\n3,,,invalid_request\n'],
    ],
  ] as [body: string, type: string, accept: string, query: string, rows: string][]) {
    const asked = { "Content-Type": type, Accept };
    const { text: answer, headers } = await answerTo(service, [body], `?fields=status${query}`, asked);
    const isJson = rows.startsWith("{");
    assert.ok(headers["content-type"]!.startsWith(isJson ? json : csv));
    assert.equal(answer.slice(0, answer.indexOf(isJson ? '{"summary"' : "# {")), rows);
  }
});

test("CSV without a recognisable column is refused, in the requested language", async () => {
  for (const [file, query] of [
    ["a,b\nx,y\n", ""],
    [`iban\n${iban}\n`, "?column=other"],
    ["", ""],
    [`iban\n${iban}\n`, "?fields=colour"],
    [`${"a".repeat(3_000)};${"b".repeat(3_000)}\n${iban};${iban}\n`, "?column=1&column=2"],
  ] as const) {
    const { status, text: answer } = await answerTo(service, [file], query);
    assert.deepEqual([status, linesOf(answer)[0]?.error?.code], [400, "invalid_request"], answer);
  }
  const { text: german } = await answerTo(service, ["a,b\nx,y\n"], "?column=c&lang=de");
  assert.match(german, /Es gibt keine Spalte/);
});

test("a row that cannot be read says why in the requested language", async () => {
  const file = `iban;name\n${iban};"a" b\n${iban};c;d;e\n`;
  for (const Accept of ["text/csv", "application/x-ndjson"]) {
    const { text: answer } = await answerTo(service, [file], "?fields=message&lang=de", { Accept });
    assert.match(answer, /Zeile 2 ist nicht lesbar: Ihre Anführungszeichen sind falsch\./);
    assert.match(answer, /Zeile 3 ist nicht lesbar: Sie hat 4 Felder statt 2\./);
  }
});

test("bodies and answers may be gzip", async () => {
  const file = `iban,name\n${`${iban},a\n${wrong},b\n`.repeat(20_000)}`;
  const plain = await answerTo(service, [file]);
  const zipped = gzipSync(file);
  const headers = { "Content-Encoding": "gzip", "Accept-Encoding": "gzip" };
  const packed = await answerTo(service, [zipped.subarray(0, 7), zipped.subarray(7)], "", headers);
  assert.equal(packed.headers["content-encoding"], "gzip");
  assert.ok(packed.bytes.length < plain.bytes.length / 5);
  assert.equal(gunzipSync(packed.bytes).toString(), plain.text);
});

/** The last lines of the answer to a packed body. */
async function endOf(zipped: Buffer, type = "text/plain") {
  const headers = { "Content-Type": type, "Content-Encoding": "gzip", Accept: "application/x-ndjson" };
  const lines = linesOf((await answerTo(service, [zipped], "", headers)).text);
  return { error: lines.at(-2)!.error!, summary: lines.at(-1)!.summary! };
}

test("a body that is not gzip, or is truncated, ends with an error and with the line to continue from", async () => {
  const zipped = gzipSync(`${iban}\n`.repeat(1_000));
  for (const body of [Buffer.from("hello"), zipped.subarray(0, zipped.length - 12)]) {
    const { error, summary } = await endOf(body);
    assert.deepEqual([error.code, summary.next_line], ["invalid_request", summary.lines + 1]);
  }
});

test("bombs of blank lines, of one line and of short lines end in bounded memory, with the reason and a summary", async () => {
  for (const type of ["text/plain", "application/x-ndjson"]) {
    const { error, summary } = await endOf(gzipSync(Buffer.alloc(20_000_000, "\n")), type);
    assert.equal(error.code, "invalid_request", type);
    assert.match(error.message, /16 MB/);
    assert.deepEqual([summary.lines, summary.next_line! > 16_000_000], [0, true]);
  }
  assert.equal((await endOf(gzipSync(Buffer.alloc(20_000_000, "x")))).error.code, "payload_too_large");
  const short = gzipSync(Buffer.alloc(2_000_000, "X\n"));
  const { error, summary } = await endOf(short);
  assert.equal(error.code, "invalid_request");
  assert.match(error.message, /more than 64 lines/);
  const bound = 100_000 + 64 * short.length;
  assert.ok(summary.lines > bound && summary.lines < bound + 100_000, `${summary.lines}`);
  assert.equal(summary.next_line, summary.lines + 1);
});
