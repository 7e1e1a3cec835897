import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const entry = fileURLToPath(new URL("../../.dist/src/cli/main.js", import.meta.url));

/** The result of a command. */
export interface CommandEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the compiled `bankcheck` with a state folder, and nothing else of this process's environment. */
export function bankcheck(stateDir: string, ...args: readonly string[]): CommandEnd {
  const { PATH = "" } = process.env;
  return spawnSync(process.execPath, [entry, ...args], {
    encoding: "utf8",
    env: { PATH, STATE_DIR: stateDir },
  });
}
