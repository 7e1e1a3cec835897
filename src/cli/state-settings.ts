import { existsSync } from "node:fs";
import { DataFileError } from "../banks/files/csv.ts";
import { readSettings, SettingError, type Settings } from "../settings.ts";
import { CommandFailure, exitCodes } from "./program.ts";

/** Reads the settings that say where the service keeps its state; a flag of the command wins over the environment. */
export function stateSettings(
  flags: readonly (readonly [flag: string, value: string | undefined])[],
): Settings {
  const args = flags.flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]));
  try {
    return readSettings(args, process.env, ["stateDir", "usageStore", "dataDir"]);
  } catch (error) {
    if (error instanceof SettingError) throw new CommandFailure(error.message, 2);
    throw error;
  }
}

/** Where the service keeps its state, and whether somebody said so. */
export interface StateFolder {
  readonly stateDir: string;
  readonly isNamed: boolean;
}

/** The folder of the service's state: the option's, or the setting's. */
export function stateFolder({ stateDir: named }: { readonly stateDir?: string }): StateFolder {
  const { stateDir } = stateSettings([["state-dir", named]]);
  return { stateDir, isNamed: named !== undefined || (process.env["STATE_DIR"] ?? "") !== "" };
}

/** Throws a CommandFailure where the folder is not there: a command in the wrong place must not make one. */
export function expectStateFolder({ stateDir }: StateFolder): void {
  if (existsSync(stateDir)) return;
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

/** Returns an action whose faults (a damaged file, a folder that cannot be read) are reported in one line. */
export const reportFaults = reporting((error) =>
  error instanceof CommandFailure ? error : new CommandFailure((error as Error).message),
);

/** Returns an action that reports faults of data, folder or source in one line, and throws faults of our own. */
export const reportDataFaults = reporting((error) => dataFailure(error) ?? error);

function reporting(thrownFor: (error: unknown) => unknown) {
  return <Arguments extends unknown[]>(action: (...given: Arguments) => Promise<void>) =>
    async (...given: Arguments): Promise<void> => {
      try {
        await action(...given);
      } catch (error) {
        throw thrownFor(error);
      }
    };
}

/** Returns what ends a command for a fault of the data, the folder or the source; undefined for a fault of our own. */
export function dataFailure(error: unknown): CommandFailure | undefined {
  if (error instanceof CommandFailure) return error;
  if (!(error instanceof DataFileError || isSystemFault(error))) return undefined;
  return new CommandFailure((error as Error).message, exitCodes.unusable.code);
}

function isSystemFault(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
