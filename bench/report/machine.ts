import { availableParallelism, cpus, totalmem } from "node:os";

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly generator: string;
}

/** The generator of open loops, by name. */
export const ownGenerator = "an open loop, one process";

export function thisMachine(generator: string): Machine {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    generator,
  };
}

export function machineLine({ processor, cores, memoryGb, node, generator }: Machine): string {
  return `${cores} core${cores === 1 ? "" : "s"} (${processor}), ${memoryGb} GB, Node ${node}, load by ${generator}`;
}

/** The class of machines whose ratios can be compared: processor, cores and Node's major version. */
export function machineClass({ processor, cores, node }: Machine): string {
  return `${processor.trim()}, ${cores} cores, Node ${/\d+/.exec(node)?.[0]}`;
}
