import type { Logger } from "pino";
import { absent, FileWatch, fileState } from "../process/file-watch.ts";
import { inSlices } from "../process/in-slices.ts";
import { keyFilePath, readKeyFile, type StoredKey } from "./key-file.ts";
import type { KeyEntry } from "./key-ring.ts";
import { keyEntries, type OpenedKeys } from "./open-keys.ts";

/** How often the key file is looked at: a key that is revoked or expires is refused within half a second. */
const pollIntervalMs = 450;

/** Keeps a key ring up to date with the key file and the clock while the service runs. */
export class KeyWatch {
  readonly #keys: OpenedKeys;
  readonly #stateDir: string;
  readonly #log: Logger;
  readonly #watch: FileWatch;
  #stored: readonly StoredKey[];
  /** All keys, those that have expired too, and when the next one does. */
  #entries: readonly KeyEntry[] = [];
  #nextEnd = 0;
  /** Time of the last look; the clock may be set back. */
  #lookedAt = 0;
  /** State of the file that was read last, and of the one that could not be read. */
  #read: string | undefined;
  #failed: string | undefined;

  constructor(keys: OpenedKeys, stateDir: string, log: Logger) {
    this.#keys = keys;
    this.#stored = keys.stored;
    this.#stateDir = stateDir;
    this.#log = log;
    this.#watch = new FileWatch(pollIntervalMs, () => this.#lookOnce());
  }

  /**
   * Looks at the file and the clock once; never rejects.
   *
   * A file that is gone or damaged is told in the log once and tried again at every look; until it is mended the keys
   * read last stay valid, since a slip of an editor must not lock every client out.
   */
  look(): Promise<void> {
    return this.#watch.look();
  }

  /** Ends the watch. */
  close(): void {
    this.#watch.close();
  }

  async #lookOnce(): Promise<void> {
    const state = await fileState(keyFilePath(this.#stateDir));
    const isNew = state !== this.#read && (await this.#readAgain(state));
    if (isNew) this.#entries = await keyEntries(this.#stored, this.#keys.given);
    const now = Date.now();
    if (isNew || now >= this.#nextEnd || now < this.#lookedAt) await this.#replace(now);
    this.#lookedAt = now;
  }

  /** Only a change of the file or the end of a key is worth going through all keys. */
  async #replace(now: number): Promise<void> {
    const valid: KeyEntry[] = [];
    let nextEnd = Number.POSITIVE_INFINITY;
    await inSlices(this.#entries, (entry) => {
      if (entry.expires <= now) return;
      valid.push(entry);
      nextEnd = Math.min(nextEnd, entry.expires);
    });
    await this.#keys.ring.replace(valid);
    this.#nextEnd = nextEnd;
  }

  async #readAgain(state: string): Promise<boolean> {
    try {
      const stored = await readKeyFile(this.#stateDir);
      const isGone = stored === undefined && (this.#read ?? absent) !== absent;
      if (isGone) throw new Error(`${keyFilePath(this.#stateDir)} is gone.`);
      if (this.#read !== undefined) this.#log.info({ stored: stored?.length }, "the keys were read again");
      this.#stored = stored ?? [];
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
}
