import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataFolder } from "../banks/shipped.ts";

/** German bank codes that tests ask for; of the others, as of the banks of other countries, one of so many is taken. */
const asked = new Set(["37040044", "12030000", "10000000", "10010010", "21050170", "46310625", "50010517"]);
const oneOf = 41;

const lists: Readonly<Record<string, (row: string, index: number) => boolean>> = {
  // All rows of a bank code stand together, its main record first.
  "blz.csv": (row) => {
    const blz = /\d{8}/.exec(row)?.[0] ?? "";
    return asked.has(blz) || Number(blz) % oneOf === 0;
  },
  "banks.csv": (_, index) => index % oneOf === 0,
};

/**
 * Makes a data folder with some of the shipped banks, and gives its path: a service that loads it starts with half the
 * work. It is gone with this process.
 */
export function fewBanks(): string {
  folder ??= make();
  return folder;
}

let folder: string | undefined;

function make(): string {
  const made = mkdtempSync(join(tmpdir(), "bankcheck-few-banks-"));
  // A service that runs as another user reads it too.
  chmodSync(made, 0o755);
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  cpSync(dataFolder, made, { recursive: true });
  for (const [file, isTaken] of Object.entries(lists)) {
    const [head, ...rows] = readFileSync(join(dataFolder, file), "utf8").trimEnd().split("\n");
    writeFileSync(join(made, file), [head, ...rows.filter(isTaken), ""].join("\n"));
  }
  return made;
}
