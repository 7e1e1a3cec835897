import { dayOf, periodsOf, type UsageCount, type UsageStore } from "./usage-store.ts";

/** How many checks were counted. */
export interface UsageFigures {
  readonly today: number;
  readonly month: number;
  readonly total: number;
}

/** Checks of one day. */
interface DayFigures {
  readonly day: string;
  readonly checks: number;
}

/** What a client is told of its usage. */
export interface UsageSummary {
  readonly name: string;
  /** Today, in UTC. */
  readonly day: string;
  readonly key: UsageFigures & { readonly id: string; readonly days?: readonly DayFigures[] };
  /** All keys of the same name together, those no longer valid too. */
  readonly all_keys: UsageFigures & { readonly days?: readonly DayFigures[] };
}

/** A key by its holder's name and its own id. */
export interface HolderKey {
  readonly name: string;
  readonly id: string;
}

const msPerDay = 86_400_000;

/** Sums up what is stored of a key and of all keys of its holder's name, for so many last days also day by day. */
export async function summariseUsage(
  store: UsageStore,
  { name, id }: HolderKey,
  now: number,
  lastDays = 0,
): Promise<UsageSummary> {
  const day = dayOf(now);
  const periods = periodsOf(day);
  const days = Array.from({ length: lastDays }, (_, index) => dayOf(now - (lastDays - 1 - index) * msPerDay));
  const counts = await store.read(name, [...new Set([...periods, ...days])]);
  const figures = (counted: readonly UsageCount[]) => ({
    ...figuresOf(counted, periods),
    ...(lastDays > 0 && { days: figuresByDay(counted, days) }),
  });
  const own = counts.filter(({ key }) => key === id);
  return { name, day, key: { id, ...figures(own) }, all_keys: figures(counts) };
}

function figuresByDay(counts: readonly UsageCount[], days: readonly string[]): DayFigures[] {
  return days.map((day) => ({ day, checks: sumOf(counts, day) }));
}

function sumOf(counts: readonly UsageCount[], wanted: string): number {
  return counts.filter(({ period }) => period === wanted).reduce((sum, { count }) => sum + count, 0);
}

/** Adds counts up for a day, its month and the whole time, in the order of `periodsOf`. */
export function figuresOf(counts: readonly UsageCount[], periods: readonly string[]): UsageFigures {
  const [today = 0, month = 0, total = 0] = periods.map((wanted) => sumOf(counts, wanted));
  return { today, month, total };
}
