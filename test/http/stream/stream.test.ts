import assert from "node:assert/strict";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { constants, gunzipSync } from "node:zlib";
import { BankDirectory } from "../../../src/banks/directory/directory.ts";
import { answerValidators } from "../../contract/answer-validators.ts";
import { expectError } from "../../contract/error-table.ts";
import { until } from "../../faults/gate.ts";
import { quickServiceOf, startCompiledService, useSharedService } from "../../service.ts";
import { newFolder } from "../../support/folders.ts";
import { pluck } from "../../support/pluck.ts";
import { residentMb } from "../../support/process-figures.ts";
import { runHere } from "../../support/run-here.ts";
import { loadShippedDirectory } from "../../support/shipped-directory.ts";
import { checkBatch, readMetrics } from "../calls.ts";
import { exchangeOnce, postBytes, requestBytes } from "../raw-socket.ts";
import {
  type AnswerLine,
  answerOf,
  answerTo,
  asText,
  beginStream,
  linesOf,
  openStream,
  stream,
  untilFree,
} from "./client.ts";

const iban = "DE89370400440532013000";
const wrong = "DE89370400440532013001";
const mix = [iban, wrong, "FR1420041010050500013M02606", "hello", "DE02120300000000202051"];

/** `STREAMS` of a service with one worker. */
const maxStreams = 8;
const service = useSharedService();

const ndjson = "application/x-ndjson";
const checksCounted = async () => (await readMetrics(service)).requests.checks;
/** A line's status, the code of its error, or the line from which the summary says to continue. */
const outcomeOf = ({ error, status, summary }: AnswerLine) => error?.code ?? status ?? summary?.next_line;

test("each line is answered as an entry of a batch, in order and with its number, and the summary is last", async () => {
  const numbers = Array.from({ length: 5_000 }, (_, index) => mix[index % mix.length]!);
  const lines = await stream(service, [`${numbers.join("\n")}\n`]);
  const { batch } = await checkBatch(service, mix);
  assert.equal(lines.length, numbers.length + 1);
  for (const [index, line] of lines.slice(0, -1).entries()) {
    assert.deepEqual(line, { line: index + 1, ...batch.results[index % mix.length] });
  }
  assert.deepEqual(lines.at(-1), {
    summary: {
      lines: 5_000,
      valid: 3_000,
      invalid: 2_000,
      errors: 0,
      reasons: { iso_check_digits: 1_000, not_an_iban: 1_000 },
      warnings: { bank_list_old: 1_000 },
    },
  });
});

test("a body cut at any byte is answered alike", async () => {
  const body = Buffer.from(`"${iban}"\r\n\n{"id":"ä","iban":"${wrong}"}\n{"iban":"${iban}","id":3}`);
  const whole = await stream(service, [body], "", ndjson);
  const seen = whole.map(({ line, id, status }) => `${line} ${id} ${status}`);
  assert.deepEqual(seen.slice(0, -1), ["1 undefined 1", "3 ä 0", "4 3 1"]);
  for (let at = 1; at < body.length; at++) {
    const pieces = [body.subarray(0, at), body.subarray(at)];
    assert.deepEqual(await stream(service, pieces, "", ndjson), whole, `cut at ${at}`);
  }
});

/** Beginnings of bodies, and what is answered before more of them comes. */
const beginnings = [
  ["a text", `${iban}\n`, "text/plain", "identity", /^\{"line":1,/],
  ["a text, packed", `${iban}\n`, "text/plain", "gzip", /^\{"line":1,/],
  ["CSV whose layout is not yet sure", `iban\n${iban}\n`, "text/csv", "identity", /^iban,status.*\nDE89/],
] as const;

for (const [what, start, type, encoding, expected] of beginnings) {
  test(`lines are answered while the body still comes: ${what}`, async () => {
    const { open, answer } = await beginStream(service, start, "", type, { "Accept-Encoding": encoding });
    const unpack = (bytes: Buffer) => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    const textOf = (bytes: Buffer) => (encoding === "gzip" ? unpack(bytes) : bytes).toString();
    const [first] = (await once(answer, "data")) as [Buffer];
    assert.match(textOf(first), expected);
    open.end(`${wrong}\n`);
    assert.match(textOf(Buffer.concat([first, await buffer(answer)])), /"summary":\{"lines":2,.*\}\n$/);
  });
}

test("a line that cannot be read has the error that a body like it has, and the stream continues", async () => {
  const expected: readonly (readonly [line: string, outcome: string | number])[] = [
    ["{", "invalid_request"],
    ["[]", "invalid_json"],
    ["{}", "invalid_iban"],
    ['{"iban":1}', "invalid_iban"],
    [`{"iban":"${iban}","bic":"x"}`, "invalid_bic"],
    ['{"id":{},"iban":"x"}', "invalid_request"],
    [`"${iban}"`, 1],
    // Not UTF-8.
    ['"\xff"', "invalid_request"],
    ['{"id":"k","kontonummer":"532013000","bankleitzahl":"37040044"}', 1],
  ];
  const whole = Buffer.from(expected.map(([line]) => line).join("\n"), "latin1");
  const lines = await stream(service, [whole], "", ndjson);
  assert.deepEqual(lines.slice(0, -1).map(outcomeOf), pluck(expected, 1));
  assert.equal(lines.at(-1)?.summary?.errors, 7);
  assert.equal(lines[0]?.error?.message, "The line is not valid JSON.");
  for (const [place, [body]] of expected.slice(0, 4).entries()) {
    const { code, field } = lines[place]!.error!;
    expectError(await exchangeOnce(service.port, postBytes("/v1/iban", body)), code, field);
  }
});

test("a named field needs no switch, in NDJSON and in CSV alike", async () => {
  for (const [field, query] of [
    ["reason", "reason=1"],
    ["severity", "reason=1"],
    ["message", "reason=1"],
    ["suggestions", "suggest=1"],
    ["checks", "explain=1"],
    ["sepa_reach", "reach=1"],
  ] as const) {
    const answerTo = (query: string) => stream(service, [`${iban}\n${wrong}`], `?lang=en&${query}`);
    const named = await answerTo(`fields=status,${field}`);
    assert.deepEqual(named, await answerTo(`${query}&fields=status,${field}`));
    const hasField = (line: object) => Object.hasOwn(line, field);
    assert.ok(named.slice(0, 2).some(hasField), field);
  }
  const csv = async (query: string) => (await answerTo(service, [`iban\n${wrong}\n`], query)).text;
  assert.equal(await csv("?fields=suggestion"), await csv("?suggest=1&fields=suggestion"));
  assert.match(await csv("?fields=reason,suggestion"), /,iso_check_digits,DE\d{20}\n/);
});

test("summary=0 leaves out the summary of a whole answer, so that every line is a row", async () => {
  for (const [type, body, expected] of [
    ["text/csv", `iban\n${iban}\n`, `iban,status\n${iban},1\n`],
    ["text/plain", iban, '{"line":1,"status":1}\n'],
    ["text/plain", "", ""],
  ] as const) {
    for (const encoding of ["identity", "gzip"]) {
      const headers = { "Content-Type": type, "Accept-Encoding": encoding };
      const answer = await answerTo(service, [body], "?fields=status&summary=0", headers);
      assert.equal(answer.headers["content-encoding"] ?? "identity", encoding);
      assert.equal(encoding === "gzip" ? gunzipSync(answer.bytes).toString() : answer.text, expected);
    }
  }
  const tooLong = `${iban}\n${"x".repeat(70_000)}\n`;
  const cut = await stream(service, [tooLong], "?fields=status&summary=0");
  assert.equal(cut.at(-1)?.summary?.next_line, 3, "an answer that is cut short says so");
  assert.equal((await answerTo(service, [], "?summary=2", asText)).status, 400);
});

test("a stream names the edition in its head, and for each number that of the list that has its bank", async () => {
  const french = "FR1420041010050500013M02606";
  const body = [iban, french, "hello"].join("\n");
  const { headers, text } = await answerTo(service, [body], "?fields=edition", asText);
  const head = headers["x-data-edition"];
  const ofFrance = new BankDirectory(await loadShippedDirectory()).editionOf("FR");
  const lines = linesOf(text) as { readonly edition?: unknown }[];
  assert.deepEqual(pluck(lines.slice(0, 3), "edition"), [head, ofFrance, null]);
  assert.notEqual(ofFrance, head);
});

test("an id is returned as it was sent, also a number that JavaScript would round", async () => {
  const ids = ["9007199254740993", "-12345678901234567890", "1.0", "1e400", "7"];
  const body = ids.map((id) => `{"id":${id},"iban":"${iban}","bic":"COBADEFFXXX"}\n`).join("");
  const asJson = ids.map((id, index) => `{"line":${index + 1},"id":${id},"status":1}\n`);
  const asCsv = ids.map((id, index) => `${index + 1},${id},1\n`);
  const rowsAs = async (Accept: string) => {
    const headers = { "Content-Type": ndjson, Accept };
    return (await answerTo(service, [body], "?fields=status&summary=0", headers)).text;
  };
  assert.equal(await rowsAs(ndjson), asJson.join(""));
  assert.equal(await rowsAs("text/csv"), `line,id,status\n${asCsv.join("")}`);
});

test("an IBAN with its BIC is checked with it, and options apply to each line", async () => {
  const body = `{"iban":"${iban}","bic":"DEUTDEFF"}\n"${wrong}"\n"IBAN ${iban.replaceAll("0", "0-")}"`;
  const [bic, suggested, lenient] = await stream(service, [body], "?suggest=1&lenient=1", ndjson);
  assert.equal(bic?.status, 2);
  assert.ok("suggestions" in (suggested as unknown as { data: object }).data);
  assert.equal(lenient?.status, 1);
});

test("fields chooses what a line contains", async () => {
  assert.deepEqual(await stream(service, [`${iban}\n`], "?fields=status"), [
    { line: 1, status: 1 },
    { summary: { lines: 1, valid: 1, invalid: 0, errors: 0, reasons: {}, warnings: {} } },
  ]);
  const [line] = await stream(service, [`${iban}\n`], "?fields=valid,bank,data");
  assert.deepEqual(Object.keys(line!), ["line", "valid", "bank", "data"]);
  const refused = await answerTo(service, [], "?fields=status,colour", asText);
  assert.equal(refused.status, 400);
  const { error } = JSON.parse(refused.text) as { error: { field: string; message: string } };
  assert.equal(error.field, "fields");
  assert.match(error.message, /^Unknown field "colour"; this answer has the fields iban, valid, /);
});

test("another Content-Type, or a body compressed in another way than gzip, is refused", async () => {
  const br = ["Content-Type: text/plain", "Content-Encoding: br"];
  for (const headers of [["Content-Type: application/json"], br]) {
    const request = requestBytes("POST", "/v1/stream", { headers, body: "x" });
    expectError(await exchangeOnce(service.port, request), "invalid_content_type");
  }
});

test("a line without end is an error that ends the stream", async () => {
  const { open, answer } = await beginStream(service, `${iban}\n${"x".repeat(200_000)}`);
  const lines = linesOf(await text(answer));
  open.destroy();
  assert.deepEqual(lines.map(outcomeOf), [1, "payload_too_large", 3]);
});

test("a client that sends nothing for too long learns from which line to continue", async (t) => {
  const impatient = await quickServiceOf(t, { STREAM_IDLE_TIMEOUT: "400" });
  const { open, answer } = await beginStream(impatient, `${iban}\nDE89`);
  const lines = linesOf(await text(answer));
  open.destroy();
  assert.deepEqual(lines.map(outcomeOf), [1, "internal_error", 2]);
});

test("the stream beyond STREAMS is refused with Retry-After, and one that ends makes room", async () => {
  await untilFree(service, maxStreams);
  const begin = () => beginStream(service, `${iban}\n`);
  const begun = await Promise.all(Array.from({ length: maxStreams }, begin));
  const { status, headers } = await answerTo(service, [`${iban}\n`], "", asText);
  assert.deepEqual([status, headers["retry-after"]], [503, "2"]);
  for (const { open } of begun) open.destroy();
  await untilFree(service, maxStreams);
});

test("a client that does not read stops its own stream, in bounded memory, and gets everything once it reads", async () => {
  const count = 100_000;
  const [counted, memory] = [await checksCounted(), residentMb(service.child)];
  const open = openStream(service);
  open.end(`${iban}\n`.repeat(count));
  const answer = (await answerOf(open)).pause();
  let answered = await checksCounted();
  // No event says that the service waits for its client.
  await until(async () => {
    const before = answered;
    await delay(300);
    answered = await checksCounted();
    return answered === before;
  });
  assert.ok(answered - counted < count, "everything was answered");
  const grown = residentMb(service.child) - memory;
  assert.ok(grown < 40, `${grown} MB`);
  const lines = linesOf(await text(answer));
  assert.equal(lines.length, count + 1);
  for (const [index, { line }] of lines.slice(0, -1).entries()) assert.equal(line, index + 1);
  assert.equal(lines.at(-1)?.summary?.valid, count);
});

test("a service that stops finishes the block, counts what it answered, and says from which line to go on", async () => {
  const stateDir = newFolder();
  const stopping = await startCompiledService({ STATE_DIR: stateDir });
  const endless = async (type: string, head: string) => {
    const { open, answer } = await beginStream(stopping, head + `${iban}\n`.repeat(200), "", type);
    const feeding = setInterval(() => open.write(`${iban}\n`.repeat(1_000)), 5);
    const whole = await text(answer);
    clearInterval(feeding);
    open.destroy();
    return whole;
  };
  const answers = Promise.all([endless("text/plain", ""), endless("text/csv", "iban\n")]);
  // Both are answered to while they continue.
  await until(async () => (await readMetrics(stopping)).requests.checks > 10_000);
  const stopped = stopping.stop();
  const [plain, csv] = await answers;
  assert.equal(await stopped, 0);
  const lines = linesOf(plain);
  const { summary } = lines.at(-1)!;
  assert.deepEqual([summary?.lines, summary?.next_line], [lines.length - 1, lines.length]);
  const [end] = linesOf(csv.slice(csv.lastIndexOf("# {") + 2));
  assert.equal(end?.summary?.next_line, end!.summary!.lines + 2, "after the header");
  const { stdout } = await runHere(["usage"], { STATE_DIR: stateDir });
  const counted = Number(/(\d+)\s*$/.exec(stdout)?.[1]);
  assert.equal(counted, summary!.lines + end!.summary!.lines, stdout);
});

test("lines and summary are as the OpenAPI document says", async () => {
  const { streamLine: isLine, streamSummary: isSummary } = answerValidators;
  const body = `"${mix.join('"\n"')}"\n{"id":1}\n{"id":"x","kontonummer":"532013000","bankleitzahl":"37040044"}`;
  const lines = await stream(service, [body], "?explain=1&sepa=1", ndjson);
  for (const line of lines.slice(0, -1)) assert.ok(isLine(line), JSON.stringify(isLine.errors));
  assert.ok(isSummary(lines.at(-1)), JSON.stringify(isSummary.errors));
});
