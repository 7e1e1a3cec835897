import { readSettings, SettingError, type Settings } from "../settings.ts";
import { CommandFailure } from "./program.ts";

/** Reads the settings that say where the service keeps its state; a flag of the command wins over the environment. */
export function stateSettings(
  flags: readonly (readonly [flag: string, value: string | undefined])[],
): Settings {
  const args = flags.flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]));
  try {
    return readSettings(args, process.env);
  } catch (error) {
    if (error instanceof SettingError) throw new CommandFailure(error.message, 2);
    throw error;
  }
}

/** Gives an action whose faults (a damaged file, a folder that cannot be read) are told in one line. */
export function tellingFaults<Arguments extends unknown[]>(
  action: (...given: Arguments) => Promise<void>,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    try {
      await action(...given);
    } catch (error) {
      throw error instanceof CommandFailure ? error : new CommandFailure((error as Error).message);
    }
  };
}
