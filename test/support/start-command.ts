import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endWithThisProcess } from "./children.ts";

/** The compiled command line; its first line has the flags that bound its memory. */
export const commandEntry = fileURLToPath(new URL("../../.dist/src/cli/main.js", import.meta.url));

/** The result of a command. */
export interface CommandResult {
  /** Exit code, or the signal that ended it. */
  readonly exit: number | string | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A command that runs. */
export interface RunningCommand {
  readonly child: ChildProcess;
  readonly result: Promise<CommandResult>;
}

/** Starts `bankcheck` with arguments, environment, what it reads on standard input, and how long its files may get. */
export function startCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input?: Buffer | string,
  maxFileKilobytes?: number,
): RunningCommand {
  const { PATH = "" } = process.env;
  const own = [commandEntry, ...args];
  // The signal of the limit is ignored, so that writing fails as on a full disk.
  const limited = ["sh", "-c", `trap "" XFSZ; ulimit -f ${2 * (maxFileKilobytes ?? 0)}; exec "$@"`, "sh"];
  const [command = "", ...rest] = maxFileKilobytes === undefined ? own : [...limited, ...own];
  const child = spawn(command, rest, { env: { PATH, ...environment } });
  endWithThisProcess(child);
  const stdout: Buffer[] = [];
  let stderr = "";
  child.stdout.on("data", (piece: Buffer) => stdout.push(piece));
  child.stderr.on("data", (piece: Buffer) => {
    stderr += piece;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input ?? "");
  const result = new Promise<CommandResult>((resolve) => {
    child.once("close", (code, signal) =>
      resolve({ exit: code ?? signal, stdout: Buffer.concat(stdout), stderr }),
    );
  });
  return { child, result };
}
