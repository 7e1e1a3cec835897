import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BankDirectory } from "../src/banks/directory/directory.ts";
import { loadShippedDirectory } from "../src/banks/editions/load.ts";
import { startCompiledService, testKey } from "../test/service.ts";
import { IbanMix } from "../test/support/iban-mix.ts";
import { readProcessorTime } from "./load/process.ts";
import { run } from "./load/run-command.ts";
import { type Account, accountsOf, streamBodies } from "./stream-bodies.ts";

/**
 * `node --import tsx bench/streams.ts`: a million rows through `POST /v1/stream` by curl, from file to file, with the service on the
 * same machine; then single checks and batches beside ten streams.
 */
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    only: { type: "string", default: "" },
    beside: { type: "boolean", default: false },
  },
});
const rows = Number(values.rows);
const folder = mkdtempSync(join(tmpdir(), "bankcheck-bench-"));
const write = (text: string) => process.stdout.write(text);

const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  txt: "text/plain",
  ndjson: "application/x-ndjson",
};

/** Accounts of the German IBANs of the mix. */
const germanIbans: string[] = [];
let accounts: readonly Account[] = [];

async function writeBodies(): Promise<void> {
  const data = fileURLToPath(new URL("../data/", import.meta.url));
  const mix = new IbanMix(new BankDirectory(await loadShippedDirectory(data)));
  const ibans = mix.take(100_000);
  accounts = accountsOf(ibans);
  germanIbans.push(...ibans.filter((iban) => iban.startsWith("DE")).slice(0, 5_000));
  for (const [name, { head, lineOf }] of Object.entries(streamBodies)) {
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
  const url = `${service.url}/v1/stream${query}`;
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

const probeMs = 5_000;
const probeEveryMs = 4;

/** Latencies of single checks and batches in turn, sent at a steady rate. */
async function probe(ibans: readonly string[]): Promise<Readonly<Record<"single" | "batch", number[]>>> {
  const times = { single: [] as number[], batch: [] as number[] };
  const pending: Promise<void>[] = [];
  const body = { ibans: ibans.slice(0, 500) };
  const until = performance.now() + probeMs;
  for (let turn = 0; performance.now() < until; turn++) {
    const begun = performance.now();
    const kind = turn % 2 === 0 ? "single" : "batch";
    const asked =
      kind === "single"
        ? service.request(`/v1/iban/${ibans[turn % ibans.length]}`)
        : service.post("/v1/iban", body);
    pending.push(
      asked.then(async (answer) => {
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`${kind}: ${answer.status}`);
        times[kind].push(performance.now() - begun);
      }),
    );
    await new Promise((resolve) => {
      setTimeout(resolve, probeEveryMs);
    });
  }
  await Promise.all(pending);
  return times;
}

const at = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1);

/** Single checks and batches alone and beside ten streams, each by a curl that begins again until it is ended. */
async function measureBeside(): Promise<void> {
  const ibans = germanIbans;
  const print = (name: string, { single, batch }: Awaited<ReturnType<typeof probe>>) =>
    write(
      `${name.padEnd(36)} single p50 ${at(single, 0.5)} p99 ${at(single, 0.99)} ms, batch p50 ${at(batch, 0.5)} p99 ${at(batch, 0.99)} ms\n`,
    );
  await probe(ibans);
  for (let round = 0; round < 2; round++) {
    print("alone", await probe(ibans));
    let isOver = false;
    const file = join(folder, "ibans.csv");
    const headers = ["-H", `X-API-Key: ${testKey}`, "-H", "Content-Type: text/csv"];
    const streams = Array.from({ length: 10 }, async () => {
      while (!isOver) {
        const url = `${service.url}/v1/stream?fields=status`;
        const limit = ["--limit-rate", "4M"];
        await run("curl", [
          "-sS",
          ...limit,
          "-m",
          "6",
          "-T",
          file,
          "-X",
          "POST",
          ...headers,
          url,
          "-o",
          "/dev/null",
        ]).catch(() => undefined);
      }
    });
    print("beside ten streams", await probe(ibans));
    isOver = true;
    await Promise.all(streams);
  }
}

try {
  await writeBodies();
  if (!values.beside) {
    const names = Object.keys(streamBodies).filter((name) => name.includes(values.only));
    await measure(names[0]!, "?fields=status");
    for (const name of names) {
      for (const query of ["?fields=status", ""]) await measure(name, query);
    }
  }
  if (values.only === "") await measureBeside();
} finally {
  await service.stop();
  rmSync(folder, { recursive: true });
}
