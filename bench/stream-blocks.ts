import { fileURLToPath } from "node:url";
import { BankDirectory } from "../src/banks/directory/directory.ts";
import { loadShippedDirectory } from "../src/banks/editions/load.ts";
import { IbanMix } from "../test/support/iban-mix.ts";
import { Blocks, questionOf } from "../test/support/stream-blocks.ts";
import { accountsOf, streamBodies } from "./stream-bodies.ts";

/**
 * `node --import tsx bench/stream-blocks.ts [NAME]`: what a worker thread takes for a row of a stream, in processor time,
 * without pool and service.
 */
const [only = ""] = process.argv.slice(2);
const rounds = 7;
const rows = 100_000;

const directory = await loadShippedDirectory(fileURLToPath(new URL("../data/", import.meta.url)));
const ibans = new IbanMix(new BankDirectory(directory)).take(rows);
const accounts = accountsOf(ibans);
const blocks = new Blocks(directory);

const cases = Object.entries(streamBodies).flatMap(([name, { head, lineOf }]) => {
  if (!name.includes(only)) return [];
  const lines = ibans.map((iban, row) => lineOf(iban, row, accounts));
  const body = Buffer.from(`${head}${lines.join("\n")}\n`);
  const kind = name.split(".").at(-1);
  const input = kind === "txt" ? "text" : kind === "csv" ? "csv" : "ndjson";
  const output = kind === "csv" ? "csv" : "ndjson";
  return [{ fields: ["status"] }, {}].map((chosen) => ({
    name: `${name} ${"fields" in chosen ? "fields=status" : ""}`,
    body,
    question: questionOf({ input, output, ...chosen }),
    times: [] as number[],
  }));
});

for (let round = -1; round < rounds; round++) {
  for (const { body, question, times } of cases) {
    const begun = process.cpuUsage();
    const { state } = blocks.answer(body, question);
    const { user, system } = process.cpuUsage(begun);
    if (state.summary.lines !== rows) throw new Error(`${state.summary.lines} lines answered`);
    if (round >= 0) times.push((user + system) / rows);
  }
}
for (const { name, times } of cases) {
  const sorted = times.toSorted((a, b) => a - b);
  process.stdout.write(
    `${name.padEnd(36)} ${sorted[sorted.length >> 1]!.toFixed(3)} µs a row (${sorted[0]!.toFixed(3)} to ${sorted.at(-1)!.toFixed(3)})\n`,
  );
}
