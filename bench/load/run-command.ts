import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { endWithThisProcess } from "../../test/support/children.ts";

interface Finished {
  readonly stdout: string;
  readonly seconds: number;
  readonly processorSeconds: number;
}

/** Runs a command to its end and times it. Rejects with its exit code as `code` when it fails. */
export async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const running = promisify(execFile)(
    "bash",
    ["-c", 'TIMEFORMAT="TIMES %R %U %S"; time "$@"', "bash", command, ...args],
    { env: { ...process.env, ...env } },
  );
  endWithThisProcess(running.child);
  const { stdout, stderr } = await running;
  const [, seconds, user, system] = /TIMES ([\d.]+) ([\d.]+) ([\d.]+)/.exec(stderr) ?? [];
  return { stdout, seconds: Number(seconds), processorSeconds: Number(user) + Number(system) };
}
