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

/** How often the key file is looked at: a key that is revoked is refused within half a second. */
const pollIntervalMs = 450;

/** Keeps a key ring up to date with the key file while the service runs. */
export class KeyWatch {
  readonly ring: KeyRing;
  /** Whether no key was ever given or stored, so that the first one must be made. */
  readonly isFirstStart: boolean;
  readonly #input: KeyThreadInput;
  readonly #log: Logger;
  readonly #watch: FileWatch;
  /** How many keys the file has, and whether there was one. */
  #stored: number;
  /** State of the file that was read last, and of the one that could not be read. */
  #read: string;
  #failed: string | undefined;

  private constructor(
    input: KeyThreadInput,
    stored: readonly KeyEntry[] | undefined,
    state: string,
    log: Logger,
  ) {
    const entries = [...(stored ?? []), ...input.given];
    expectOneNameEach(entries);
    this.ring = new KeyRing(tableOf(entries));
    this.isFirstStart = stored === undefined && entries.length === 0;
    this.#input = input;
    this.#log = log;
    this.#stored = stored?.length ?? 0;
    this.#read = state;
    this.#watch = new FileWatch(
      pollIntervalMs,
      () => this.#lookOnce(),
      (seconds) =>
        log.error({ seconds }, "the key file does not answer; no key can be added or revoked until it does"),
    );
  }

  /**
   * Opens the key ring with `API_KEYS` (`name:key,…`, checked by the settings table) and the stored digests.
   *
   * Rejects with a SettingError if one key belongs to two names, and with a StartError when the key file is damaged or
   * STATE_DIR cannot be used.
   */
  static async open(apiKeys: string, stateDir: string, log: Logger): Promise<KeyWatch> {
    const given = apiKeys === "" ? [] : apiKeys.split(",").map(splitNamedKey);
    const state = await fileState(keyFilePath(stateDir));
    return new KeyWatch({ stateDir, given }, await readKeyFile(stateDir), state, log);
  }

  /**
   * Looks at the file once; never rejects.
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
    const state = await fileState(keyFilePath(this.#input.stateDir));
    if (state === this.#read) return;
    try {
      const table = await this.#readTable();
      const isFirstKey = this.isFirstStart && this.#stored === 0;
      this.#stored = table.expires.length - this.#input.given.length;
      this.ring.replace(table);
      // A first start says itself that it has made a key.
      if (!isFirstKey) this.#log.info({ stored: this.#stored }, "the keys were read again");
      this.#read = state;
      this.#failed = undefined;
    } catch (error) {
      if (state !== this.#failed) {
        this.#log.error({ err: error }, "the keys could not be read; those read last stay valid");
      }
      this.#failed = state;
    }
  }

  async #readTable(): Promise<KeyTable> {
    const path = keyFilePath(this.#input.stateDir);
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    const table = await (size > maxOwnBytes
      ? resultOfThread<KeyTable | undefined>(threadFile, this.#input)
      : readKeyTable(this.#input));
    if (table === undefined && this.#stored > 0) throw new Error(`${path} is gone.`);
    return table ?? tableOf(this.#input.given);
  }
}
