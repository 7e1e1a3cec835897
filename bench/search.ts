import { fileURLToPath } from "node:url";
import { Bench } from "tinybench";
import { BankDirectory } from "../src/banks/directory/directory.ts";
import { loadShippedDirectory } from "../src/banks/editions/load.ts";
import { BicIndex } from "../src/banks/lookup/bic-index.ts";
import { BicRegister, packBicRegister } from "../src/banks/lookup/bic-register.ts";
import { type BankQuery, BankSearch } from "../src/banks/search/bank-search.ts";
import { packSearchIndex } from "../src/banks/search/search-index.ts";
import { bankAnswer, bicAnswer } from "../src/checks/lookup-answer.ts";

/** Groups of queries whose slowest 1 % must stay under 5 ms, every one-letter and two-digit one among them. */
const letters = [..."abcdefghijklmnopqrstuvwxyzäöü"];
const digitPairs = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, "0"));
const groups: Readonly<Record<string, readonly Partial<BankQuery>[]>> = {
  "name of one letter": letters.map((name) => ({ name })),
  "town of one letter": letters.map((location) => ({ location })),
  "zip of two digits": digitPairs.map((zip) => ({ zip })),
  "Bankleitzahl of two digits": digitPairs.map((bankleitzahl) => ({ bankleitzahl })),
  "whole name": ["Commerzbank", "Deutsche Bank", "Sparkasse KölnBonn", "VR-Bank"].map((name) => ({ name })),
  "name and town": [
    { name: "commerzbank", location: "frankfurt" },
    { name: "spk", location: "münchen" },
  ],
  "all countries, a name": ["raiffeisenbank", "unicredit", "bank", "b"].map((name) => ({
    name,
    countries: "*",
  })),
  "all countries, typing error": [{ name: "raifeisenbank wien", countries: "*" }],
  "BIC of one letter": letters.slice(0, 26).map((bic) => ({ bic, countries: "*" })),
  "bank code of two digits": digitPairs.map((bankleitzahl) => ({ bankleitzahl, countries: "*" })),
  "typing error": [{ name: "sparkase hanover" }, { location: "mnuechen" }, { name: "comerzbank", zip: "50" }],
  "nothing found": [{ name: "entenhausener taschengeldkasse" }, { location: "qwxzyq" }],
  "many words": [{ name: "sparkasse volksbank ".repeat(8) }, { name: "abcdef ".repeat(16) }],
  "100 KB": [
    { name: "sparkasse ".repeat(10_000), location: "x".repeat(100_000) },
    { name: "sparkasse deutsche bank volksbank ".repeat(3_000), bankleitzahl: "10000000" },
    { name: "a b c d e f g h i k l m n o p r s t u v w z ".repeat(2_000) },
    { name: "schwab brand munch werde nordw sudwe oberh niede ".repeat(2_000) },
  ],
};

const dataFolder = fileURLToPath(new URL("../data/", import.meta.url));
const directory = new BankDirectory(await loadShippedDirectory(dataFolder));
const start = performance.now();
const packedIndex = packSearchIndex(directory);
const built = performance.now();
const search = new BankSearch(directory, packedIndex);
search.find({ name: "bank", max: 1 });
const ready = performance.now();
process.stdout.write(
  `index built and packed in ${(built - start).toFixed(0)} ms, opened and asked in ${(ready - built).toFixed(0)} ms\n`,
);

const bench = new Bench({ time: 400, warmupTime: 100 });
for (const [group, queries] of Object.entries(groups)) {
  let next = 0;
  bench.add(group, () => {
    search.find({ max: 50, ...queries[next++ % queries.length] });
  });
}
const bics = new BicIndex(directory);
const lookupBase = {
  directory,
  bics,
  register: new BicRegister(packBicRegister({ editions: {}, facts: new Map() })),
};
bench.add("look-up of a BIC", () => {
  bicAnswer(lookupBase, "BKAUATWWXXX", "2026-11-21", "en");
});
bench.add("look-up of a bank code", () => {
  bankAnswer(lookupBase, "AT", "12000", "2026-11-21", "en");
});
await bench.run();
for (const { name, result } of bench.tasks) {
  if (!("latency" in result)) continue;
  const { mean, p99, max } = result.latency;
  const figures = [mean, p99, max].map((milliseconds) => milliseconds.toFixed(3).padStart(9));
  process.stdout.write(`${name.padEnd(28)} mean, p99, max in ms:${figures.join("")}\n`);
}
