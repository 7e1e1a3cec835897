import { join } from "node:path";
import { LmdbStore } from "./lmdb-store.ts";
import type { UsageStore } from "./usage-store.ts";

/**
 * Returns the store that the setting `USAGE_STORE` names: `lmdb`, in the state folder, or the URL of a Redis server.
 *
 * One that cannot be reached is reported by its calls.
 */
export async function openUsageStore(setting: string, stateDir: string): Promise<UsageStore> {
  if (setting === "lmdb") {
    const store = new LmdbStore(join(stateDir, "usage"));
    // Opened beside whatever else starts, so that the first write finds it open.
    store.names().catch(() => {});
    return store;
  }
  // Only who counts in Redis pays for its client.
  const { RedisStore } = await import("./redis-store.ts");
  return RedisStore.connect(setting);
}
