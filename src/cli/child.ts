import { spawn } from "node:child_process";
import { constants } from "node:os";

const passedSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs Node with arguments in a process of its own and returns its exit code; signals reach it. */
export async function runInChild(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of passedSignals) process.on(signal, pass);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
    });
  } finally {
    for (const signal of passedSignals) process.off(signal, pass);
  }
}
