import { gunzipSync, gzipSync } from "node:zlib";
import { BankDirectory } from "../src/banks/directory/directory.ts";
import { IbanMix } from "../test/support/iban-mix.ts";
import { loadShippedDirectory } from "../test/support/shipped-directory.ts";
import { Blocks, questionOf } from "../test/support/stream-blocks.ts";
import { median } from "./report/statistics.ts";
import { accountsOf, streamBodies } from "./stream-bodies.ts";

/**
 * `node --import tsx bench/stream-blocks.ts [NAME]`: what a worker thread takes for a row of a stream, in processor time,
 * without pool and service; and what zlib takes to pack its answer as the service does, and to unpack that.
 */
const [only = ""] = process.argv.slice(2);
const rounds = 7;
const rows = 100_000;

const directory = await loadShippedDirectory();
const ibans = new IbanMix(new BankDirectory(directory)).take(rows);
const accounts = accountsOf(ibans);
const blocks = new Blocks(directory);

const cases = Object.entries(streamBodies).flatMap(([name, { head, lineOf, bicColumn }]) => {
  if (!name.includes(only)) return [];
  const lines = ibans.map((iban, row) => lineOf(iban, row, accounts));
  const body = Buffer.from(`${head}${lines.join("\n")}\n`);
  const kind = name.split(".").at(-1);
  const input = kind === "txt" ? "text" : kind === "csv" ? "csv" : "ndjson";
  const output = kind === "csv" ? "csv" : "ndjson";
  return [{ fields: ["status"] }, {}].map((chosen) => ({
    name: `${name} ${"fields" in chosen ? "fields=status" : ""}`,
    body,
    question: questionOf({ input, output, columns: { column: [], bicColumn }, ...chosen }),
    times: { row: [] as number[], pack: [] as number[], unpack: [] as number[] },
  }));
});

for (let round = -1; round < rounds; round++) {
  for (const { body, question, times } of cases) {
    const timed = <Result>(name: keyof typeof times, work: () => Result): Result => {
      const begun = process.cpuUsage();
      const result = work();
      const { user, system } = process.cpuUsage(begun);
      if (round >= 0) times[name].push((user + system) / rows);
      return result;
    };
    const { state, bytes } = timed("row", () => blocks.answer(body, question));
    if (state.summary.lines !== rows) throw new Error(`${state.summary.lines} lines answered`);
    const packed = timed("pack", () => gzipSync(bytes, { level: 1 }));
    timed("unpack", () => gunzipSync(packed));
  }
}
for (const { name, times } of cases) {
  const [row, pack, unpack] = Object.values(times).map((all) => {
    const figures = [Math.min(...all), median(all), Math.max(...all)];
    const [low, middle, high] = figures.map((microseconds) => microseconds.toFixed(3));
    return `${middle} µs (${low} to ${high})`;
  });
  process.stdout.write(`${name.padEnd(30)} a row ${row}, packed ${pack}, unpacked ${unpack}\n`);
}
