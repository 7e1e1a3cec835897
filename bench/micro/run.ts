import { Bench } from "tinybench";
import { median } from "../figures.ts";
import { microCases } from "./cases.ts";

/** The result of one micro bench. */
export interface MicroResult {
  readonly name: string;
  /** Median nanoseconds per operation. */
  readonly nanoseconds: number;
}

/** Runs all micro benches, `milliseconds` each, in as many interleaved rounds as asked, and returns the medians. */
export async function runMicro(milliseconds: number, rounds: number): Promise<readonly MicroResult[]> {
  const cases = await microCases();
  const samples = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const bench = new Bench({ time: milliseconds / rounds, warmupTime: milliseconds / rounds / 4 });
    for (const { name, work } of cases) bench.add(name, work);
    await bench.run();
    for (const [index, task] of bench.tasks.entries()) {
      const { result } = task;
      if (result.state !== "completed") throw new Error(`micro bench ${task.name} did not complete`);
      const { name, operations } = cases[index]!;
      samples.get(name)!.push((result.latency.p50 * 1e6) / operations);
    }
  }
  return cases.map(({ name }) => ({ name, nanoseconds: median(samples.get(name)!) }));
}
