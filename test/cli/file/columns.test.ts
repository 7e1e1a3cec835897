import assert from "node:assert/strict";
import { test } from "node:test";
import { progressLine } from "../../../src/cli/file/run-report.ts";
import { addedColumns } from "../../../src/rows/verdict.ts";
import { accountAt, at, iban, ibanAt } from "./layouts.ts";

test("the columns to check are recognised by their names, and else by what is in more than half of their fields that are not empty", () => {
  for (const [content, expected] of [
    [`${iban}\n`, ibanAt(0)],
    [`a;b\n1;${iban}\n`, ibanAt(1)],
    [`a;IBAN\n${iban};x\n`, ibanAt(1)],
    [`a|b|c\n|de89 3704 0044 0532 0130 00|\n||\n`, ibanAt(1)],
    [`a;b\n1;DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000\n`, ibanAt(1)],
    ["x,37040044,532013000\ny,10000000,1\n", accountAt(2, 1)],
    ["Kto-Nr.\tn\tBankleitzahl\n1\t2\t3\n", accountAt(0, 2)],
    [`{"a":1,"x":"${iban}"}\n`, ibanAt(1)],
    [`a;b\n1;${iban}\n2; \n3;\n`, ibanAt(1)],
  ] as const)
    assert.deepEqual(at(content).numbers, [expected], content);
  for (const content of [`a;b\n1;${iban}\n2;x\n`, "a;b;c\n37040044;1;2\n", "a;b;c\n37040044;10000000;1\n"])
    assert.throws(() => at(content), /No column looks like IBANs/, content);
});

test("what a person says of a file counts, not what it looks like", () => {
  const braced = `{a;iban\n1;${iban}\n`;
  assert.deepEqual(at(braced, [], { inputFormat: "csv" }).names, ["{a", "iban"]);
  const hinted = `sep=|\nb|n,iban\n1|2,${iban}\n`;
  assert.deepEqual(at(hinted, [], { delimiter: "," }).names, ["b|n", "iban"]);
  const assumed = `Meyer;Bremen\nSchulz;${iban}\nKlein;${iban}\n`;
  assert.deepEqual(at(assumed, [], { header: true }).notes, []);
  assert.deepEqual([at(assumed, [], { header: false }).names, at(assumed).names?.length], [undefined, 2]);
});

test("rows begin behind header and byte order mark, and are as wide as the widest of them", () => {
  const content = `\ufeffn;iban\r\n1;${iban}\r\n`;
  const { begin, beginLine, hasByteOrderMark, headerText, names } = at(content);
  assert.deepEqual([beginLine, hasByteOrderMark, headerText, names], [2, true, "n;iban", ["n", "iban"]]);
  assert.ok(Buffer.from(content).subarray(begin).toString().startsWith("1;"));
  assert.equal(at(`${iban};1\n${iban};1;x\n${iban}\n`).width, 3);
  assert.equal(at(`${iban};1\n${iban};1;;\n`).width, 2);
});

test("a header is distinguished from a first row, also where a column is called by a number", () => {
  for (const [content, names] of [
    [`${iban}\n`, undefined],
    [`iban\n${iban}\n`, ["iban"]],
    [`customer,number\n1,${iban}\n`, ["customer", "number"]],
    [`1,${iban}\n2,${iban}\n`, undefined],
    [`;;\n${iban};1;2\n`, undefined],
    ["konto,blz\n", ["konto", "blz"]],
    [`name;iban;;\nSchulz;${iban};;\n`, ["name", "iban", "", ""]],
    [`4711;Meyer\n4712;${iban}\n4713;${iban}\n`, undefined],
    [`iban,2025,2026\n${iban},1,2\n`, ["iban", "2025", "2026"]],
    ["Konto,2026,BLZ\n1,2,37040044\n", ["Konto", "2026", "BLZ"]],
  ] as const) {
    assert.deepEqual(at(content).names, names, content);
  }
  assert.deepEqual(at("x,y\na,b\n", ["y"]).numbers[0], ibanAt(1));
  const numbered = at("x,y\na,b\n", ["2", "1"]);
  assert.deepEqual([numbered.numbers, numbered.names], [[accountAt(1, 0)], undefined]);
  assert.equal(at(`IBAN,${iban}\nIBAN,${iban}\n`, ["2"]).names, undefined);
  assert.equal(at(`2,${iban}\n3,${iban}\n`, ["2"]).names, undefined, "a column by its number");
});

test("columns of one name are distinguished by their numbers, and accents count alike in both encodings", () => {
  const twice = `IBAN;name;IBAN\n${iban};x;${iban}\n`;
  assert.deepEqual(at(twice, ["3"]).numbers, [ibanAt(2)]);
  assert.throws(() => at(twice, ["iban"]), /Columns 1, 3 are called "iban"; name one by number\./);
  assert.throws(() => at(twice), /look like IBANs: IBAN \(number 1\), IBAN \(number 3\)\. Choose/);
  const decomposed = `a;Empfa\u0308nger-Konto\n1;${iban}\n`;
  assert.deepEqual(at(decomposed, ["Empfänger-Konto"]).numbers, [ibanAt(1)]);
});

test("accounts whose IBANs are generated are found beside a column for the IBANs", () => {
  const table = "iban;kontonummer;blz\n;532013000;37040044\n";
  assert.deepEqual(at(table, [], { generates: true }).numbers, [accountAt(1, 2)]);
  assert.equal(at(table).numbers[0]!.kind, "iban", "a check reads the IBANs");
});

test("the correction of swapped numbers names both, that of a kontonummer it alone", () => {
  const suggestion = addedColumns({ generates: false, suggests: true }).at(-1) as unknown as {
    of(verdict: unknown): unknown;
  };
  const written = (best: object) => suggestion.of({ suggestions: [best] });
  const account = { kontonummer: "532013000", bankleitzahl: "37040044" };
  assert.equal(written({ ...account, field: "both" }), "532013000 37040044");
  assert.equal(written({ ...account, field: "kontonummer" }), "532013000");
  assert.equal(written({ iban }), iban);
});

test("the delimiter is the one that the rows have in the same number, although texts have more of another", () => {
  const address = "Main St. 1, 2nd floor, back, Berlin, DE";
  for (const [content, delimiter, names] of [
    [`name;iban;address\n${`Meyer, Anna;${iban};${address}\n`.repeat(3)}`, ";", 3],
    [`iban;name\n${iban};A\n${iban}\n${iban};B\n`, ";", 2],
    [`"a";"iban"\n"x, y";"${iban}"\n"z, y";"${iban}"\n`, ";", 2],
    [`iban\tn\n${iban}\t1,5\n${iban}\t2,5\n`, "\t", 2],
    // Amounts have decimal commas, and one row a delimiter too many.
    [`iban;n\n${iban};1,5\n${iban};2,5;\n${iban};3,5\n`, ";", 2],
    [`kto,blz\n532013000,37040044\n`, ",", 2],
    [`iban\n${iban}\n`, ",", 1],
    [`iban;n\n${iban}\n`, ";", 2],
    [`iban,a;b,c\n${iban},1;2,3\n`, ",", 3],
    [`iban;a,b;c\n${iban};1,2;3\n`, ";", 3],
    [`Name, given name, place;iban\n${`Meyer;${iban}\n`.repeat(2)}`, ";", 2],
    [`iban;n\n${iban};a|b|c|d|e\n${iban};f|g|h\n`, ";", 2],
    // Commas cut a single row, and only as others are taken for wrong ones.
    [`"text";"iban"\n"a\nb, c";"${iban}"\n`, ";", 2],
    [`iban|text, long\n${iban}|"x,"";"\n${iban}|y\n`, "|", 2],
    // A quoted text over more lines than a file is recognised by.
    [`iban;text\n${iban};"${"x\n".repeat(200)}"\n`, ";", 2],
  ] as const) {
    const layout = at(content);
    assert.deepEqual([layout.dialect.delimiter, layout.names?.length], [delimiter, names], content);
  }
});

test("rows end as most of them do, whichever ends are in quotes, in the header or in one row alone", () => {
  for (const [content, lineBreak] of [
    [`iban,n\r\n${iban},"a"\n${iban},"b"\n`, "\n"],
    [`iban,n\n${iban},"a"\r\n${iban},"b"\r\n`, "\n"],
    [`iban,n\r\n${iban},"a\nb"\r\n${iban},"\n"\r\n`, "\r\n"],
    [`iban,n\r\n${iban},"a\n\n\n`, "\r\n"],
    [`"a\nb",iban\r\nc,${iban}\r\n`, "\r\n"],
    [`"${iban},a\r\n${iban},b\r\n`, "\r\n"],
    [`5" disk,${iban}\r\n"a ""b\n\n\n"" c",${iban}\r\n`, "\r\n"],
    [`iban,n\rm\n${iban},1\n${iban},2\n`, "\n"],
    [`iban,n\r${iban},1\r${iban},2\r`, "\r"],
  ] as const) {
    assert.equal(at(content).dialect.lineBreak, lineBreak, JSON.stringify(content));
  }
  const { beginLine, finder } = at(`iban,n\r${iban},1\r${iban},2\r`);
  assert.deepEqual([beginLine, finder.lineBreak], [2, "\r"]);
});

test("a file is recognised by the same rows, however much of it is known and however many lines are empty", () => {
  const head = `${"\n".repeat(5_000)}name;id;iban\n`;
  const rows = `A;1;${iban}\n`.repeat(100);
  // Further rows would make another delimiter, other columns and another encoding.
  const more = `A,B,C,${iban},1;2\n`.repeat(300);
  const { finder: _, ...layout } = at(head + rows);
  assert.deepEqual([layout.names, layout.preamble.length], [["name", "id", "iban"], 5_000]);
  for (const rest of [more, `${more}\0`, '"open']) {
    const { finder: __, ...other } = at(head + rows + rest);
    assert.deepEqual(other, layout);
  }
});

test("several columns of IBANs are distinguished from kontonummer and BLZ, which may come in either order", () => {
  for (const [content, columns, expected] of [
    [
      `payer;payee\n${iban};GB29NWBK60161331926819\n`,
      ["payer", "PAYEE"],
      [ibanAt(0, "payer_"), ibanAt(1, "payee_")],
    ],
    ["a;b\n37040044;532013000\n70090100;1234567\n", ["a", "b"], [accountAt(1, 0)]],
    ["a;b\n370.400.44;532013000\n700-901-00;1234567\n", ["a", "b"], [accountAt(1, 0)]],
    ["a;b\n37040044;37040044\n", ["a", "b"], [accountAt(0, 1)]],
    // Another column has the name.
    [`iban;x;y\n;${iban};${iban}\n`, ["x", "y"], [ibanAt(1, "x_"), ibanAt(2, "y_")]],
  ] as const)
    assert.deepEqual(at(content, columns).numbers, expected, content);
  assert.throws(() => at(`Nr;nr;x\n1;2;${iban}\n`, ["NR"]), /"NR"/, "which of two that differ in case");
});

test("a header that is only assumed is said, and where nothing is recognised the columns are shown", () => {
  const [note = ""] = at(`Meyer;Bremen\nSchulz;${iban}\n`).notes;
  assert.match(note, /^The first row \(Meyer, Bremen\) is taken/);
  assert.deepEqual(at(`Meyer;\nSchulz;${iban}\n`).names, ["Meyer", ""]);
  assert.deepEqual(at(`;Meyer\nSchulz;${iban}\nKlein;${iban}\n`).names, undefined);
  assert.deepEqual(at(`name;iban\nSchulz;${iban}\n`).notes, []);
  assert.throws(
    () => at("a;b\nMeyer;2026-01-01\n", [], { header: true }),
    /the columns are:\n {2}1 a: "Meyer"\n {2}2 b: "2026-01-01"/,
  );
});

test("what a message says of the columns stays short, however many there are and however long their names", () => {
  const names = Array.from({ length: 5_000 }, (_, column) => `column ${column}`).join(";");
  for (const [content, wanted] of [
    [`a${"x".repeat(20_000)};${names}\nx\n`, []],
    [`a${"x".repeat(20_000)};${names}\nx\n`, ["other"]],
    [`${"iban;".repeat(5_000)}\nx\n`, []],
  ] as const) {
    const isShort = ({ message }: Error) => message.includes("…") && message.length < 3_000;
    assert.throws(() => at(content, wanted, { header: true }), isShort);
  }
});

test("lines before the header are passed over, Excel's sep= among them", () => {
  const layout = at(`Report\r\n\r\nsep=|\r\na|IBAN\r\n1|${iban}\r\n`, [], { skipLines: 2 });
  assert.deepEqual([layout.names, layout.dialect.delimiter, layout.beginLine], [["a", "IBAN"], "|", 5]);
  assert.equal(layout.preamble, "Report\r\n\r\nsep=|\r\n");
});

test("a title above the header is passed over and said, unless a row of it has a number or the person says where rows begin", () => {
  for (const [title, header, line] of [
    ["Customers, as of 1 January\n\n", "Name;IBAN;Amount", 4],
    ["Export;;\n;;\n", "Name;IBAN;Amount", 4],
    ["Export\n", "Name;Number of the payee;Amount", 3],
    ["IBAN;;\n", "", 2],
    ["Name;;\nAnna;;\n", "", 2],
    ["Name;Payee;Kind\nAnna;;Account\n", "", 2],
    [`${iban};;\n`, "Name;IBAN;Amount", 1],
  ] as const) {
    const content = `${title}${header === "" ? "" : `${header}\n`}Meyer;${iban};12,50\n`;
    const layout = at(content, line === 1 ? ["1"] : []);
    const isTitled = header !== "" && line > 1;
    assert.deepEqual([layout.beginLine, layout.preamble], [line, isTitled ? title : ""], content);
    const isSaid = layout.notes.some((note) => note.includes("--skip-lines 0"));
    assert.equal(isSaid, isTitled, content);
    for (const given of [{ skipLines: 0 }, { header: true }]) {
      assert.equal(at(content, ["1"], given).preamble, "", content);
    }
  }
});

test("NDJSON has columns within objects", () => {
  const row = JSON.stringify({ id: 1, payee: { account: { iban } } });
  assert.deepEqual(at(`${row}\n`).numbers[0], ibanAt(2));
  assert.equal(at(`${row}\n`, ["payee.account.iban"]).width, 2);
  const deep = `${JSON.stringify({ a: { b: { c: { iban, d: { iban } } } } })}\n`;
  assert.equal(at(deep, ["a.b.c.iban"]).numbers.length, 1);
  assert.throws(() => at(deep, ["a.b.c.d.iban"]), /a\.b\.c\.d/, "four levels are looked through");
  // By its name alone, since not even half of its fields look like IBANs; one of the row itself comes first.
  const wrong = JSON.stringify({ payee: { iban: "x" }, status: 1 });
  assert.deepEqual(at(`${wrong}\n`).numbers[0], ibanAt(2));
  const both = JSON.stringify({ payee: { iban: "x" }, iban: "y" });
  assert.deepEqual(at(`${both}\n`).numbers[0], ibanAt(1));
});

test("NDJSON that becomes CSV has no key that the first rows lack, and is written as asked or with commas", () => {
  const late = Buffer.from('{"late":1}');
  for (const [format, delimiter, expected] of [
    ["csv", undefined, ","],
    ["ndjson", ";", ";"],
  ] as const) {
    const layout = at(`{"iban":"${iban}"}\r\n`, [], { format, delimiter });
    assert.deepEqual([layout.format, layout.dialect], ["ndjson", { delimiter: expected, lineBreak: "\r\n" }]);
    layout.finder.scan(late, 0, late.length, true);
    assert.equal(layout.finder.fault !== undefined, format === "csv");
  }
});

test("the progress shows rows, speed, time left and the results", () => {
  const counts = { rows: 250_000, valid: 200_000, invalid: 50_000, bad: 0, reasons: {} };
  const facts = { counts, before: 50_000, share: 0.25, shareBefore: 0.05, seconds: 2, concurrency: 4 };
  assert.equal(
    progressLine(facts),
    "██████░░░░░░░░░░░░░░░░░░  25 %  250,000 rows  100,000/s  Valid 200,000  Not valid 50,000  in flight ≤ 4  left 0:08",
  );
  assert.match(progressLine({ ...facts, seconds: 4_000 }), /left 4:10:00$/);
  const ofPipe = progressLine({ ...facts, share: undefined });
  assert.equal(ofPipe, "250,000 rows  100,000/s  Valid 200,000  Not valid 50,000  in flight ≤ 4");
});
