import { pruneEditions } from "../../banks/import/store.ts";
import type { DataPlace } from "./command.ts";

/** Removes old editions and says which. */
export async function prune({ importFolder, today }: DataPlace, keep: number): Promise<void> {
  const removed = await pruneEditions(importFolder, keep, today);
  for (const { dataset, validFrom } of removed) process.stdout.write(`removed ${dataset} ${validFrom}\n`);
  process.stdout.write(`${removed.length === 0 ? "Nothing to remove" : `${removed.length} removed`}.\n`);
}
