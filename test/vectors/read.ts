import { readFileSync } from "node:fs";
import { sharedFile } from "../shared.ts";

/**
 * Reads a vector file of this folder, one JSON object per line, and what `../shared/vectors` has beside it: numbers that
 * come from other projects and stay there.
 */
export function readVectors<T>(name: string): T[] {
  const own = linesOf(readFileSync(new URL(name, import.meta.url), "utf8"));
  const beside = sharedFile(`vectors/${name}`);
  const all = beside === undefined ? own : [...own, ...linesOf(readFileSync(beside, "utf8"))];
  return [...new Set(all)].map((line) => JSON.parse(line) as T);
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}
