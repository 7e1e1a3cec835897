import { pino } from "pino";
import type { Fetch } from "../../client/exchange.ts";
import { startPool } from "../../service.ts";
import { readSettings, SettingError } from "../../settings.ts";
import type { AnswerText } from "../answer-text.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandFailure } from "../program.ts";
import { fetchFromPool } from "./fetch-from-pool.ts";

/** More than a command has in flight, so that nothing is refused. */
const queue = 64;

/** Starts the service's worker pool in this process, over the same bank data, and gives what sends requests to it. */
export async function startOffline(
  textOf: AnswerText,
): Promise<{ readonly fetch: Fetch; close(): Promise<void> }> {
  const settings = settingsOf(process.env);
  const log = pino({ level: "silent" });
  const { pool, watch } = await startPool({ ...settings, poolQueue: queue }, log);
  // A command lasts a moment: all it answers is to be of one edition.
  watch.close();
  if (!pool.hasEdition) {
    await pool.close();
    throw new CommandFailure(
      `The bank data of ${settings.dataDir || "the package"} cannot be loaded.`,
      exitCodes.unusable.code,
    );
  }
  return { fetch: fetchFromPool(pool, textOf), close: () => pool.close() };
}

function settingsOf(environment: NodeJS.ProcessEnv) {
  try {
    return readSettings([], environment);
  } catch (error) {
    if (error instanceof SettingError) throw new CommandFailure(error.message, exitCodes.unusable.code);
    throw error;
  }
}
