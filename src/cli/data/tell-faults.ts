import { DataFileError } from "../../banks/files/csv.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandFailure } from "../program.ts";

/** Gives an action whose faults (a damaged file, a folder that cannot be read) are told in one line. */
export function reportDataFaults<Arguments extends unknown[]>(
  action: (...given: Arguments) => Promise<void>,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    try {
      await action(...given);
    } catch (error) {
      throw dataFailure(error) ?? error;
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
