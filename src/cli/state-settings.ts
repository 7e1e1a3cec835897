import { existsSync } from "node:fs";
import { flagOf, readSettings, type Settings } from "../settings.ts";
import { CommandFailure } from "./program.ts";

const names = ["stateDir", "usageStore", "dataDir"] as const;

/** Options of a command that are settings of the service. */
export type StateOptions = { readonly [Name in (typeof names)[number]]?: string };

/** Reads the settings that say where the service keeps its state; an option of the command wins over the environment. */
export function stateSettings(options: StateOptions): Settings {
  const args = names.flatMap((name) =>
    options[name] === undefined ? [] : [`--${flagOf(name)}=${options[name]}`],
  );
  return readSettings(args, process.env, names);
}

/**
 * Returns the folder of the service's state, which must be there: a command in the wrong place must not make one.
 *
 * @param mayMake whether one that somebody named is made where it is absent.
 */
export function stateFolder(options: StateOptions, mayMake = false): string {
  const { stateDir } = stateSettings(options);
  const isNamed = options.stateDir !== undefined || (process.env["STATE_DIR"] ?? "") !== "";
  if (existsSync(stateDir) || (mayMake && isNamed)) return stateDir;
  throw new CommandFailure(
    `There is no state folder ${stateDir}; name the one of the service with --state-dir or STATE_DIR.`,
  );
}

/** Folders and day that a command of bank data works with. */
export interface DataPlace {
  /** Where the service reads from. */
  readonly folder: string;
  /** Where imports go to. */
  readonly importFolder: string;
  /** The day in Berlin. */
  readonly today: string;
}
