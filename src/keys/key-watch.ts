import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { resultOfThread } from "../process/calls.ts";
import { FileWatch, fileState } from "../process/file-watch.ts";
import { SettingError } from "../settings.ts";
import { keyFilePath, readKeyFile } from "./key-file.ts";
import { KeyRing } from "./key-ring.ts";
import { digestOfKey, type KeyEntry, type KeyTable, tableOf } from "./key-table.ts";

/** The keys a service begins with. */
export interface OpenedKeys {
  readonly ring: KeyRing;
  /** All of them, those that have expired too. */
  readonly table: KeyTable;
  /** The keys of the environment, besides those stored. */
  readonly given: readonly KeyEntry[];
  /** Whether no key was ever given or stored, so that the first one must be made. */
  readonly isFirstStart: boolean;
}

/**
 * Opens the key ring from `API_KEYS` (`name:key,…`, checked by the settings table) and the stored digests.
 *
 * Rejects with a SettingError if one key belongs to two names, and with a StartError when the key file is damaged or
 * STATE_DIR cannot be used.
 */
export async function openKeys(apiKeys: string, stateDir: string, now: Date): Promise<OpenedKeys> {
  const given = apiKeys === "" ? [] : apiKeys.split(",").map(splitNamedKey);
  const stored = await readKeyFile(stateDir);
  const entries = [...(stored ?? []), ...given];
  expectOneNameEach(entries);
  const table = tableOf(entries);
  const ring = new KeyRing(table, now.getTime());
  return { ring, table, given, isFirstStart: stored === undefined && given.length === 0 };
}

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

function splitNamedKey(pair: string): KeyEntry {
  const colon = pair.indexOf(":");
  return { name: pair.slice(0, colon), sha256: digestOfKey(pair.slice(colon + 1)).toString("hex") };
}

/** Worker data of the thread that reads a long key file. */
export interface KeyThreadInput {
  readonly stateDir: string;
  /** The keys of the environment. */
  readonly given: readonly KeyEntry[];
}

/** Reads the key file into a table; undefined if there is no file. A long one holds its thread up. */
export async function readKeyTable({ stateDir, given }: KeyThreadInput): Promise<KeyTable | undefined> {
  const stored = await readKeyFile(stateDir);
  return stored && tableOf([...stored, ...given]);
}

/** A longer key file, of a few hundred keys, is read in a separate thread: this one takes a millisecond or two. */
const maxOwnBytes = 65_536;
const threadFile = fileURLToPath(new URL(`key-thread${extname(import.meta.url)}`, import.meta.url));

/** How often the key file is looked at: a key that is revoked or expires is refused within half a second. */
const pollIntervalMs = 450;

/** Keeps a key ring up to date with the key file and the clock while the service runs. */
export class KeyWatch {
  readonly #keys: OpenedKeys;
  readonly #stateDir: string;
  readonly #log: Logger;
  readonly #watch: FileWatch;
  /** All keys, those that have expired too, and when the next one does. */
  #table: KeyTable;
  #nextEnd = 0;
  /** Time of the last look; the clock may be set back. */
  #lookedAt = 0;
  /** State of the file that was read last, and of the one that could not be read. */
  #read: string | undefined;
  #failed: string | undefined;

  constructor(keys: OpenedKeys, stateDir: string, log: Logger) {
    this.#keys = keys;
    this.#table = keys.table;
    this.#stateDir = stateDir;
    this.#log = log;
    this.#watch = new FileWatch(
      pollIntervalMs,
      () => this.#lookOnce(),
      (seconds) =>
        log.error({ seconds }, "the key file does not answer; no key can be added or revoked until it does"),
    );
  }

  /**
   * Looks at the file and the clock once; never rejects.
   *
   * A file that is gone or damaged is reported once and tried again at every look; until it is mended the keys
   * read last stay valid, since a slip of an editor must not lock every client out.
   */
  look(): Promise<void> {
    return this.#watch.look();
  }

  close(): void {
    this.#watch.close();
  }

  async #lookOnce(): Promise<void> {
    const state = await fileState(keyFilePath(this.#stateDir));
    const isNew = state !== this.#read && (await this.#readAgain(state));
    const now = Date.now();
    // Only a change of the file or the end of a key is worth going through all keys.
    if (isNew || now >= this.#nextEnd || now < this.#lookedAt) {
      this.#nextEnd = this.#table.expires.reduce(
        (next, expires) => (expires > now && expires < next ? expires : next),
        Number.POSITIVE_INFINITY,
      );
      this.#keys.ring.replace(this.#table, now);
    }
    this.#lookedAt = now;
  }

  get #stored(): number {
    return this.#table.expires.length - this.#keys.given.length;
  }

  async #readAgain(state: string): Promise<boolean> {
    try {
      const table = await this.#readFile();
      if (table === undefined && this.#stored > 0) throw new Error(`${keyFilePath(this.#stateDir)} is gone.`);
      this.#table = table ?? tableOf(this.#keys.given);
      if (this.#read !== undefined) this.#log.info({ stored: this.#stored }, "the keys were read again");
      this.#read = state;
      this.#failed = undefined;
      return true;
    } catch (error) {
      if (state !== this.#failed) {
        this.#log.error({ err: error }, "the keys could not be read; those read last stay valid");
      }
      this.#failed = state;
      return false;
    }
  }

  /** Returns all keys, those of the environment too; undefined if there is no file. */
  async #readFile(): Promise<KeyTable | undefined> {
    const input: KeyThreadInput = { stateDir: this.#stateDir, given: this.#keys.given };
    const { size } = await stat(keyFilePath(this.#stateDir)).catch(() => ({ size: 0 }));
    return size > maxOwnBytes ? resultOfThread(threadFile, input) : readKeyTable(input);
  }
}
