#!/usr/bin/env node
/*
 * Checks IBANs and German accounts with bankcheck: Node's own fetch, without packages. The typed client does more; see
 * src/client.
 *
 *   node check.mjs iban DE89370400440532013000 [BIC]      one IBAN
 *   node check.mjs account 532013000 37040044             one account and its IBAN
 *   node check.mjs batch ibans.txt                        up to 500, one a line
 *   node check.mjs stream ibans.txt checked.ndjson        a file of any length
 *   node check.mjs stream customers.csv checked.csv       the same with a header: IBANs, or accounts with bank codes
 *
 * BANKCHECK_URL is the address of the service, BANKCHECK_KEY the API key.
 */
import { createReadStream, createWriteStream, readFileSync, renameSync } from "node:fs";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";

const { BANKCHECK_URL = "http://127.0.0.1:8080", BANKCHECK_KEY = "" } = process.env;
const attempts = 8;
const [command, ...args] = process.argv.slice(2);

/** Seconds in Retry-After; 2 without one. */
const secondsToWait = (response) => Number(response?.headers.get("Retry-After") ?? 2) || 2;
const maySucceedLater = (status) => status === 429 || status >= 500;

function post(path, type, body) {
  return fetch(BANKCHECK_URL + path, {
    method: "POST",
    headers: { "X-API-Key": BANKCHECK_KEY, "Content-Type": type },
    body,
    duplex: "half",
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Ends with a sentence for a file that cannot be read, or whose lines end with CR alone. */
async function expectLines(source) {
  let head = "";
  for await (const piece of createReadStream(source, { end: 65_535 })) head += piece.toString("latin1");
  if (head.includes("\r") && !head.includes("\n"))
    fail(`The lines of ${source} end with CR alone: convert them to LF.`);
}

/** Posts JSON, and sends it again while the service is busy or away. */
async function call(path, body) {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const response = await post(path, "application/json", JSON.stringify(body)).catch(() => undefined);
    if (response?.ok) return response.text();
    if (response !== undefined && !maySucceedLater(response.status)) fail(await response.text());
    await pause(1_000 * secondsToWait(response));
  }
  return fail("Given up: the service is busy or away.");
}

/** The bytes of a file after the first `done` lines, and the header of CSV before them. */
async function* linesAfter(done, source) {
  let passed = 0;
  let header = "";
  let isHeader = isCsv(source);
  for await (const piece of createReadStream(source)) {
    let at = 0;
    while (passed < done && at < piece.length) {
      const end = piece.indexOf(10, at) + 1;
      const next = end === 0 ? piece.length : end;
      if (isHeader) header += piece.toString("latin1", at, next);
      at = next;
      if (end === 0) continue;
      passed++;
      if (!isHeader || isOpen(header)) continue;
      isHeader = passed < done && beforeHeader.test(header);
      if (isHeader) header = "";
      else yield Buffer.from(header, "latin1");
    }
    if (at < piece.length) yield piece.subarray(at);
  }
}

const types = { csv: "text/csv", ndjson: "application/x-ndjson", jsonl: "application/x-ndjson" };
const typeOf = (name) => types[name.split(".").at(-1).toLowerCase()] ?? "text/plain";
const isCsv = (name) => typeOf(name) === types.csv;
/** An empty line, or Excel's sep=; before the header. */
const beforeHeader = /^(\xef\xbb\xbf)?(sep=.)?\r?\n$/i;

/** Whether a quoted field is open: a line break in it belongs to the row. Other quotes are text, as in 5" disk. */
function isOpen(row) {
  return /(^|[,;\t|])"/.test(row.replace(/(^|[,;\t|])"[^"]*(?:""[^"]*)*"/g, "$1"));
}

/** The complete lines of an answer, with one character for each byte; one that was cut off is dropped. */
async function* completeLines(body) {
  let rest = "";
  for await (const piece of body) {
    const lines = (rest + Buffer.from(piece).toString("latin1")).split("\n");
    rest = lines.pop();
    yield* lines;
  }
}

/** The entries of an answer, each with the number of its line in the file; or the summary. */
async function* readJson(body, done) {
  for await (const text of completeLines(body)) {
    const [start, number] = /^\s*\{"line":(\d+)/.exec(text) ?? [];
    if (start === undefined) yield { line: Number.NaN, ...JSON.parse(text) };
    else {
      const line = done + Number(number);
      yield { line, text: `{"line":${line}${text.slice(start.length)}` };
    }
  }
}

/** The rows of an answer, each with the number of its last line; or the summary. */
async function* readCsv(body, done) {
  let lines = [];
  let line = done;
  let isRepeated = done > 0;
  for await (const part of completeLines(body)) {
    lines.push(part);
    const text = lines.join("\n");
    if (isOpen(text)) continue;
    if (text.startsWith('# {"summary":')) yield JSON.parse(text.slice(2));
    else if (!isRepeated) {
      line += lines.length;
      yield { line, text };
    }
    isRepeated = false;
    lines = [];
  }
}

/** Streams the lines after the first `done`; returns how many are answered now, the answer, and its summary. */
async function streamFrom(done, source, target) {
  let answered = done;
  let response;
  try {
    const path = isCsv(source) ? "/v1/stream?header=1" : "/v1/stream";
    response = await post(path, typeOf(source), Readable.toWeb(Readable.from(linesAfter(done, source))));
    if (!response.ok) {
      if (!maySucceedLater(response.status)) fail(await response.text());
      return { answered, response };
    }
    const read = isCsv(source) ? readCsv : readJson;
    for await (const { line, text, summary } of read(response.body, done)) {
      if (summary !== undefined) return { answered, response, summary };
      if (Number.isNaN(line)) break;
      answered = line;
      const isTaken = target.write(`${text}\n`, "latin1");
      if (!isTaken) await new Promise((resolve) => target.once("drain", resolve));
    }
  } catch (error) {
    console.error(error.cause?.message ?? error.message);
  }
  return { answered, response };
}

/** The output has its name once it is complete. */
async function stream(source, targetName) {
  const part = `${targetName}.part`;
  await expectLines(source);
  const target = createWriteStream(part);
  target.on("error", ({ message }) => fail(message));
  let done = 0;
  for (let attempt = 0; ; ) {
    const { answered, response, summary } = await streamFrom(done, source, target);
    if (summary !== undefined && summary.next_line === undefined) {
      if (summary.lines > 0 && summary.lines === summary.errors)
        fail(`No line of ${source} can be read: it must be UTF-8; see the errors in ${part}.`);
      break;
    }
    attempt = answered > done ? 0 : attempt + 1;
    done = answered;
    if (attempt === attempts) fail(`Given up after line ${done}.`);
    const seconds = secondsToWait(response);
    console.error(`The stream ended after line ${done}; going on in ${seconds} s.`);
    await pause(1_000 * seconds);
  }
  target.end();
  await finished(target);
  renameSync(part, targetName);
}

process.on("uncaughtException", ({ message }) => fail(message));
if (command === "iban" && args.length > 0) {
  console.log(await call("/v1/iban", { iban: args[0], bic: args[1] ?? "" }));
} else if (command === "account" && args.length === 2) {
  console.log(await call("/v1/kto", { kontonummer: args[0], bankleitzahl: args[1], sepa: 1 }));
} else if (command === "batch" && args.length === 1) {
  const lines = readFileSync(args[0], "utf8").replace("\ufeff", "").split(/\r?\n/);
  console.log(await call("/v1/iban", { ibans: lines.filter(Boolean) }));
} else if (command === "stream" && args.length === 2) {
  await stream(args[0], args[1]);
} else {
  fail("Usage: node check.mjs iban IBAN [BIC] | account KONTONUMMER BLZ | batch FILE | stream FILE OUTPUT");
}
