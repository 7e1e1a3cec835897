import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BankDirectory } from "../src/banks/directory/directory.ts";
import { startCompiledService, testKey } from "../test/service.ts";
import { IbanMix } from "../test/support/iban-mix.ts";
import { loadShippedDirectory } from "../test/support/shipped-directory.ts";
import { type StreamResult, sendLoad } from "./load/open-loop.ts";
import { readProcessorTime } from "./load/process.ts";
import { run } from "./load/run-command.ts";
import { accountsOf, streamBodies } from "./stream-bodies.ts";

/**
 * `node --import tsx bench/streams.ts`: a million rows through `POST /v1/stream` by curl, from file to file, with the service on the
 * same machine; then single checks and batches beside ten streams. `--only ibans.csv` measures one body, `--beside` nothing
 * but the latter.
 */
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    only: { type: "string", default: "" },
    beside: { type: "boolean", default: false },
  },
});
const rows = Number(values.rows);
const names = values.beside ? [] : Object.keys(streamBodies).filter((name) => name.includes(values.only));
const folder = mkdtempSync(join(tmpdir(), "bankcheck-bench-"));
const write = (text: string) => process.stdout.write(text);

const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  txt: "text/plain",
  ndjson: "application/x-ndjson",
};

let ibans: readonly string[] = [];

async function writeBodies(): Promise<void> {
  const data = fileURLToPath(new URL("../data/", import.meta.url));
  const mix = new IbanMix(new BankDirectory(await loadShippedDirectory(data)));
  ibans = mix.take(100_000);
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

const service = await startCompiledService({ REQUEST_LOG: "0" });
const { pid } = service.child;

/** The most memory the service has had resident, in MB. */
function memory(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}

async function measure(name: string, query: string): Promise<void> {
  const output = join(folder, "output");
  const type = types[name.split(".").at(-1)!]!;
  const headers = ["-H", `X-API-Key: ${testKey}`, "-H", `Content-Type: ${type}`];
  const before = readProcessorTime(pid!);
  const begun = performance.now();
  const { bicColumn } = streamBodies[name]!;
  const url = `${service.url}/v1/stream${query}${bicColumn === undefined ? "" : `${query === "" ? "?" : "&"}bic_column=${bicColumn}`}`;
  const { processorSeconds } = await run("curl", [
    ...["-sS", "--fail", "-X", "POST", "-T", join(folder, name), ...headers, url, "-o", output],
  ]);
  const seconds = (performance.now() - begun) / 1_000;
  const after = readProcessorTime(pid!);
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
      `curl ${perRow(processorSeconds ?? Number.NaN)}  ${(statSync(output).size / 1e6).toFixed(0)} MB  memory ${memory().toFixed(0)} MB\n`,
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
const perSecond = { single: 200, batch: 100 };

/** Single checks and batches at a steady rate, from a separate process. */
function probe(): Promise<readonly StreamResult[]> {
  const common = `Host: bench\r\nX-API-Key: ${testKey}\r\n`;
  const body = JSON.stringify({ ibans: ibans.slice(0, 500) });
  const head = `${common}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const loads = {
    single: ibans.slice(0, 500).map((iban) => `GET /v1/iban/${iban} HTTP/1.1\r\n${common}\r\n`),
    batch: [`POST /v1/iban HTTP/1.1\r\n${head}\r\n${body}`],
  };
  const streams = (["single", "batch"] as const).map((name) => ({
    name,
    perSecond: perSecond[name],
    connections: 8,
    requests: loads[name],
  }));
  return sendLoad({ port: Number(new URL(service.url).port), seconds: besideSeconds, streams });
}

/** Sends a file until the time is over; returns how many bytes of the answer came. */
async function streamFor(url: string, seconds: number, query: string): Promise<number> {
  const headers = ["-H", `X-API-Key: ${testKey}`, "-H", "Content-Type: text/csv"];
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
  const other = await startCompiledService({ REQUEST_LOG: "0" });
  const print = (name: string, results: readonly StreamResult[], more = "") => {
    const texts = results.map(({ statuses, due, sent, lost }, index) => {
      const { count = 0, p50 = Number.NaN, p99 = Number.NaN } = statuses[200] ?? {};
      const of = `${Object.keys(perSecond)[index]} p50 ${p50.toFixed(2)} p99 ${p99.toFixed(2)} ms`;
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
        print(`beside ten streams ${query}`, results, `${share}, memory ${memory().toFixed(0)} MB`);
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
  if (values.only === "") await measureBeside();
} finally {
  await service.stop();
  rmSync(folder, { recursive: true });
}
