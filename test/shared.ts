import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const sharedFolder = fileURLToPath(new URL("../../shared/", import.meta.url));

/** Why a test that needs the specification's vectors is skipped, for `node:test`'s `skip` option. */
export const sharedMissing: string | false = existsSync(sharedFolder)
  ? false
  : "the folder ../shared with the specification's vectors is not beside this checkout";

/** Gives the absolute path of a file in the specification folder beside the checkout, or undefined where it is absent. */
export function sharedFile(path: string): string | undefined {
  const file = sharedFolder + path;
  return existsSync(file) ? file : undefined;
}

/** Reads `../shared/vectors/<name>` (one JSON object per line); an absent folder gives an empty list, so pair it with `sharedMissing`. */
export function readVectors<T>(name: string): T[] {
  const file = sharedFile(`vectors/${name}`);
  if (file === undefined) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as T);
}
