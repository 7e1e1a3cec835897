import { createClient } from "@redis/client";
import { within } from "../process/calls.ts";
import { SettingError } from "../settings.ts";
import {
  forgetWriterAfterDays,
  msPerDay,
  periodsOf,
  type UsageAddition,
  type UsageCount,
  type UsageStore,
  UsageStoreError,
} from "./usage-store.ts";

/** All keys are of one hash slot, since a script may only touch one. */
const prefix = "bankcheck:{usage}";
const namesKey = `${prefix}:names`;
const countsKey = (name: string, period: string) => `${prefix}:counts:${name}:${period}`;
const writerKey = (writer: string) => `${prefix}:writer:${writer}`;

/** How long a start waits for the first connection, in milliseconds; then it continues without. */
const connectTimeout = 2_000;
/** A connection that stays silent for this long, in spite of a ping, is closed. */
const silenceTimeout = 3_000;
const pingEvery = 1_000;
const maxReconnectDelay = 1_000;
const msPerSecond = 1_000;

/**
 * Runs as a whole or not at all. The sequence number is stored first: a fault in the middle may then lose
 * something, but never counts twice.
 */
const addScript = `
if tonumber(ARGV[1]) <= tonumber(redis.call('GET', KEYS[1]) or '0') then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
for at = 3, #ARGV, 3 do
  redis.call('SADD', KEYS[2], ARGV[at])
  for key = at, at + 2 do
    redis.call('HINCRBY', KEYS[key], ARGV[at + 1], ARGV[at + 2])
  end
end
return 1`;

/** Throws a SettingError for an invalid URL; the client's own error may repeat its password. */
function makeClient(url: string) {
  try {
    return createClient({
      url,
      RESP: 2,
      socket: {
        connectTimeout,
        socketTimeout: silenceTimeout,
        reconnectStrategy: (retries) => Math.min(maxReconnectDelay, 50 * 2 ** retries),
      },
      pingInterval: pingEvery,
      // The recorder keeps unsent additions: it knows which were sent before.
      disableOfflineQueue: true,
      disableClientInfo: true,
      maintNotifications: "disabled",
    });
  } catch {
    throw new SettingError("USAGE_STORE must be lmdb or the URL of a Redis server.");
  }
}

/** Usage in Redis 6 or Valkey, for several machines that count together. Reconnects when the connection is lost. */
export class RedisStore implements UsageStore {
  readonly #client: ReturnType<typeof makeClient>;
  #lastError = "not connected";

  private constructor(client: ReturnType<typeof makeClient>) {
    this.#client = client;
    client.on("error", (error: Error) => {
      this.#lastError = error.message || (error as NodeJS.ErrnoException).code || error.name;
    });
  }

  /** Connects; after two seconds it continues in the background. Throws a SettingError for an invalid URL. */
  static async connect(url: string): Promise<RedisStore> {
    const store = new RedisStore(makeClient(url));
    await within(connectTimeout, store.#client.connect()).catch(() => {});
    return store;
  }

  async add(writer: string, sequence: number, additions: readonly UsageAddition[]): Promise<void> {
    const counted = additions.flatMap(({ name, day }) =>
      periodsOf(day).map((period) => countsKey(name, period)),
    );
    const given = additions.flatMap(({ name, key, count }) => [name, key, String(count)]);
    await this.#reach(() =>
      this.#client.eval(addScript, {
        keys: [writerKey(writer), namesKey, ...counted],
        arguments: [String(sequence), String((forgetWriterAfterDays * msPerDay) / msPerSecond), ...given],
      }),
    );
  }

  async read(name: string, periods: readonly string[]): Promise<readonly UsageCount[]> {
    const hashes = await this.#reach(() =>
      Promise.all(periods.map((period) => this.#client.hGetAll(countsKey(name, period)))),
    );
    return hashes.flatMap((hash, index) =>
      Object.entries(hash)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, count]) => ({ key, period: periods[index]!, count: Number(count) })),
    );
  }

  async names(): Promise<readonly string[]> {
    return (await this.#reach(() => this.#client.sMembers(namesKey))).sort();
  }

  async close(): Promise<void> {
    if (this.#client.isOpen) this.#client.destroy();
  }

  async #reach<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const reason = this.#client.isReady ? (error as Error).message : this.#lastError;
      throw new UsageStoreError("Redis", reason);
    }
  }
}
