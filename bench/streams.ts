import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { exitOnSignals, fail, print, temporaryFolder } from "./command.ts";
import { cellsOf, figure, type LoadFigures } from "./figures.ts";
import { resultOf, sendLoad } from "./load/open-loop.ts";
import { startServer, type TestServer } from "./load/process.ts";
import { benchKey, requestsOf } from "./load/requests.ts";
import { run as runCommand } from "./load/run-command.ts";
import { aligned } from "./report/report.ts";
import { accountsOf, streamBodies, writeRows } from "./row-files.ts";
import { servers } from "./scenarios.ts";

const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  txt: "text/plain",
  ndjson: "application/x-ndjson",
};
const besideSeconds = 4;
const besideStreams = 10;

/**
 * `npm run bench -- streams`: rows through `POST /v1/stream` by curl, from file to file, with the service on the same
 * machine; then single checks and batches alone and beside ten streams.
 */
export async function run({ rows, only }: { readonly rows: number; readonly only: string }): Promise<void> {
  const names = Object.keys(streamBodies).filter((name) => name.includes(only));
  if (names.length === 0)
    fail(`--only takes a part of ${Object.keys(streamBodies).join(", ")}, but is "${only}".`);
  exitOnSignals();
  const folder = temporaryFolder();
  const ibans = (await shippedMix()).take(100_000);
  const accounts = accountsOf(ibans);
  const service = await startServer({
    ...servers.bankcheck,
    env: { ...servers.bankcheck.env, REQUEST_LOG: "0" },
  });
  try {
    for (const name of names) {
      const { head, lineOf } = streamBodies[name]!;
      await writeRows(join(folder, name), rows, head, (row) =>
        lineOf(ibans[row % ibans.length]!, row, accounts[row % accounts.length]!),
      );
    }
    // Until the code is compiled.
    await measure(service, folder, names[0]!, rows, "?fields=status");
    for (const name of names) {
      for (const query of ["?fields=status", ""]) print(await measure(service, folder, name, rows, query));
    }
    if (only === "") await measureBeside(service, join(folder, names[0]!));
  } finally {
    await service.stop();
  }
}

async function measure(
  service: TestServer,
  folder: string,
  name: string,
  rows: number,
  query: string,
): Promise<string> {
  const output = join(folder, "output");
  const headers = ["-H", `X-API-Key: ${benchKey}`, "-H", `Content-Type: ${types[name.split(".").at(-1)!]}`];
  const { bicColumn } = streamBodies[name]!;
  const bics = bicColumn === undefined ? "" : `${query === "" ? "?" : "&"}bic_column=${bicColumn}`;
  const address = `${service.url}/v1/stream${query}${bics}`;
  const before = service.processorTime();
  const begun = performance.now();
  const { processorSeconds } = await runCommand("curl", [
    ...["-sS", "--fail", "-X", "POST", "-T", join(folder, name), ...headers, address, "-o", output],
  ]);
  const seconds = (performance.now() - begun) / 1_000;
  const after = service.processorTime();
  const lines = await summaryLines(output);
  if (lines !== rows) throw new Error(`${name}: ${lines} lines answered`);
  const perRow = (time: number) => `${figure((time * 1e6) / rows)} µs`;
  return (
    `${`${name} ${query}`.padEnd(32)} ${figure(rows / seconds).padStart(9)} rows/s; a row: main ${perRow(after.main - before.main)}, ` +
    `all ${perRow(after.all - before.all)}, curl ${perRow(processorSeconds)}; memory ${figure(service.peakMemory())} MB`
  );
}

/** The lines that the summary at the end of an answer counts. */
async function summaryLines(file: string): Promise<number> {
  let text = "";
  for await (const piece of createReadStream(file, { start: Math.max(0, statSync(file).size - 4_096) }))
    text += piece;
  const last = JSON.parse(text.trimEnd().split("\n").at(-1)!.replace(/^# /, "")) as {
    summary: { lines: number };
  };
  return last.summary.lines;
}

/** Single checks and batches alone, and beside ten streams that are sent as fast as the service takes them. */
async function measureBeside(service: TestServer, file: string): Promise<void> {
  const requests = requestsOf(await shippedMix());
  const port = Number(new URL(service.url).port);
  const probe = async (title: string): Promise<readonly LoadFigures[]> => {
    const streams = [
      { name: "single", perSecond: 200, connections: 8, requests: requests.singles },
      { name: "batch", perSecond: 100, connections: 8, requests: requests.batches },
    ];
    const outcome = await sendLoad({ port, seconds: besideSeconds, streams });
    return outcome.streams.map((stream) => ({
      ...resultOf({ ...outcome, streams: [stream] }),
      ...{ load: title, server: stream.name },
    }));
  };
  const alone = await probe("alone");
  const loads = [...alone];
  for (const query of ["?fields=status", ""]) {
    const running = Array.from({ length: besideStreams }, () =>
      sendFor(`${service.url}/v1/stream${query}`, file),
    );
    await delay(500);
    loads.push(...(await probe(`beside ten streams ${query}`)));
    await Promise.all(running);
  }
  print(aligned(cellsOf(loads, ["goodput", "failures", "p50", "p90", "p99", "max"])));
}

/** Sends a file to a stream until the time is over. */
async function sendFor(url: string, file: string): Promise<void> {
  const headers = ["-H", `X-API-Key: ${benchKey}`, "-H", "Content-Type: text/csv"];
  // curl fails where the time is over before the file is.
  const script = 'curl "$@" || [ $? = 28 ]';
  const words = [
    "-s",
    "-X",
    "POST",
    "-m",
    String(besideSeconds + 1),
    ...headers,
    "-T",
    file,
    url,
    "-o",
    "/dev/null",
  ];
  await runCommand("bash", ["-c", script, "curl", ...words]);
}
