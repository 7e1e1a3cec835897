import { availableParallelism, cpus, totalmem } from "node:os";

/** The machine that a run was measured on. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly generator: string;
}

/** Describes this machine. */
export function thisMachine(generator: string): Machine {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    generator,
  };
}

/** A machine in one line. */
export function machineLine({ processor, cores, memoryGb, node, generator }: Machine): string {
  return `${cores} core${cores === 1 ? "" : "s"} (${processor}), ${memoryGb} GB, Node ${node}, load by ${generator}`;
}

/** The class of machines whose ratios can be compared: processor, cores and Node's major version. */
export function machineClass({ processor, cores, node }: Machine): string {
  return `${processor.trim()}, ${cores} cores, Node ${nodeMajor(node)}`;
}

/** How far two machines are from the same class, 0 for the same: the processor counts most, then Node, then cores. */
export function classDistance(a: Machine, b: Machine): number {
  const processor = a.processor.trim() === b.processor.trim() ? 0 : 100;
  const node = Math.min(9, Math.abs(nodeMajor(a.node) - nodeMajor(b.node))) * 10;
  return processor + node + Math.min(9, Math.abs(Math.log2(a.cores / b.cores)));
}

function nodeMajor(version: string): number {
  return Number(/\d+/.exec(version)?.[0] ?? 0);
}
