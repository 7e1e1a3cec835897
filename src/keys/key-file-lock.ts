import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { withFileLock } from "../file-lock.ts";

/** Does work on the key file while no other process changes it. */
export async function withKeyFileLock<T>(stateDir: string, work: () => Promise<T>): Promise<T> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  return withFileLock(join(stateDir, "keys.lock"), work);
}
