import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { BankDirectory } from "../../../src/banks/directory/directory.ts";
import { checkFile } from "../../../src/cli/file/check-file.ts";
import type { FileRequest } from "../../../src/cli/file/run-state.ts";
import type { startOffline } from "../../../src/cli/offline.ts";
import { BankcheckError } from "../../../src/client/errors.ts";
import type { Fetch, FetchInit } from "../../../src/client/fetch-answer.ts";
import { RequestSender } from "../../../src/client/sender.ts";
import { InputError } from "../../../src/rows/rows.ts";
import { newFile, newFolder } from "../../support/folders.ts";
import { IbanMix } from "../../support/iban-mix.ts";
import { randomOf } from "../../support/random.ts";
import { loadShippedDirectory } from "../../support/shipped-directory.ts";

/** Files of each kind; `FILES=200` for the long form. */
const files = Number(process.env["FILES"] ?? 3);

/** The pool runs compiled workers. */
const compiled = new URL("../../../.dist/src/cli/offline.js", import.meta.url).href;

let offline: Awaited<ReturnType<typeof startOffline>>;
let folder: string;
before(async () => {
  const start = ((await import(compiled)) as { startOffline: typeof startOffline }).startOffline;
  offline = await start({ workers: 1 });
  folder = newFolder();
});
after(async () => {
  await offline.close();
});

const mix = new IbanMix(new BankDirectory(await loadShippedDirectory()), 20_261_122);
const below = randomOf(20_261_123);
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)]!;

const sender = (more: Partial<ConstructorParameters<typeof RequestSender>[0]> = {}) =>
  new RequestSender({ baseUrl: "http://offline", apiKey: "offline", fetch: offline.fetch, ...more });

async function bodyOf({ body }: Awaited<ReturnType<Fetch>>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}

/** The answer of a stream to a whole file, without its summary; the error's text if it is refused. */
async function streamed(file: string, { select, suggests, generates }: Partial<FileRequest>) {
  const query = new URLSearchParams({
    ...(select === undefined ? {} : { fields: select.join() }),
    ...(suggests === true ? { suggest: "1" } : {}),
    ...(generates === true ? { sepa: "1" } : {}),
  });
  const headers = { "Content-Type": "text/csv" };
  const { signal } = new AbortController();
  const init = { method: "POST", headers, body: readFileSync(file), signal } as unknown as FetchInit;
  const answer = await offline.fetch(`http://offline/v1/stream?${query}`, init);
  if (!answer.ok) return answer.text();
  const text = await bodyOf(answer);
  return text.slice(0, text.lastIndexOf("# {"));
}

async function checked(file: string, options: Partial<FileRequest>, own: RequestSender = sender()) {
  const output = join(folder, "output");
  const request: FileRequest = {
    file,
    output,
    force: true,
    isOneOfSeveral: false,
    generates: false,
    suggests: false,
    badRows: { kind: "keep" },
    prefix: "",
    column: [],
    ...options,
  };
  const { signal } = new AbortController();
  const ignore = () => {};
  const tools = { sender: own, signal, report: { note: ignore, begin: ignore } };
  try {
    const { counts } = await checkFile(request, tools);
    return { counts, output: readFileSync(output, "utf8") };
  } catch (error) {
    // A stream must refuse files that cannot be recognised, too.
    if (error instanceof InputError) return { counts: error.message, output: "" };
    throw error;
  }
}

/** Text to insert into a file at random places. */
const oddities = '"|""|"a|\n|\r|\r\n|;|;;;|ä|\0|sep=,|\ufeff| |\n\n|IBAN '.split("|");

function mutated(text: string): Buffer {
  let changed = text;
  for (let times = below(5); times > 0; times--) {
    const at = Math.max(changed.indexOf("\n") + 1, below(changed.length));
    changed = changed.slice(0, at) + oneOf(oddities) + changed.slice(at + below(6));
  }
  const bytes = Buffer.from(changed);
  // A byte that is not UTF-8.
  if (below(6) === 0) bytes[bytes.length - 1 - below(1_000)] = 0xfc;
  return bytes;
}

const spelt = (iban: string) =>
  oneOf([
    iban,
    iban,
    iban,
    iban.toLowerCase(),
    iban.replace(/(.{4})/g, "$1 "),
    `${iban.slice(0, 9)}-${iban.slice(9)}`,
  ]);
const name = () => oneOf(["Meyer", '"Meyer; Söhne"', '"""Köln""\nsüd"', "", "x".repeat(below(90))]);
const account = () => {
  const iban = mix.next();
  return below(30) === 0
    ? oneOf(["0;37040044", "x;1", "532013000.0;370 400 44"])
    : `${iban.slice(12)};${iban.slice(4, 12)}`;
};
const table = (head: string, row: () => string, lineBreak = "\n") =>
  [head, ...Array.from({ length: 3_000 }, row), ""].join(lineBreak);
const ibanTable = (lineBreak?: string) =>
  table("name;iban;n", () => `${name()};${spelt(mix.next())};${below(99)}`, lineBreak);
const accountTable = () => table("konto;blz;name", () => `${account()};${name()}`);

type Kind = readonly [name: string, text: () => string, options: Partial<FileRequest>];
const kinds: readonly Kind[] = [
  ["IBANs", () => ibanTable(), {}],
  [
    "IBANs with CRLF, some columns in another order",
    () => ibanTable("\r\n"),
    { select: ["reason", "iban", "note"] },
  ],
  ["a list of IBANs", () => table(mix.next(), () => spelt(mix.next())), {}],
  ["IBANs with suggestions", () => ibanTable().split("\n").slice(0, 300).join("\n"), { suggests: true }],
  ["accounts", accountTable, {}],
  ["accounts whose IBANs are generated", accountTable, { generates: true }],
];

for (const [kind, text, options] of kinds) {
  test(`the command writes what a stream answers to the whole file: ${kind}`, async () => {
    const input = join(folder, "input.csv");
    for (let file = 0; file < files; file++) {
      writeFileSync(input, file === 0 ? text() : mutated(text()));
      const { counts, output } = await checked(input, options);
      const whole = await streamed(input, options);
      if (typeof counts === "string") {
        assert.match(whole, /"error"/, counts);
        continue;
      }
      const [one, other] = [output, whole].map((rows) => rows.split("\n"));
      const at = one!.findIndex((line, index) => line !== other![index]);
      assert.equal(one![at], other![at], `row ${at} of file ${file}`);
      assert.equal(one!.length, other!.length);
    }
  });
}

/** Sends requests to the pool, and lets a test see what is sent, change what is answered, and cut it off. */
function watchedSender(
  seen: (body: string) => void,
  changed: (answer: string) => string = (answer) => answer,
  isCut = false,
) {
  const fetch: Fetch = async (url, init) => {
    seen(Buffer.from(init.body ?? "").toString("latin1"));
    const answer = await offline.fetch(url, init);
    const text = changed(await bodyOf(answer));
    const body = (async function* () {
      yield Buffer.from(text);
      if (isCut) throw new Error("socket hang up");
    })();
    return { ...answer, body };
  };
  return sender({ fetch, retries: 1, minDelayMs: 1 });
}

const secret = "Geheim";
const inNdjson = (iban: string) => `${JSON.stringify({ name: secret, iban, salary: `4711 ${secret}` })}\n`;
const privateFiles: readonly Kind[] = [
  ["CSV", () => table("name;iban;note", () => `${secret};${mix.next()};"a ""${secret}""\n;"`), {}],
  ["CSV that is read", () => table("name;iban;note", () => `${secret};${mix.next()};x`), { only: "invalid" }],
  ["IBANs with their BICs", () => table("name;iban;bic", () => `${secret};${mix.next()};COBADEFF`), {}],
  ["accounts", () => table("konto;name;blz", () => account().replace(";", `;${secret};`), "\r\n"), {}],
  ["NDJSON", () => Array.from({ length: 3_000 }, () => inNdjson(mix.next())).join(""), {}],
];

for (const [kind, content, options] of privateFiles) {
  test(`only the columns to check are sent: ${kind}`, async () => {
    const file = newFile(folder, content());
    const bodies: string[] = [];
    const own = watchedSender((body) => bodies.push(body));
    const { counts, output } = await checked(file, options, own);
    assert.ok(typeof counts === "object" && counts.rows === 3_000, String(counts));
    assert.ok(bodies.length > 0 && output.includes(secret));
    assert.ok(!bodies.some((body) => body.includes(secret)));
  });
}

const tableOfIbans = () => table("name;iban", () => `x;${mix.next()}`);

const faults: readonly (readonly [name: string, change: (lines: string[]) => void])[] = [
  ["lacks a row", (lines) => lines.splice(1_000, 1)],
  ["has a row twice", (lines) => lines.splice(1_000, 0, lines[1_000]!)],
  ["has two rows swapped", (lines) => lines.splice(1_000, 2, lines[1_001]!, lines[1_000]!)],
  ["has a row twice in place of another", (lines) => lines.splice(1_000, 2, lines[1_000]!, lines[1_000]!)],
  ["counts otherwise", (lines) => lines.push(lines.pop()!.replace(/"lines":\d+/, '"lines":7'))],
];

for (const [name, change] of faults) {
  test(`an answer that ${name} ends the run, and nothing of it is taken`, async () => {
    const file = newFile(folder, tableOfIbans());
    const changed = (answer: string) => {
      const lines = answer.trimEnd().split("\n");
      if (lines.length > 1_500) change(lines);
      return `${lines.join("\n")}\n`;
    };
    const own = watchedSender(() => {}, changed);
    await assert.rejects(checked(file, {}, own), ({ cause }: Error) => {
      assert.ok(cause instanceof BankcheckError, String(cause));
      assert.equal(cause.code, "incomplete_answer", cause.message);
      return true;
    });
  });
}

const ends: readonly (readonly [name: string, end: (summary: string) => string])[] = [
  ["at its last row", () => ""],
  ["within its summary", (summary) => summary.slice(0, 20)],
  ["by a service that stops", (summary) => summary.replace(/"lines":(\d+)/, '$&,"next_line":1')],
];

for (const [name, end] of ends) {
  test(`rows that are all answered are not asked again where the answer is cut off ${name}`, async () => {
    const file = newFile(folder, tableOfIbans());
    const bodies: string[] = [];
    const seen = (body: string) => bodies.push(body);
    const whole = await checked(file, {}, watchedSender(seen));
    const asked = bodies.splice(0);
    const cut = (answer: string) => answer.replace(/# \{.*\n$/, end);
    for (const isCut of [true, false])
      assert.deepEqual(await checked(file, {}, watchedSender(seen, cut, isCut)), whole);
    assert.deepEqual(bodies, [...asked, ...asked]);
  });
}
