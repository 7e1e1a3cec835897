import assert from "node:assert/strict";
import { test } from "node:test";
import { encoded } from "../../../src/rows/encoding.ts";
import { type LayoutOptions, recogniseLayout } from "../../../src/rows/layout.ts";
import { csvFields, makeRenderer, type OutputRow, type RenderOptions } from "../../../src/rows/render.ts";
import { selectedColumns, type Verdict } from "../../../src/rows/verdict.ts";
import { iban } from "./layouts.ts";

const result = { status: 1, valid: true, message: "", error: "", reason: "" };
const verdict: Verdict = { ...result, bank: encoded("Köln; Süd") };

/** An input, recognised and split into rows, with status and bank added to each that can be checked. */
function joined(
  input: string | Buffer,
  options: Partial<RenderOptions> = {},
  known: Partial<LayoutOptions> = {},
): string {
  const bytes = Buffer.from(input);
  const layout = recogniseLayout(bytes, true, { column: [], format: options.format, ...known });
  const columns = selectedColumns({ generates: false, select: ["status", "bank"] });
  const { format = layout.format, delimiter = layout.dialect.delimiter } = options;
  const { addedDelimiter = format === "csv" ? delimiter : "," } = options;
  const renderer = makeRenderer(layout, {
    ...{ columns, language: "en", prefix: "", addedDelimiter },
    ...options,
    format,
  });
  const ofNumber = csvFields(columns, addedDelimiter)(verdict);
  const added = layout.numbers.map(() => ofNumber).join(addedDelimiter);
  const { finder } = layout;
  const text = bytes.toString("latin1");
  const rows: OutputRow[] = [];
  for (let at = layout.begin; at < bytes.length; at = finder.next) {
    finder.scan(bytes, at, bytes.length, true);
    const { end, fault, count } = finder;
    const row = { text: text.slice(at, end), fields: finder.fields(text), fault: fault?.(7) };
    rows.push(count === 0 ? { row } : { row, added });
  }
  return Buffer.concat([renderer.head(), renderer.rows(rows)]).toString();
}

const [comma, semicolon, tab] = [",1,Köln; Süd", ';1;"Köln; Süd"', "\t1\tKöln; Süd"];
const json = ',"status":1,"bank":"Köln; Süd"}\n';
const long = "12345678901234567890";
const early = `{"iban":"${iban}"}\n`;

interface Joined {
  readonly promise: string;
  readonly input: string;
  readonly options?: Partial<RenderOptions>;
  readonly known?: Partial<LayoutOptions>;
  readonly output: string;
}

const cases: readonly Joined[] = [
  {
    promise: "rows are unchanged but for the columns added",
    input: `name,iban\n"Meyer, ""Anna""",${iban}\n"two\nlines","x" \n`,
    output: `name,iban,status,bank\n"Meyer, ""Anna""",${iban}${comma}\n"two\nlines","x" ${comma}\n`,
  },
  {
    promise: "semicolons, carriage returns, a byte order mark and a last row without an end are kept",
    input: `\ufeffiban;name\r\n${iban};A\r\n;B`,
    output: `\ufeffiban;name;status;bank\r\n${iban};A${semicolon}\r\n;B${semicolon}\r\n`,
  },
  {
    promise: "tabs are kept, and nothing is named without a header",
    input: `x\t${iban}`,
    output: `x\t${iban}${tab}\n`,
  },
  {
    promise: "a list may have empty lines and more than one kind of line end",
    input: `${iban}\r\n\nDE89 3704 0044 0532 0130 00\n`,
    output: `${iban}${comma}\n\nDE89 3704 0044 0532 0130 00${comma}\n`,
  },
  {
    promise: "missing fields are filled up",
    input: `iban,a,b\n${iban}\n`,
    output: `iban,a,b,status,bank\n${iban},,${comma}\n`,
  },
  {
    promise: "delimiters too many are left out",
    input: `iban,a\n${iban},1,,\n`,
    output: `iban,a,status,bank\n${iban},1${comma}\n`,
  },
  {
    promise: "the widest row says how many columns a list has",
    input: `${iban};1\n${iban};2;x;\n${iban}\n`,
    output: `${iban};1;${semicolon}\n${iban};2;x${semicolon}\n${iban};;${semicolon}\n`,
  },
  {
    promise: "a row that cannot be read is one field, with its reason in the columns for it",
    input: `a,iban\n1,${iban}\n"b" c,${iban}\n`,
    output: `a,iban,status,bank\n1,${iban}${comma}\n"""b"" c,${iban}",,,\n`,
  },
  {
    promise: "lines before the header stay, and no name is taken twice",
    input: `sep=;\nstatus;iban\n1;${iban}\n`,
    output: `sep=;\nstatus;iban;check_status;bank\n1;${iban}${semicolon}\n`,
  },
  {
    promise: "no name is taken twice by the columns of several IBANs",
    input: `a,check_a,a_status\n${iban},${iban},x\n`,
    known: { column: ["a", "check_a"] },
    output: `a,check_a,a_status,check_a_status,a_bank,check_check_a_status,check_a_bank\n${iban},${iban},x${comma}${comma}\n`,
  },
  {
    promise:
      "another delimiter is used in every field and in a title, as a byte order mark is where it is wanted",
    input: `sep=;\n"Customers, 2026";;\n\na;iban;b\n"1,5";${iban};2;;\n1;${iban}\n\n"b" c;\n`,
    options: { delimiter: ",", bom: true },
    output: `\ufeff"Customers, 2026",,\n\na,iban,b,status,bank\n"1,5",${iban},2${comma}\n1,${iban},${comma}\n"""b"" c;",,,,\n`,
  },
  {
    promise: "columns that come with another delimiter get that of the output",
    input: `iban\n${iban}\n`,
    options: { delimiter: ";", addedDelimiter: "," },
    output: `iban;status;bank\n${iban}${semicolon}\n`,
  },
  {
    promise: "each number of a row has columns of its own",
    input: `von_iban,an_iban\n${iban},${iban}\n`,
    ...{ options: { prefix: "our_" }, known: { column: ["1", "2"] } },
    output: `von_iban,an_iban,our_von_iban_status,our_von_iban_bank,our_an_iban_status,our_an_iban_bank\n${iban},${iban}${comma}${comma}\n`,
  },
  {
    promise: "CSV becomes NDJSON with a key for each column",
    input: `iban,,n,n,n_4\n${iban},ä,b,c\n"ü" c\n`,
    options: { format: "ndjson" },
    output: `{"iban":"${iban}","column_2":"ä","n":"b","n_4":"c","n_4_5":""${json}{"bad_row":"\\"ü\\" c","status":null,"bank":""}\n`,
  },
  {
    promise: "a list becomes NDJSON without its empty lines",
    input: `${iban};ä\n\n`,
    options: { format: "ndjson" },
    output: `{"column_1":"${iban}","column_2":"ä"${json}`,
  },
  {
    promise: "NDJSON keeps its lines",
    input: `{"name":"Özgür","iban":"${iban}"}\n{ }\n\n{ "iban":null , "n":[1] }\n{"n":[\n`,
    output: `{"name":"Özgür","iban":"${iban}"${json}{${json.slice(1)}{ "iban":null , "n":[1]${json}{"bad_row":"{\\"n\\":[","status":null,"bank":""}\n`,
  },
  {
    promise: "NDJSON becomes CSV",
    input: `{"name":"Özgür","iban":"${iban}"}\n{}\n\n{ "iban":null , "n":[1] }\n{"n":[\n`,
    options: { format: "csv" },
    output: `name,iban,n,status,bank\nÖzgür,${iban},${comma}\n,,${comma}\n,,[1]${comma}\n"{""n"":[",,,,\n`,
  },
  {
    promise: "no digit of JSON gets lost",
    input: `{"iban":"${iban}","id":${long},"a":[${long}],"b":"x,${long} \\",1e400","c":1e400,"d":1.50}\n{"id":${long}}\n{"c":1.5e400}\n{"a":[1234567890123456,1e400]}\n`,
    options: { format: "csv" },
    output: `iban,id,a,b,c,d,status,bank\n${iban},${long},"[""${long}""]","x,${long} "",1e400",1e400,1.5${comma}\n,${long},,,,${comma}\n,,,,1.5e400,${comma}\n,,"[1234567890123456,""1e400""]",,,${comma}\n`,
  },
  {
    promise: "a late key with the name of an added column is not written twice in one object",
    input: `${early.repeat(101)}{"iban":"${iban}","status":"mine","check_bank":1,"bank":2}\n`,
    output: `${`{"iban":"${iban}"${json}`.repeat(101)}{"iban":"${iban}","status":"mine","check_bank":1,"bank":2,"check_status":1,"check_check_bank":"Köln; Süd"}\n`,
  },
  {
    promise: "a key within another object takes no name",
    input: `{"iban":"${iban}","n":{"status":1}}\n`,
    output: `{"iban":"${iban}","n":{"status":1}${json}`,
  },
];

for (const { promise, input, options, known, output } of cases)
  test(`columns are joined to rows: ${promise}`, () => assert.equal(joined(input, options, known), output));

test("what is not UTF-8 is read as Latin-1, as far as it is", () => {
  const latin = Buffer.concat([
    Buffer.from(`name;iban\nKöln;${iban}\n`),
    Buffer.from(`M\u0080ller ü;${iban}\n`, "latin1"),
  ]);
  const [first, second] = [`Köln;${iban}${semicolon}\n`, `M€ller ü;${iban}${semicolon}\n`];
  assert.equal(joined(latin), `name;iban;status;bank\n${first}${second}`);
  // What a person says counts, although it may be UTF-8.
  const said = `name;iban\n\u00c3\u0084;${iban}\n`;
  const read = joined(Buffer.from(said, "latin1"), {}, { encoding: "latin-1" });
  assert.equal(read, `name;iban;status;bank\nÃ„;${iban}${semicolon}\n`);
  const object = `{"a":"Köln ü","iban":"${iban}"`;
  assert.equal(joined(Buffer.from(`${object}}\n`, "latin1")), `${object}${json}`);
});

test("a row that stays as it is needs no fields", () => {
  const layout = recogniseLayout(Buffer.from(`iban,n\n${iban},1\n`), true, { column: [] });
  const columns = selectedColumns({ generates: false, select: ["status"] });
  const format = { language: "en", prefix: "", format: "csv", addedDelimiter: "," } as const;
  const row = { text: `${iban},1`, count: 2, fields: [] };
  const { needsFields, rows } = makeRenderer(layout, { columns, ...format });
  assert.equal(needsFields, false);
  assert.equal(rows([{ row, added: "1" }]).toString(), `${iban},1,1\n`);
});
