import { spawn } from "node:child_process";
import { once } from "node:events";
import { endWithThisProcess } from "../../test/support/children.ts";

/** Output and processor time of a finished command. */
export interface Finished {
  readonly stdout: string;
  /** NaN where unknown. */
  readonly processorSeconds: number;
}

/** How a command is run. */
interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that do not count as a failure. */
  readonly accepted?: readonly number[];
}

/** Runs a command to its end and times its processor use. Rejects when it fails. */
export async function run(
  command: string,
  args: readonly string[],
  { env = {}, accepted = [0] }: RunOptions = {},
): Promise<Finished> {
  const child = spawn("bash", ["-c", 'TIMEFORMAT="CPU %U %S"; time "$@"', "bash", command, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithThisProcess(child);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  if (!accepted.includes(code)) throw new Error(`${command} ended with ${code}: ${stderr}`);
  const [, user, system] = /CPU ([\d.]+) ([\d.]+)/.exec(stderr) ?? [];
  return { stdout, processorSeconds: Number(user) + Number(system) };
}
