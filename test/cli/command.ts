import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { composeCommand, dataCommand, sampleCommand } from "../../src/cli/data/command.ts";
import { runHere } from "../support/run-here.ts";

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

const ofBankData = { compose: composeCommand, data: dataCommand, sample: sampleCommand } as const;

/** Runs a command of the bank data in this process, which takes less time than a separate one; one at a time. */
export async function bankcheckHere(
  stateDir: string,
  command: keyof typeof ofBankData,
  ...args: readonly string[]
): Promise<CommandEnd> {
  const { exit, ...printed } = await runHere(ofBankData[command](), args, { STATE_DIR: stateDir });
  return { status: exit, ...printed };
}
