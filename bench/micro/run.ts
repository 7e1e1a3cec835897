import { Bench } from "tinybench";
import { type LoadFigures, median } from "../figures.ts";
import { microCases, yardstick } from "./cases.ts";

const milliseconds = 300;
const rounds = 3;

/** Runs all micro benches in interleaved rounds; returns the median nanoseconds per operation of each. */
export async function runMicro(): Promise<readonly LoadFigures[]> {
  const cases = await microCases();
  const samples = new Map<string, number[]>(cases.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const bench = new Bench({ time: milliseconds / rounds, warmupTime: milliseconds / rounds / 4 });
    for (const [name, , work] of cases) bench.add(name, work);
    await bench.run();
    for (const [index, task] of bench.tasks.entries()) {
      const { result } = task;
      if (result.state !== "completed") throw new Error(`micro bench ${task.name} did not complete`);
      const [name, operations] = cases[index]!;
      samples.get(name)!.push((result.latency.p50 * 1e6) / operations);
    }
  }
  const unit = median(samples.get(yardstick)!);
  return [...samples].map(([load, times]) => {
    const nanoseconds = median(times);
    return { load, nanoseconds, timesYardstick: nanoseconds / unit };
  });
}
