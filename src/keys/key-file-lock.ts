import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { withFileLock } from "../process/file-lock.ts";
import { isDiskFull, stateFolderError } from "./state-folder.ts";

/**
 * Does work on the key file while no other process changes it. Rejects with a StartError where STATE_DIR cannot be used.
 *
 * On a disk that has no room even for the lock the work is done without it, since a key must be revoked all the same.
 */
export async function withKeyFileLock<T>(stateDir: string, work: () => Promise<T>): Promise<T> {
  let isLocked = false;
  const lockedWork = () => {
    isLocked = true;
    return work();
  };
  try {
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    return await withFileLock(join(stateDir, "keys.lock"), lockedWork).catch((error: unknown) => {
      if (isLocked || !isDiskFull(error)) throw error;
      return work();
    });
  } catch (error) {
    throw stateFolderError(stateDir, error);
  }
}
