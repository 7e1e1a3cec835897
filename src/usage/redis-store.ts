import { createClient } from "@redis/client";
import { within } from "../process/calls.ts";
import { SettingError } from "../settings.ts";
import { forgetWriterAfterDays, periodsOf, type UsageStore, UsageStoreError } from "./usage-store.ts";

/** All keys are of one hash slot, since a script may only touch one. */
const prefix = "bankcheck:{usage}";
const namesKey = `${prefix}:names`;
const countsKey = (name: string, period: string) => `${prefix}:counts:${name}:${period}`;
const writerKey = (writer: string) => `${prefix}:writer:${writer}`;

const connectTimeout = 2_000;
/** A connection that stays silent for this long, in spite of a ping, is closed. */
const silenceTimeout = 3_000;
const pingEvery = 1_000;
const maxReconnectDelay = 1_000;
const secondsPerDay = 86_400;

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

/**
 * Usage in Redis 6 or Valkey, for several machines that count together. Reconnects when the connection is lost; without a
 * first one after two seconds it continues in the background. Rejects with a SettingError for an invalid URL.
 */
export async function connectRedisStore(url: string): Promise<UsageStore> {
  const client = makeClient(url);
  let lastError = "not connected";
  client.on("error", (error: Error) => {
    lastError = error.message || (error as NodeJS.ErrnoException).code || error.name;
  });
  await within(connectTimeout, client.connect()).catch(() => {});

  const reached = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: Error) => {
      throw new UsageStoreError("Redis", client.isReady ? error.message : lastError);
    });

  return {
    async add(writer, sequence, additions) {
      const counted = additions.flatMap(({ name, day }) =>
        periodsOf(day).map((period) => countsKey(name, period)),
      );
      const given = additions.flatMap(({ name, key, count }) => [name, key, String(count)]);
      await reached(
        client.eval(addScript, {
          keys: [writerKey(writer), namesKey, ...counted],
          arguments: [String(sequence), String(forgetWriterAfterDays * secondsPerDay), ...given],
        }),
      );
    },

    async read(name, periods) {
      const hashes = await reached(
        Promise.all(periods.map((period) => client.hGetAll(countsKey(name, period)))),
      );
      return hashes.flatMap((hash, index) =>
        Object.entries(hash)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([key, count]) => ({ key, period: periods[index]!, count: Number(count) })),
      );
    },

    names: async () => (await reached(client.sMembers(namesKey))).sort(),

    async close() {
      if (client.isOpen) client.destroy();
    },
  };
}
