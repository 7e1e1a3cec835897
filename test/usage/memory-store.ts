import {
  periodsOf,
  type UsageAddition,
  type UsageCount,
  type UsageStore,
} from "../../src/usage/usage-store.ts";

/** How the store treats the next additions. */
export type StoreMood = "well" | "refusing" | "adding without saying so" | "silent";

/** A store in memory that keeps the contract and can be made to misbehave. */
export class MemoryStore implements UsageStore {
  mood: StoreMood = "well";
  /** Lists of additions that came, those sent again too. */
  calls = 0;
  isClosed = false;
  readonly #last = new Map<string, number>();
  readonly #counts = new Map<string, Map<string, number>>();

  async add(writer: string, sequence: number, additions: readonly UsageAddition[]): Promise<void> {
    this.calls++;
    if (this.mood === "silent") await new Promise(() => {});
    if (this.mood === "refusing") throw new Error("refused");
    if (sequence > (this.#last.get(writer) ?? 0)) {
      this.#last.set(writer, sequence);
      for (const addition of additions) this.#count(addition);
    }
    if (this.mood === "adding without saying so") throw new Error("the connection broke");
  }

  async read(name: string, periods: readonly string[]): Promise<readonly UsageCount[]> {
    const counts = [...(this.#counts.get(name) ?? [])].map(([place, count]) => {
      const [period = "", key = ""] = place.split("/");
      return { key, period, count };
    });
    return counts.filter(({ period }) => periods.includes(period));
  }

  async names(): Promise<readonly string[]> {
    return [...this.#counts.keys()].sort();
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  #count({ name, key, day, count }: UsageAddition): void {
    const counts = this.#counts.get(name) ?? new Map<string, number>();
    this.#counts.set(name, counts);
    for (const period of periodsOf(day)) {
      counts.set(`${period}/${key}`, (counts.get(`${period}/${key}`) ?? 0) + count);
    }
  }
}

/** All checks a store has counted for a name. */
export async function totalOf(store: UsageStore, name: string): Promise<number> {
  return (await store.read(name, ["total"])).reduce((sum, { count }) => sum + count, 0);
}

/** An addition of the usual day. */
export function addition(name: string, key: string, count: number, day = "2026-11-21"): UsageAddition {
  return { name, key, day, count };
}
