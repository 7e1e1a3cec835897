import { open, rm, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "./files.ts";

/** A change takes milliseconds; a lock that is older was left behind by a process that died. */
const staleAfter = 10_000;

const retryAfter = 20;

/**
 * Does work while no other process does work under the same lock file, whose folder must exist. Waits for others, which
 * hold the lock for milliseconds.
 *
 * Readers need no lock if they always see a whole file.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(path))) await delay(retryAfter);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const taken = await stat(path).catch(() => undefined);
  // A lock of the future, from a clock that was set back since, is as stale as an old one.
  if (taken !== undefined && Math.abs(Date.now() - taken.mtimeMs) > staleAfter)
    await rm(path, { force: true });
  return false;
}
