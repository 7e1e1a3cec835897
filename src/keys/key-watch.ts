import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { resultOfThread } from "../process/calls.ts";
import { fileState, watchFiles } from "../process/file-watch.ts";
import { SettingError } from "../settings.ts";
import { keyFilePath, readKeyFile } from "./key-file.ts";
import { KeyRing } from "./key-ring.ts";
import { digestOfKey, type KeyEntry, type KeyTable, tableOf } from "./key-table.ts";

/** Usage is counted by name: a key with two names would count for either of them. */
function expectOneNameEach(entries: readonly KeyEntry[]): void {
  const names = new Map<string, string>();
  for (const { name, sha256 } of entries) {
    const other = names.get(sha256) ?? name;
    if (other !== name) {
      throw new SettingError(
        `The names ${other} and ${name} have the same API key; set one for each in API_KEYS, or revoke one.`,
      );
    }
    names.set(sha256, name);
  }
}

/** Reads the key file into a table, with the keys of the environment; undefined if there is no file. A long one holds its thread up. */
export async function readKeyTable(
  stateDir: string,
  given: readonly KeyEntry[],
): Promise<KeyTable | undefined> {
  const stored = await readKeyFile(stateDir);
  return stored && tableOf([...stored, ...given]);
}

/** A longer key file, of a few hundred keys, is read in a separate thread: this one takes a millisecond or two. */
const maxOwnBytes = 65_536;
const threadFile = fileURLToPath(new URL(`key-thread${extname(import.meta.url)}`, import.meta.url));

/** How often the key file is looked at: a key that is revoked is refused within half a second. */
const pollIntervalMs = 450;

export type KeyWatch = Awaited<ReturnType<typeof watchKeys>>;

/**
 * Opens a key ring with `API_KEYS` (`name:key,…`, checked by the settings table) and the stored digests, and keeps it up to
 * date with the key file.
 *
 * Rejects with a SettingError if one key belongs to two names, and with a StartError when the key file is damaged or
 * STATE_DIR cannot be used. Later a file that is gone or damaged is reported once and tried again at every look; until it is
 * mended the keys read last stay valid, since a slip of an editor must not lock every client out.
 */
export async function watchKeys(apiKeys: string, stateDir: string, log: Logger) {
  const pairs = apiKeys === "" ? [] : apiKeys.split(",").map((pair) => pair.split(":") as [string, string]);
  const given = pairs.map(([name, key]) => ({ name, sha256: digestOfKey(key).toString("hex") }));
  const path = keyFilePath(stateDir);
  let readState = await fileState(path);
  let failedState: string | undefined;
  const stored = await readKeyFile(stateDir);
  const entries = [...(stored ?? []), ...given];
  expectOneNameEach(entries);
  const ring = new KeyRing(tableOf(entries));
  const isFirstStart = stored === undefined && entries.length === 0;
  let storedCount = stored?.length ?? 0;

  const readTable = async (): Promise<KeyTable> => {
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    const table = await (size > maxOwnBytes
      ? resultOfThread<KeyTable | undefined>(threadFile, [stateDir, given])
      : readKeyTable(stateDir, given));
    if (table === undefined && storedCount > 0) throw new Error(`${path} is gone.`);
    return table ?? tableOf(given);
  };

  const look = async (): Promise<void> => {
    const state = await fileState(path);
    if (state === readState) return;
    try {
      const table = await readTable();
      const isFirstKey = isFirstStart && storedCount === 0;
      storedCount = table.factsEnds.length - given.length;
      ring.replace(table);
      // A first start says itself that it has made a key.
      if (!isFirstKey) log.info({ stored: storedCount }, "the keys were read again");
      readState = state;
      failedState = undefined;
    } catch (error) {
      if (state !== failedState) {
        log.error({ err: error }, "the keys could not be read; those read last stay valid");
      }
      failedState = state;
    }
  };

  const watch = watchFiles(pollIntervalMs, look, (seconds) =>
    log.error({ seconds }, "the key file does not answer; no key can be added or revoked until it does"),
  );
  return {
    ring,
    /** Whether no key was ever given or stored, so that the first one must be made. */
    isFirstStart,
    /** The watch of the key file, whose looks never reject. */
    ...watch,
  };
}
