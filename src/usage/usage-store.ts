import type { UsageAnswer } from "../contract/api-types.ts";

export interface UsageAddition {
  readonly name: string;
  readonly key: string;
  /** Day in UTC, `2026-11-21`. */
  readonly day: string;
  readonly count: number;
}

/** How much one key was used in a period: a day (`2026-11-21`), a month (`2026-11`) or `total`. */
export interface UsageCount {
  readonly key: string;
  readonly period: string;
  readonly count: number;
}

/** Where usage is kept; several processes may write to the same store. */
export interface UsageStore {
  /**
   * Adds all or nothing. Rejects if that cannot be done or it is not known whether it was; then the same additions
   * must be sent again with the same sequence number, and are added only once.
   *
   * `writer` is unique to the process, `sequence` grows with every new list of additions.
   */
  add(writer: string, sequence: number, additions: readonly UsageAddition[]): Promise<void>;
  /** Returns the usage of a holder's keys in some periods; keys and periods without usage are left out. */
  read(name: string, periods: readonly string[]): Promise<readonly UsageCount[]>;
  /** Returns the names of all holders that have used the service, in order. */
  names(): Promise<readonly string[]>;
  /** Continues a store that was stopped from outside, where that is possible. */
  resume?(): void;
  /** Releases the store; nothing may be called afterwards. */
  close(): Promise<void>;
}

export class UsageStoreError extends Error {
  override readonly name = "UsageStoreError";

  constructor(place: string, reason: string) {
    super(`The usage in ${place} cannot be reached: ${reason}`);
  }
}

/** A process that has not written for this number of days will not send anything again. */
export const forgetWriterAfterDays = 30;

export const wholeTime = "total";

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the periods to which what is used on a day counts: itself, its month and the whole time. */
export function periodsOf(day: string): readonly string[] {
  return [day, day.slice(0, 7), wholeTime];
}

/** A key whose usage is counted: its holder's name and its own id. */
export interface UsageKey {
  readonly name: string;
  readonly id: string;
}

export const msPerDay = 86_400_000;

/** Sums up the stored usage of a key and of all keys of its holder, for the last `days` also day by day. */
export async function summariseUsage(
  store: UsageStore,
  { name, id }: UsageKey,
  now: number,
  lastDays = 0,
): Promise<UsageAnswer> {
  const day = dayOf(now);
  const periods = periodsOf(day);
  const days = Array.from({ length: lastDays }, (_, index) => dayOf(now - (lastDays - 1 - index) * msPerDay));
  const counts = await store.read(name, [...new Set([...periods, ...days])]);
  const own = counts.filter(({ key }) => key === id);
  return {
    name,
    day,
    key: { id, ...figuresOf(own, periods, days) },
    all_keys: figuresOf(counts, periods, days),
  };
}

/** Sums up counts in the periods of a day, in the order of `periodsOf`, and in each of some days. */
export function figuresOf(
  counts: readonly UsageCount[],
  periods: readonly string[],
  days: readonly string[] = [],
): UsageAnswer["all_keys"] {
  const sums = new Map<string, number>();
  for (const { period, count } of counts) sums.set(period, (sums.get(period) ?? 0) + count);
  const [today = 0, month = 0, total = 0] = periods.map((wanted) => sums.get(wanted) ?? 0);
  const byDay = days.map((day) => ({ day, checks: sums.get(day) ?? 0 }));
  return { today, month, total, ...(days.length > 0 && { days: byDay }) };
}
