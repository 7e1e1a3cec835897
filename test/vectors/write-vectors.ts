import { readFileSync, writeFileSync } from "node:fs";
import { accountNumbers } from "./account-numbers.ts";
import { bicPairs, bics } from "./bics.ts";
import { ibans, printedIbans } from "./ibans.ts";
import { ruleNumbers } from "./rule-numbers.ts";

// Makes the constructed numbers of the vector files anew and leaves those from elsewhere as they are.

const made: Readonly<Record<string, readonly object[]>> = {
  "bic-iban-pairs": bicPairs(),
  bic: bics(),
  "de-iban-rules": ruleNumbers(),
  "de-methods": accountNumbers(),
  iban: ibans(),
  "iban-print": printedIbans(),
};

for (const [name, vectors] of Object.entries(made)) {
  const file = new URL(`${name}.ndjson`, import.meta.url);
  const others = linesOf(file).filter((line) => JSON.parse(line).source !== "constructed");
  const lines = vectors.map((vector) => JSON.stringify({ ...vector, source: "constructed" }));
  writeFileSync(file, `${[...others, ...lines].join("\n")}\n`);
}

function linesOf(file: URL): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
