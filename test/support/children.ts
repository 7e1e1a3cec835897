import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** How long a process may take to end on request. */
const graceMs = 12_000;

const alive = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});

/** Ends a process with this one, however this one ends. */
export function endWithThisProcess(child: ChildProcess): void {
  alive.add(child);
  child.once("exit", () => alive.delete(child));
}

/** Asks a process to end and waits until it has; one that does not is killed. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  const killing = setTimeout(() => child.kill("SIGKILL"), graceMs);
  child.kill("SIGTERM");
  await exited;
  clearTimeout(killing);
}

/** Ends all processes that were given to `endWithThisProcess` and still run. */
export async function endAll(): Promise<void> {
  await Promise.all([...alive].map(ended));
}
