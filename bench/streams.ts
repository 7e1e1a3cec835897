import { once } from "node:events";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { exitOnSignals, fail, numberOf, optionsOf, temporaryFolder } from "./command.ts";
import { type StreamResult, sendLoad } from "./load/open-loop.ts";
import { startServer } from "./load/process.ts";
import { benchKey, requestsOf } from "./load/requests.ts";
import { run } from "./load/run-command.ts";
import { bankcheck } from "./scenarios.ts";
import { accountsOf, streamBodies } from "./stream-bodies.ts";

/**
 * `node --import tsx bench/streams.ts`: a million rows through `POST /v1/stream` by curl, from file to file, with the service on the
 * same machine; then single checks and batches beside ten streams. `--only ibans.csv` measures one body, `--beside` nothing
 * but the latter.
 */
const options = optionsOf({
  rows: { type: "string", default: "1000000" },
  only: { type: "string", default: "" },
  beside: { type: "boolean", default: false },
});
const rows = numberOf("rows", options.rows, { min: 1, max: 1e8, isWhole: true });
const names = options.beside ? [] : Object.keys(streamBodies).filter((name) => name.includes(options.only));
if (names.length === 0 && !options.beside) {
  fail(
    `--only takes a part of ${Object.keys(streamBodies).join(", ")}, but is ${JSON.stringify(options.only)}.`,
  );
}
exitOnSignals();
const folder = temporaryFolder();
const write = (text: string) => process.stdout.write(text);

const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  txt: "text/plain",
  ndjson: "application/x-ndjson",
};

const mix = await shippedMix();

async function writeBodies(): Promise<void> {
  const ibans = mix.take(100_000);
  const accounts = accountsOf(ibans);
  for (const name of new Set([...names, "ibans.csv"])) {
    const { head, lineOf } = streamBodies[name]!;
    const out = createWriteStream(join(folder, name));
    out.write(head);
    for (let row = 0; row < rows; row += 1_000) {
      const count = Math.min(1_000, rows - row);
      const lines = Array.from({ length: count }, (_, at) =>
        lineOf(ibans[(row + at) % ibans.length]!, row + at, accounts),
      );
      if (!out.write(`${lines.join("\n")}\n`)) await once(out, "drain");
    }
    out.end();
    await once(out, "close");
  }
}

const { env, ...own } = bankcheck(2, 1_024);
const startService = () => startServer({ ...own, env: { ...env, REQUEST_LOG: "0" } });
const service = await startService();

async function measure(name: string, query: string): Promise<void> {
  const output = join(folder, "output");
  const type = types[name.split(".").at(-1)!]!;
  const headers = ["-H", `X-API-Key: ${benchKey}`, "-H", `Content-Type: ${type}`];
  const before = service.processorTime();
  const begun = performance.now();
  const { bicColumn } = streamBodies[name]!;
  const url = `${service.url}/v1/stream${query}${bicColumn === undefined ? "" : `${query === "" ? "?" : "&"}bic_column=${bicColumn}`}`;
  const { processorSeconds } = await run("curl", [
    ...["-sS", "--fail", "-X", "POST", "-T", join(folder, name), ...headers, url, "-o", output],
  ]);
  const seconds = (performance.now() - begun) / 1_000;
  const after = service.processorTime();
  const { summary } = await lastLine(output);
  if (summary.lines !== rows) throw new Error(`${name}: ${summary.lines} lines answered`);
  const perRow = (time: number) => `${((time * 1e6) / rows).toFixed(2)} µs`;
  write(
    `${`${name} ${query}`.padEnd(36)} ${seconds.toFixed(2).padStart(6)} s ` +
      `${Math.round(rows / seconds)
        .toLocaleString("en")
        .padStart(
          9,
        )} rows/s  main ${perRow(after.main - before.main)}  all ${perRow(after.all - before.all)}  ` +
      `curl ${perRow(processorSeconds ?? Number.NaN)}  ${(statSync(output).size / 1e6).toFixed(0)} MB  memory ${service.peakMemory().toFixed(0)} MB\n`,
  );
}

async function lastLine(file: string): Promise<{ readonly summary: { readonly lines: number } }> {
  const { size } = statSync(file);
  let text = "";
  for await (const piece of createReadStream(file, { start: Math.max(0, size - 4_096) })) text += piece;
  return JSON.parse(text.trimEnd().split("\n").at(-1)!.replace(/^# /, ""));
}

const besideSeconds = 4;
const besideRounds = 3;
const besideStreams = 10;

const { singles, batches } = requestsOf(mix);
const probes = [
  { name: "single", perSecond: 200, connections: 8, requests: singles },
  { name: "batch", perSecond: 100, connections: 8, requests: batches },
];

/** Sends single checks and batches at a steady rate, from a separate process. */
async function probe(): Promise<readonly StreamResult[]> {
  const port = Number(new URL(service.url).port);
  return (await sendLoad({ port, seconds: besideSeconds, streams: probes })).streams;
}

/** Sends a file until the time is over; returns how many bytes of the answer came. */
async function streamFor(url: string, seconds: number, query: string): Promise<number> {
  const headers = ["-H", `X-API-Key: ${benchKey}`, "-H", "Content-Type: text/csv"];
  const target = ["-T", join(folder, "ibans.csv"), `${url}/v1/stream${query}`, "-o", "/dev/null"];
  // curl fails where the time is over before the file is.
  const script = 'curl "$@" || [ $? = 28 ]';
  const options = ["-s", "-X", "POST", "-m", String(seconds), "-w", "%{size_download}"];
  const { stdout } = await run("bash", ["-c", script, "curl", ...options, ...headers, ...target]);
  return Number(stdout);
}

/**
 * Single checks and batches alone, beside ten streams that are sent as fast as the service takes them, and beside the same
 * streams to another service: what the machine makes them wait.
 */
async function measureBeside(): Promise<void> {
  const other = await startService();
  const print = (name: string, results: readonly StreamResult[], more = "") => {
    const texts = results.map(({ name, statuses, due, sent, lost }) => {
      const { count = 0, p50 = Number.NaN, p99 = Number.NaN } = statuses[200] ?? {};
      const of = `${name} p50 ${p50.toFixed(2)} p99 ${p99.toFixed(2)} ms`;
      if (count < sent || lost > 0)
        throw new Error(`${of}: ${sent - count} of ${sent} not answered with 200`);
      // All connections waited for an answer when it was due: the tail of a stall, which the percentiles lack.
      return sent < due ? `${of} (${due - sent} of ${due} not sent)` : of;
    });
    write(`${name.padEnd(32)} ${texts.join(", ")}${more}\n`);
  };
  const beside = async (url: string, query: string) => {
    const streams = Array.from({ length: besideStreams }, () => streamFor(url, besideSeconds + 1, query));
    await delay(500);
    const results = await probe();
    return { results, bytes: await Promise.all(streams) };
  };
  try {
    // Until the code of both is compiled.
    for (const { url } of [other, service]) await beside(url, "?fields=status");
    for (let round = 0; round < besideRounds; round++) {
      print("alone", await probe());
      for (const query of ["?fields=status", ""]) {
        const { results, bytes } = await beside(service.url, query);
        const [min, max] = [Math.min(...bytes), Math.max(...bytes)];
        const share = `, streams got ${(min / 1e6).toFixed(1)} to ${(max / 1e6).toFixed(1)} MB`;
        print(
          `beside ten streams ${query}`,
          results,
          `${share}, memory ${service.peakMemory().toFixed(0)} MB`,
        );
        const elsewhere = await beside(other.url, query);
        print(`streams elsewhere ${query}`, elsewhere.results);
      }
    }
  } finally {
    await other.stop();
  }
}

try {
  await writeBodies();
  if (names.length > 0) await measure(names[0]!, "?fields=status");
  for (const name of names) {
    for (const query of ["?fields=status", ""]) await measure(name, query);
  }
  if (options.only === "") await measureBeside();
} finally {
  await service.stop();
}
