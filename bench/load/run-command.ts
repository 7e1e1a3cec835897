import { spawn } from "node:child_process";
import { once } from "node:events";

/** Output and processor time of a finished command. */
export interface Finished {
  readonly stdout: string;
  /** NaN where unknown. */
  readonly processorSeconds: number;
}

/** Runs a command to its end and times its processor use. Rejects when it fails. */
export async function run(command: string, args: readonly string[]): Promise<Finished> {
  const child = spawn("bash", ["-c", 'TIMEFORMAT="CPU %U %S"; time "$@"', "bash", command, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr}`);
  const [, user, system] = /CPU ([\d.]+) ([\d.]+)/.exec(stderr) ?? [];
  return { stdout, processorSeconds: Number(user) + Number(system) };
}
