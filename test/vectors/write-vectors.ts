import { readFileSync, writeFileSync } from "node:fs";
import { accountNumbers } from "./account-numbers.ts";
import { bicPairs, bics } from "./bics.ts";
import { ibans, printedIbans } from "./ibans.ts";
import { ruleNumbers } from "./rule-numbers.ts";

const makers: Readonly<Record<string, () => readonly object[]>> = {
  "bic-iban-pairs": bicPairs,
  bic: bics,
  "de-iban-rules": ruleNumbers,
  "de-methods": accountNumbers,
  iban: ibans,
  "iban-print": printedIbans,
};

/** Writes the constructed numbers of the vector files; those from elsewhere stay as they are. */
export function writeVectors(): void {
  for (const [name, make] of Object.entries(makers)) {
    const file = new URL(`${name}.ndjson`, import.meta.url);
    const others = linesOf(file).filter((line) => JSON.parse(line).source !== "constructed");
    const lines = make().map((vector) => JSON.stringify({ ...vector, source: "constructed" }));
    writeFileSync(file, `${[...others, ...lines].join("\n")}\n`);
  }
}

function linesOf(file: URL): string[] {
  return readFileSync(file, "utf8").split("\n").filter(Boolean);
}
