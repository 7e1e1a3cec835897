import assert from "node:assert/strict";
import { test } from "node:test";
import { BankDirectory } from "../../../src/banks/directory/directory.ts";
import { maxStreamLineBytes } from "../../../src/contract/limits.ts";
import { csvForm, jsonForm, layoutFor } from "../../../src/pool/stream/answer-forms.ts";
import { BlockAnswer } from "../../../src/pool/stream/block-answer.ts";
import { answerLine, type LineOptions } from "../../../src/pool/stream/line-answer.ts";
import { numberAnswers } from "../../../src/pool/stream/number-answers.ts";
import {
  type NumberQuestion,
  type ReadRow,
  readCsvRow,
  readLine,
} from "../../../src/pool/stream/read-row.ts";
import { recogniseCsv } from "../../../src/pool/stream/run-block.ts";
import { BlockEnd, type StreamQuestion, type StreamState } from "../../../src/pool/stream/stream-task.ts";
import { CsvScanner } from "../../../src/rows/csv-scanner.ts";
import { selectedColumns } from "../../../src/rows/verdict.ts";
import { RandomIbans } from "../../kernel/random-ibans.ts";
import { IbanMix } from "../../support/iban-mix.ts";
import { randomOf } from "../../support/random.ts";
import { loadShippedDirectory } from "../../support/shipped-directory.ts";
import { Blocks, lineOptions, questionOf } from "../../support/stream-blocks.ts";
import { words } from "../../support/words.ts";
import { readVectors } from "../../vectors/read.ts";

/** The long form mutates more bodies of each kind: `STREAM_BODIES=2000`. */
const bodies = Number(process.env["STREAM_BODIES"] ?? 40);
const rowsPerBody = 40;

const data = await loadShippedDirectory();
const directory = new BankDirectory(data);
const mix = new IbanMix(directory, 20_261_122);
const oddIbans = new RandomIbans(directory, 20_261_123);
const blocks = new Blocks(data);
const random = randomOf(20_261_124);
const oneOf = <T>(values: readonly T[]): T => values[random(values.length)]!;

/** The answer to a body all of whose rows are read field by field and answered by the reference, without its head and summary. */
function readAnswer(body: Buffer, question: StreamQuestion) {
  const { slot, worker } = blocks;
  const summary = { lines: 0, valid: 0, invalid: 0, errors: 0, reasons: {}, warnings: {} };
  const state: StreamState = { question, line: 1, summary };
  const { input, output, fields: select } = question;
  const options = output === "csv" ? { ...lineOptions, reason: true } : lineOptions;
  let begin = 0;
  if (input === "csv") {
    const { dialect, numbers, width, ...found } = recogniseCsv(body, BlockEnd.body, question)!;
    state.layout = { dialect, numbers, width };
    [begin, state.line] = [found.begin, found.beginLine];
  }
  const form =
    output === "csv"
      ? csvForm(selectedColumns({ generates: false, select }), "en", layoutFor(state.layout, input))
      : jsonForm(select, options, state.layout?.numbers);
  const answer = new BlockAnswer(slot, summary, options, form);
  const known = numberAnswers(worker, options, form);
  for (const row of readRows(body.subarray(begin), state)) {
    const answers = row.numbers.map((one) => known.answer(one, undefined));
    answer.add(row, state.line, answers);
    state.line += row.lines;
  }
  return { text: slot.output.toString("latin1", 0, answer.length), state };
}

function* readRows(
  body: Buffer,
  { layout, line, question }: StreamState,
): Generator<ReadRow & { lines: number }> {
  const text = body.toString("latin1");
  if (layout === undefined) {
    const lines = text.split("\n").map((each) => each.replace(/\r$/, ""));
    if (lines.at(-1) === "") lines.pop();
    for (const each of lines) yield { ...readLine(each, question.input), lines: 1 };
    return;
  }
  const scanner = new CsvScanner(layout.dialect, layout.width, maxStreamLineBytes);
  for (let at = 0, next = line; at < body.length; at = scanner.next, next += scanner.lines) {
    scanner.scan(body, at, body.length, true);
    const { end, fault, lines } = scanner;
    const row = { text: text.slice(at, end), fields: scanner.fields(text), fault: fault?.(next) };
    yield { ...readCsvRow(row, layout.numbers), lines };
  }
}

/** Fields that parsers are likely to misread. */
const oddities = [
  ...words`" "" "a" "a;b" "a""b" a"b ' \\ ; ;; , ä € IBAN null 1 01 -0 1e3 {} [ } : \\u0041 \\" 0000000000`,
  ...words`"id":1 "bic":"x"`,
  ...['"a\nb"', '"a" ', ' "a"', "\t", " ", "  ", "\r", "\n", "\r\n", "\0", "\u007f", "\u2028", "iban "],
];

/** Changes a body in some places, in bytes. */
function mutated(text: string): Buffer {
  let changed = text;
  for (let times = random(6); times > 0; times--) {
    const at = random(changed.length);
    const kind = random(4);
    const removed = kind === 0 ? 0 : kind === 1 ? 1 : random(12);
    changed = changed.slice(0, at) + (kind === 1 ? "" : oneOf(oddities)) + changed.slice(at + removed);
  }
  const bytes = Buffer.from(changed);
  // A byte that is not UTF-8.
  if (random(8) === 0) bytes[random(bytes.length)] = 0xfc;
  return bytes;
}

const spelt = (iban: string) =>
  oneOf([iban, iban, iban, iban.toLowerCase(), iban.replace(/(.{4})/g, "$1 "), ` ${iban}`, `${iban}  `]);
const number = () => (random(5) === 0 ? oddIbans.next().replace(/[\n\r;]/g, "") : spelt(mix.next()));
const account = (): readonly [string, string] => {
  const iban = mix.next();
  return random(6) === 0
    ? [oneOf(["0", "x", "12345678901", "1 2", "007"]), oneOf(["37040044", "99999999", "x", ""])]
    : [iban.slice(12).replace(/^0+/, random(2) === 0 ? "" : "$&"), iban.slice(4, 12)];
};
const id = () =>
  oneOf(["1", "0", "01", "1234567890123456789", "12345", `"a"`, `"ä b"`, "1.5", "null", `"\\u0041"`]);
const quoted = (field: string) => (random(4) === 0 ? `"${field.replaceAll('"', '""')}"` : field);
const rowsOf = (row: () => string, lineBreak: string) =>
  Array.from({ length: rowsPerBody }, row).join(lineBreak) + oneOf([lineBreak, ""]);

type Kind = readonly [name: string, question: StreamQuestion, body: () => string];

function csvKind(name: string, lineBreak: string, more: Partial<StreamQuestion>): Kind {
  const row = () => [quoted("Meyer"), quoted(number()), quoted(oneOf(["", "1,5", "ä", "a;b\nc"]))].join(";");
  return [name, questionOf(more), () => `name;iban;amount${lineBreak}${rowsOf(row, lineBreak)}`];
}

const bics = ["COBADEFFXXX", "COBADEFF", "cobadeff", " COBADEFF", "DEUTDEFF", "x", "COBADEFF12", "", " "];

const json = { input: "ndjson", output: "ndjson" } as const;
const plainText = { input: "text", output: "ndjson" } as const;
const headLength = (answer: string) => /^[^\r\n]*(\r?\n|\r)/.exec(answer)?.[0].length ?? 0;

const kinds: readonly Kind[] = [
  csvKind("CSV with all columns", "\n", {}),
  csvKind("CSV with CRLF and one column", "\r\n", { fields: ["status", "iban", "blz"] }),
  csvKind("CSV with carriage returns", "\r", {}),
  ...(["csv", "ndjson"] as const).map(
    (output): Kind => [
      `CSV with BICs answered in ${output}`,
      questionOf({ output, columns: { column: [], bicColumn: "bic" } }),
      () => {
        const row = () => [oneOf(["DE89370400440532013000", number()]), oneOf(bics)].map(quoted).join(";");
        return `iban;bic\n${rowsOf(row, "\n")}`;
      },
    ],
  ),
  csvKind("CSV answered in NDJSON", "\n", { output: "ndjson" }),
  ["CSV of one column", questionOf(), () => `iban\n${rowsOf(() => quoted(number()), "\n")}`],
  [
    "accounts in CSV",
    questionOf(),
    () => `konto,blz,note\n${rowsOf(() => [...account().map(quoted), quoted("x")].join(","), "\n")}`,
  ],
  ["text", questionOf(plainText), () => rowsOf(number, oneOf(["\n", "\r\n"]))],
  [
    "NDJSON",
    questionOf(json),
    () =>
      rowsOf(() => {
        const text = JSON.stringify(number());
        const [start, end] = [`{"id":${id()},"iban":${text}}`, ` { "iban" : ${text} , "id" : ${id()} } `];
        return oneOf([`{"iban":${text}}`, start, end, text]);
      }, "\n"),
  ],
  [
    "accounts in NDJSON with fields",
    questionOf({ ...json, fields: ["status", "kto", "bank", "edition"] }),
    () =>
      rowsOf(() => {
        const [kontonummer, bankleitzahl] = account();
        return JSON.stringify({ kontonummer, bankleitzahl, ...(random(2) === 0 ? { id: random(9) } : {}) });
      }, "\n"),
  ],
];

for (const [name, question, makeBody] of kinds) {
  test(`rows found by a scan are answered with the bytes of those read field by field: ${name}`, () => {
    let answered = 0;
    for (let round = 0; round < bodies; round++) {
      const whole = makeBody();
      const headEnd = question.input === "csv" ? headLength(whole) : 0;
      const body = Buffer.concat([Buffer.from(whole.slice(0, headEnd)), mutated(whole.slice(headEnd))]);
      let expected: ReturnType<typeof readAnswer>;
      try {
        expected = readAnswer(body, question);
      } catch (error) {
        assert.throws(() => blocks.answer(body, question), { message: (error as Error).message });
        continue;
      }
      const { bytes, state } = blocks.answer(body, question);
      const answer = bytes.toString("latin1");
      const context = JSON.stringify(body.toString("latin1"));
      assert.deepEqual(state.summary, expected.state.summary, context);
      const end = answer.lastIndexOf(question.output === "csv" ? '# {"summary"' : '{"summary"');
      const first = question.output === "csv" && question.input === "csv" ? headLength(answer) : 0;
      assert.equal(answer.slice(first, end), expected.text, context);
      const cuts = [random(body.length), random(body.length)].toSorted((a, b) => a - b);
      const cut = blocks.answer(body, question, lineOptions, cuts);
      assert.equal(cut.bytes.toString("latin1"), answer, `cut at ${cuts.join()}: ${context}`);
      answered++;
    }
    assert.ok(answered > bodies / 2, `${answered} of ${bodies} bodies were answered`);
  });
}

const ibanQuestion = (iban: string) => ({ iban, bic: "" });

/** Asserts that NDJSON lines are answered as by the reference; returns its entries. */
function expectReference(body: readonly string[], numbers: readonly NumberQuestion[], options: LineOptions) {
  const { bytes } = blocks.answer(Buffer.from(`${body.join("\n")}\n`), questionOf(json), options);
  const lines = bytes.toString().trimEnd().split("\n").slice(0, -1);
  return numbers.map((number, place) => {
    const { edition: _, ...entry } = answerLine(blocks.worker.directory, number, options).entry;
    assert.deepEqual(JSON.parse(lines[place]!), { line: place + 1, ...entry }, body[place]);
    return entry;
  });
}

test("accounts whose IBAN is generated, with IBANs among them, are answered as by the reference, under every rule", () => {
  const vectors = readVectors("de-iban-rules.ndjson");
  const asked: readonly NumberQuestion[] = [
    ...vectors.map(({ account, blz }) => `${blz}${account}`),
    ...mix.take(1_000).map((iban) => iban.slice(4)),
  ]
    .filter((number) => /^\d{8}0*[1-9]\d*$/.test(number))
    .map((number) => ({ kontonummer: number.slice(8), bankleitzahl: number.slice(0, 8) }))
    .flatMap((one) => (random(3) === 0 ? [one, ibanQuestion(mix.next())] : [one]));
  const body = asked.map((one) => JSON.stringify("iban" in one ? { iban: one.iban } : one));
  const entries = expectReference(body, asked, { ...lineOptions, sepa: true, reason: true });
  const generated = entries.filter(
    ({ data }, index) => "kontonummer" in asked[index]! && data["iban"] !== null,
  ).length;
  assert.ok(generated > 300 && generated < asked.length, `${generated} of ${asked.length}`);
});

test("what a stream with explain=1 is answered stays with it, though it is the first of its kind", () => {
  const [valid, wrong] = ["DE89370400440532013000", "DE88370400440532013000"];
  const questions = [
    [questionOf(plainText), `${wrong}\n${valid}\n`],
    [questionOf(), `iban,note\n${wrong},a\n${valid},"b"\n`],
  ] as const;
  for (const [question, text] of questions) {
    const fresh = new Blocks(data);
    const body = Buffer.from(text);
    fresh.answer(body, question, { ...lineOptions, explain: true });
    const plain = [fresh, blocks].map((some) => some.answer(body, question).bytes.toString());
    assert.equal(plain[0], plain[1]);
  }
});

test("a summary counts the warning of a number, though no line names it and others of the same bank have none", () => {
  const [right, warned] = ["IS140159260076545510730339", "IS380150495538039838037536"];
  for (const body of [`${right}\n${warned}\n`, `${warned}\n${right}\n`]) {
    const question = questionOf({ ...plainText, fields: ["status"] });
    const { summary } = new Blocks(data).answer(Buffer.from(body), question).state;
    assert.deepEqual([summary.valid, summary.warnings], [2, { national_check_digits: 1 }]);
  }
});

test("a lenient line is answered as by the reference, whether its text is an IBAN as it is or decorated", () => {
  const decorated = mix.take(60).map((iban, place) => {
    const begins = [`IBAN ${iban}`, `\u200b${iban}`, `IBAN${place}`];
    return oneOf([...begins, iban.replace(/^..../, "$&-"), iban.toLowerCase(), `${iban}x`]);
  });
  const texts = [...mix.take(300), ...decorated, "", "IBAN"].toSorted(() => random(2) - 0.5);
  const body = texts.map((text) => JSON.stringify(text));
  for (const reason of [false, true])
    expectReference(body, texts.map(ibanQuestion), { ...lineOptions, lenient: true, reason });
});

test("an empty line is counted once, though a block ends before it", () => {
  const count = 300;
  const body = Buffer.from("DE89370400440532013000\n\n".repeat(count));
  const question = questionOf(plainText);
  const { bytes, blocks: turns } = blocks.answer(body, question, { ...lineOptions, explain: true });
  assert.ok(turns > 2, `${turns} blocks`);
  const numbers = [...bytes.toString().matchAll(/^\{"line":(\d+)/gm)].map(([, number]) => Number(number));
  for (const [place, number] of numbers.entries()) assert.equal(number, 2 * place + 1);
  assert.equal(numbers.length, count);
});

test("a block whose worker is held up answers at least one row after its head", (context) => {
  let now = performance.now();
  context.mock.method(performance, "now", () => (now += 60_000));
  const body = Buffer.from('"DE89370400440532013000"\n'.repeat(3));
  const { bytes } = blocks.answer(body, questionOf({ input: "ndjson", output: "csv" }), lineOptions);
  assert.match(bytes.toString(), /"lines":3,/);
});
