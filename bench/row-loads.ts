import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../test/support/folders.ts";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { commandEntry } from "../test/support/start-command.ts";
import type { TestServer } from "./load/process.ts";
import { benchKey } from "./load/requests.ts";
import { run } from "./load/run-command.ts";
import type { LoadResult } from "./sample.ts";

/*
 * Files of rows, and how they are sent: by curl to `POST /v1/stream`, and by the command line from file to file.
 */

/** A file of rows: what precedes its lines, and a line. */
interface RowFile {
  readonly head: string;
  lineOf(iban: string, row: number, account: readonly [kontonummer: string, bankleitzahl: string]): string;
}

const amountOf = (row: number) => `${row % 1_000},50`;

export const rowFiles: Readonly<Record<string, RowFile>> = {
  "ibans.csv": {
    head: "customer;name;iban;amount\n",
    lineOf: (iban, row) => `${100_000 + row};Jürgen Beispiel;${iban};${amountOf(row)}`,
  },
  "quoted.csv": {
    head: "customer;name;iban;amount\n",
    lineOf: (iban, row) => `${100_000 + row};"Beispiel; Jürgen";${iban};${amountOf(row)}`,
  },
  "ibans.txt": { head: "", lineOf: (iban) => iban },
  "ibans.ndjson": { head: "", lineOf: (iban, row) => `{"id":${row},"iban":"${iban}"}` },
  "accounts.csv": {
    head: "customer;kontonummer;blz\n",
    lineOf: (_, row, account) => [row, ...account].join(";"),
  },
};

const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  txt: "text/plain",
  ndjson: "application/x-ndjson",
};

const folder = newFolder();
const output = join(folder, "output");

/** The path of a file of `rows` rows, which the warm-up writes, without holding it in memory. */
async function rowFile(name: string, rows: number): Promise<string> {
  const path = join(folder, `${rows}-${name}`);
  if (existsSync(path)) return path;
  const { head, lineOf } = rowFiles[name]!;
  const ibans = (await shippedMix()).take(Math.min(rows, 100_000));
  const german = ibans.filter((iban) => iban.startsWith("DE"));
  const accountOf = (iban: string) => [iban.slice(12), iban.slice(4, 12)] as const;
  const line = (row: number) =>
    lineOf(ibans[row % ibans.length]!, row, accountOf(german[row % german.length]!));
  const out = createWriteStream(path);
  out.write(head);
  for (let row = 0; row < rows; row += 1_000) {
    const lines = Array.from({ length: Math.min(1_000, rows - row) }, (_, at) => line(row + at));
    if (!out.write(`${lines.join("\n")}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
  return path;
}

async function curlArguments(url: string, name: string, rows: number, query: string) {
  return [
    ...["-sS", "--fail", "-X", "POST", "-T", await rowFile(name, rows), "-H", `X-API-Key: ${benchKey}`],
    ...["-H", `Content-Type: ${types[name.split(".").at(-1)!]}`, `${url}/v1/stream?${query}`],
  ];
}

const besideStreams = 10;
/** The exit code of curl where the time is over before the file is. */
const timeIsOver = 28;

/** Sends ten streams at once, as fast as the service takes them, for `seconds`. */
export async function sendStreams(
  { url }: TestServer,
  rows: number,
  query: string,
  seconds: number,
): Promise<void> {
  const words = await curlArguments(url, "ibans.csv", rows, query);
  const endless = () =>
    run("curl", [...words, "-m", String(seconds), "-o", "/dev/null"]).catch((error) => {
      if (error.code !== timeIsOver) throw error;
    });
  await Promise.all(Array.from({ length: besideStreams }, endless));
}

/** Sends a file as a stream; an answer is a row. Rejects where a row is not answered. */
export async function sendStream(
  { url }: TestServer,
  name: string,
  rows: number,
  query: string,
): Promise<LoadResult> {
  const words = await curlArguments(url, name, rows, query);
  const { seconds, processorSeconds } = await run("curl", [...words, "-o", output]);
  const { stdout: last } = await run("tail", ["-n", "1", output]);
  const { summary } = JSON.parse(last.replace(/^# /, "")) as { summary: { lines: number } };
  if (summary.lines !== rows) throw new Error(`${name}: ${summary.lines} lines answered`);
  return { answers: rows, goodput: rows / seconds, generatorSeconds: processorSeconds };
}

/** Checks a file by the command line, with the service or offline; an answer is a row. */
export async function checkFile(
  { url }: TestServer,
  name: string,
  rows: number,
  isOffline: boolean,
): Promise<LoadResult> {
  const words = ["check", await rowFile(name, rows), "-o", output, "-q", "--force"];
  const { seconds, processorSeconds } = await run(commandEntry, isOffline ? [...words, "--offline"] : words, {
    BANKCHECK_URL: url,
    BANKCHECK_KEY: benchKey,
  });
  return { answers: rows, goodput: rows / seconds, generatorSeconds: processorSeconds };
}
