import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];
process.once("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Makes an empty folder, which is removed when this process ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bankcheck-test-"));
  made.push(folder);
  return folder;
}

let files = 0;

/** Writes a file, whose name no other one has, into a folder. */
export function newFile(folder: string, content: Buffer | string): string {
  const path = join(folder, `file-${files++}`);
  writeFileSync(path, content);
  return path;
}

/** The names in a folder that begin with a text. */
export function namesIn(folder: string, start: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith(start));
}
