import { BankDirectory } from "../src/banks/directory/directory.ts";
import { BicIndex, BicRegister, packBicRegister } from "../src/banks/lookup/bics.ts";
import { type BankQuery, BankSearch } from "../src/banks/search/bank-search.ts";
import { packSearchIndex } from "../src/banks/search/search-index.ts";
import { bankAnswer, bicAnswer } from "../src/checks/lookup-answer.ts";
import { loadShippedDirectory } from "../test/support/shipped-directory.ts";
import { median } from "./report/statistics.ts";

/** Made-up words, nearly all with a common ending. */
const nonsense = (ending: string): string =>
  Array.from({ length: 12 }, (_, word) => {
    const letters = Array.from(
      { length: 7 },
      (_, at) => "etaoinshrdlcumwfgypb"[(word * 7 + at * 5 + word * at) % 20],
    );
    return letters.join("") + ending;
  }).join(" ");

/** Groups of queries, every one-letter and two-digit one among them, and the worst that could be thought of. */
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
  "twelve nonsense words, all countries": ["", "en", "bank"].flatMap((ending) => [
    { name: nonsense(ending), countries: "*" as const },
    { location: nonsense(ending), countries: "*" as const },
  ]),
  "twelve words that no bank has together": [
    "bank sparkasse volksbank raiffeisenbank deutsche commerzbank de und im in st u",
    "a b c d e f g h i k l m",
    "spk vb raiba st u in der nl ndl fil bk db",
    "b berlin hamburg köln münchen frankfurt stuttgart düsseldorf leipzig dortmund essen bremen",
    // cspell:disable-next-line
    "bamnk sparkasxe volksbonk raiffeisenbonk deutxche commerzbonk postbenk sparkassem volksbenk",
  ].map((name) => ({ name, countries: "*" })),
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

const directory = new BankDirectory(await loadShippedDirectory());
const start = performance.now();
const packedIndex = packSearchIndex(directory);
const built = performance.now();
const search = new BankSearch(directory, packedIndex);
search.find({ name: "bank", max: 1 });
const ready = performance.now();
process.stdout.write(
  `index of ${(packedIndex.length / 1_048_576).toFixed(1)} MB built in ${(built - start).toFixed(0)} ms, opened and asked in ${(ready - built).toFixed(1)} ms\n`,
);

/** Runs of each query, and those before that let the compiler see them all. */
const runs = 80;
const warmUp = 20;

/** The median of what a call takes, in milliseconds: what other work on the machine adds shows in few of the runs. */
function medianOf(call: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const began = performance.now();
    call();
    return performance.now() - began;
  });
  return median(times);
}

function report(group: string, calls: readonly (() => void)[]): void {
  const medians = calls.map(medianOf);
  const figures = [median(medians), Math.max(...medians)].map((ms) => ms.toFixed(3).padStart(9));
  process.stdout.write(`${group.padEnd(40)}${figures.join("")}\n`);
}

for (const query of Object.values(groups).flat()) {
  for (let run = 0; run < warmUp; run++) search.find({ max: 50, ...query });
}
process.stdout.write(`median in ms of${" ".repeat(24)}   a query  the slowest\n`);
for (const [group, queries] of Object.entries(groups)) {
  report(
    group,
    queries.map((query) => () => search.find({ max: 50, ...query })),
  );
}
const bics = new BicIndex(directory);
const lookupBase = {
  directory,
  bics,
  register: new BicRegister(packBicRegister({ editions: {}, facts: new Map() })),
};
report("look-up of a BIC", [() => bicAnswer(lookupBase, "BKAUATWWXXX", "2026-11-21", "en")]);
report("look-up of a bank code", [() => bankAnswer(lookupBase, "AT", "12000", "2026-11-21", "en")]);
