import { machineTime } from "../src/metrics/machine.ts";
import type { Figures } from "./figures.ts";
import type { TestServer } from "./load/process.ts";

export interface LoadResult extends Figures {
  /** All answers, of any status. */
  readonly answers: number;
  /** Processor time of the generator, in seconds; NaN where unknown. */
  readonly generatorSeconds: number;
  /** How long the generator was ready to run, but had no processor, in seconds. */
  readonly generatorDelaySeconds?: number;
}

/** Puts a load on a server of this machine; adds the processor time and memory that it took to the figures of the load. */
export async function sample(server: TestServer, load: () => Promise<LoadResult>): Promise<Figures> {
  const before = server.processorTime();
  const busyBefore = machineSeconds();
  const own = process.cpuUsage();
  const begun = performance.now();
  const { answers, generatorSeconds, generatorDelaySeconds = Number.NaN, ...figures } = await load();
  const elapsed = (performance.now() - begun) / 1_000;
  const after = server.processorTime();
  const { user, system } = process.cpuUsage(own);
  const generator = generatorSeconds + (user + system) / 1e6;
  const [main, all] = [after.main - before.main, after.all - before.all];
  const mainDelay = after.mainDelay - before.mainDelay;
  return {
    ...figures,
    mainMicroseconds: (main * 1e6) / answers,
    allMicroseconds: (all * 1e6) / answers,
    memoryMb: server.memory(),
    serviceCores: all / elapsed,
    generatorCores: generator / elapsed,
    foreignCores: Math.max(0, machineSeconds() - busyBefore - all - generator) / elapsed,
    mainDelay: mainDelay / elapsed,
    workersDelay: (after.allDelay - before.allDelay - mainDelay) / elapsed,
    generatorDelay: generatorDelaySeconds / elapsed,
  };
}

/** Seconds for which the processors have not been free since the machine's start. */
function machineSeconds(): number {
  const { busy_ms, stolen_ms } = machineTime();
  return (busy_ms + stolen_ms) / 1_000;
}
