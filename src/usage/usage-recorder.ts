import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { UsageAnswer } from "../contract/api-types.ts";
import { within } from "../process/calls.ts";
import { lmdbStore } from "./lmdb-store.ts";
import { dayOf, summariseUsage, type UsageAddition, type UsageKey, type UsageStore } from "./usage-store.ts";

/** The summary for a question about a holder, answered again until `freshUntil`, by a clock that is never set. */
type SummaryReading = { name: string; summary: Promise<UsageAnswer>; asOf: string; freshUntil: number };

interface RecorderOptions {
  readonly store: UsageStore;
  readonly log: Readonly<Record<"error" | "info", (detail: object, message: string) => void>>;
  /** How many keys, each day for itself, are kept while the store cannot be written to. */
  readonly room?: number;
}

/** A process that is killed loses what was used in this time. */
const writeEvery = 100;
const defaultRoom = 100_000;
/** How many additions go into one transaction: few enough that it takes milliseconds. */
const maxAdditionsAtOnce = 500;
/** After a failure the store is tried again after this time, then after twice as long, up to the longest. */
const firstRetry = 100;
const maxRetryDelay = 5_000;
const summaryTimeout = 2_000;
/** Summaries that are kept; one of a whole year takes some 50 KB. */
const maxReadings = 100;
/** How long a summary is answered again without reading the store, where this process counted nothing in between. */
const freshMs = 1_000;
/** How long a stop waits for the store at least. */
const closeTimeout = 1_000;

/**
 * Records what the holders of keys have used: collected in memory, written in one transaction at most every 100 ms.
 *
 * While the store cannot be written to, usage is kept, added up by key and day, and written once it can. What goes
 * beyond that room is lost and counted as such.
 */
export class UsageRecorder {
  readonly #options: Required<RecorderOptions>;
  readonly #writer = randomUUID();
  /** The next write; none is planned while there is nothing to write. */
  #timer: NodeJS.Timeout | undefined;
  /** Checks since usage was last collected, by key. */
  readonly #used = new Map<UsageKey, number>();
  readonly #kept = new Map<string, UsageAddition>();
  #sequence = 1;
  /** Sent to the store and not yet confirmed; sent again until it confirms. */
  #sent: readonly UsageAddition[] = [];
  #writing: Promise<void> | undefined;
  /** When the oldest that waits was used, by a clock that is never set. */
  #since: number | undefined;
  #failures = 0;
  /** How many checks were not counted, since the store could not be written to for too long. */
  lost = 0;
  /** By question; the latest question comes last. */
  readonly #readings = new Map<string, SummaryReading>();

  constructor(options: RecorderOptions) {
    this.#options = { room: defaultRoom, ...options };
  }

  add(key: UsageKey, checks: number): void {
    this.#used.set(key, (this.#used.get(key) ?? 0) + checks);
    this.#plan();
  }

  /** How many checks are counted, but not yet stored. */
  get pending(): number {
    let pending = 0;
    for (const used of this.#used.values()) pending += used;
    for (const { count } of this.#sent) pending += count;
    for (const { count } of this.#kept.values()) pending += count;
    return pending;
  }

  /** How long the oldest of them waits, in milliseconds. */
  get lagMs(): number {
    return this.#since === undefined ? 0 : performance.now() - this.#since;
  }

  /** Writes all that was used until now. Rejects if the store cannot be written to; nothing is lost by that. */
  flush(): Promise<void> {
    this.#collect();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
      this.#plan();
    });
    return this.#writing;
  }

  /**
   * Sums up the usage of a key and its holder, where other processes counted in the last second perhaps without that.
   * Where the store does not answer within two seconds: as last read, with `as_of`; rejects if it was never read.
   */
  async summaryOf(holder: UsageKey, lastDays = 0): Promise<UsageAnswer> {
    const { name, id } = holder;
    const question = `${name}/${id}/${lastDays}`;
    this.#collect();
    const known = this.#readings.get(question);
    const begunAt = performance.now();
    if (known !== undefined && begunAt < known.freshUntil) return known.summary;
    const now = Date.now();
    const read = this.flush().then(() => summariseUsage(this.#options.store, holder, now, lastDays));
    const summary = within(summaryTimeout, read).catch(async (error: unknown) => {
      reading.freshUntil = begunAt;
      if (known === undefined) throw error;
      const last = await known.summary;
      return { ...last, as_of: last.as_of ?? known.asOf };
    });
    const asOf = new Date(now).toISOString();
    const reading: SummaryReading = { name, summary, asOf, freshUntil: begunAt + freshMs };
    this.#readings.delete(question);
    this.#readings.set(question, reading);
    const [oldest] = this.#readings.keys();
    if (this.#readings.size > maxReadings) this.#readings.delete(oldest!);
    return summary;
  }

  /**
   * Writes what is left and releases the store. Nothing may be used afterwards.
   *
   * A store that is busy gets `patienceMs`, and a second at least; one that refuses is not asked again.
   */
  async close(patienceMs = 0): Promise<void> {
    this.#options.store.resume?.();
    // The first may have begun before the last was used.
    const written = this.flush().then(() => this.flush());
    await within(Math.max(closeTimeout, patienceMs), written).catch(() => {});
    const { pending } = this;
    if (pending > 0) {
      this.lost += pending;
      this.#used.clear();
      this.#sent = [];
      this.#kept.clear();
      this.#options.log.error({ lost: pending }, "usage is lost: the store is not writable");
    }
    await within(closeTimeout, this.#options.store.close()).catch(() => {});
  }

  /** Plans the next write where there is anything to write; after a failure later and later. */
  #plan(): void {
    if (this.#timer !== undefined || this.#used.size + this.#sent.length + this.#kept.size === 0) return;
    const retryMs = firstRetry * 2 ** (this.#failures - 1);
    const delayMs = this.#failures === 0 ? writeEvery : Math.min(maxRetryDelay, retryMs);
    // Callers of flush get its failure; the log gets it below.
    this.#timer = setTimeout(() => this.flush().catch(() => {}), delayMs);
    this.#timer.unref();
  }

  #collect(): void {
    const day = dayOf(Date.now());
    const names = new Set<string>();
    for (const [{ name, id }, used] of this.#used) {
      names.add(name);
      const place = `${name}/${id}/${day}`;
      const before = this.#kept.get(place);
      if (before === undefined && this.#kept.size >= this.#options.room) {
        this.lost += used;
        continue;
      }
      this.#since ??= performance.now();
      this.#kept.set(place, { name, key: id, day, count: used + (before?.count ?? 0) });
    }
    this.#used.clear();
    for (const reading of this.#readings.values()) if (names.has(reading.name)) reading.freshUntil = 0;
  }

  async #write(): Promise<void> {
    const { store, log } = this.#options;
    while (this.#sent.length + this.#kept.size > 0) {
      if (this.#sent.length === 0) this.#sent = this.#take();
      try {
        await store.add(this.#writer, this.#sequence, this.#sent);
      } catch (error) {
        if (this.#failures === 0) log.error({ err: error }, "usage cannot be stored; it is kept and retried");
        this.#failures++;
        throw error;
      }
      this.#sequence++;
      this.#sent = [];
      if (this.#failures > 0) log.info({ lost: this.lost }, "usage is stored again");
      this.#failures = 0;
    }
    this.#since = undefined;
  }

  #take(): readonly UsageAddition[] {
    const taken: UsageAddition[] = [];
    for (const [place, addition] of this.#kept) {
      if (taken.length === maxAdditionsAtOnce) break;
      taken.push(addition);
      this.#kept.delete(place);
    }
    return taken;
  }
}

/** Returns the store that the setting `USAGE_STORE` names; one that cannot be reached is reported by its calls. */
export async function openUsageStore(setting: string, stateDir: string): Promise<UsageStore> {
  if (setting === "lmdb") {
    const store = lmdbStore(join(stateDir, "usage"));
    // Opened while the rest starts, so that the first write finds it open.
    store.names().catch(() => {});
    return store;
  }
  // Only who counts in Redis pays for its client.
  const { connectRedisStore } = await import("./redis-store.ts");
  return connectRedisStore(setting);
}
