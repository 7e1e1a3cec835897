import { dayOf, periodsOf, type UsageCount, type UsageStore } from "./usage-store.ts";

/** How many checks were counted. */
export interface UsageFigures {
  readonly today: number;
  readonly month: number;
  readonly total: number;
}

/** What a client is told of its usage. */
export interface UsageSummary {
  readonly name: string;
  /** Today, in UTC. */
  readonly day: string;
  readonly key: UsageFigures & { readonly id: string };
  /** All keys of the same name together, those no longer valid too. */
  readonly all_keys: UsageFigures;
}

/** A key by its holder's name and its own id. */
export interface HolderKey {
  readonly name: string;
  readonly id: string;
}

/** Sums up what is stored of a key and of all keys of its holder's name. */
export async function summariseUsage(
  store: UsageStore,
  { name, id }: HolderKey,
  now: number,
): Promise<UsageSummary> {
  const day = dayOf(now);
  const periods = periodsOf(day);
  const counts = await store.read(name, periods);
  const own = counts.filter(({ key }) => key === id);
  return { name, day, key: { id, ...figuresOf(own, periods) }, all_keys: figuresOf(counts, periods) };
}

/** Adds counts up for a day, its month and the whole time, in the order of `periodsOf`. */
export function figuresOf(counts: readonly UsageCount[], periods: readonly string[]): UsageFigures {
  const [today = 0, month = 0, total = 0] = periods.map((wanted) =>
    counts.filter(({ period }) => period === wanted).reduce((sum, { count }) => sum + count, 0),
  );
  return { today, month, total };
}
