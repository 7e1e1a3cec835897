import { existsSync } from "node:fs";
import { flagOf, readSettings } from "../settings.ts";
import type { Settings } from "../settings-table.ts";
import { CommandFailure } from "./exit-codes.ts";

const stateNames = ["stateDir", "usageStore", "dataDir"] as const;

/** Options of a command that are settings of the service. */
export type StateOptions = { readonly [Name in (typeof stateNames)[number]]?: string };

/** Reads the settings that say where the service keeps its state; an option of the command wins over the environment. */
export function stateSettings(options: StateOptions): Settings {
  const args = stateNames.flatMap((name) =>
    options[name] === undefined ? [] : [`--${flagOf(name)}=${options[name]}`],
  );
  return readSettings(args, process.env, stateNames);
}

/**
 * Returns the folder of the service's state, which must be there, since a command in the wrong place must not make one;
 * with `mayMake` one that is named may be absent.
 */
export function stateFolder(options: StateOptions, mayMake = false): string {
  const { stateDir } = stateSettings(options);
  const isNamed = options.stateDir !== undefined || (process.env["STATE_DIR"] ?? "") !== "";
  if (existsSync(stateDir) || (mayMake && isNamed)) return stateDir;
  throw new CommandFailure(
    `There is no state folder ${stateDir}; name the one of the service with --state-dir or STATE_DIR.`,
  );
}
