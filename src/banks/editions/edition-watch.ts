import { FileWatch, folderState } from "../../process/file-watch.ts";
import { berlinDay } from "./berlin-day.ts";
import type { LiveEdition } from "./live-edition.ts";

/** How often folder and clock are looked at. */
const pollIntervalMs = 500;

/** Keeps the bank data up to date with its folder and with the calendar of Berlin while the service runs. */
export class EditionWatch {
  readonly #live: LiveEdition;
  readonly #folder: () => string;
  readonly #now: () => number;
  readonly #watch: FileWatch;
  /** State of the folder at the last look, and what was tried last. */
  #seen = "";
  #tried = "";
  #isAsked = false;

  /** @param folder gives the data folder of the moment. */
  constructor(live: LiveEdition, folder: () => string, now: () => number) {
    this.#live = live;
    this.#folder = folder;
    this.#now = now;
    this.#watch = new FileWatch(pollIntervalMs, () => this.#lookOnce());
  }

  /**
   * Looks at the folder and the clock once; never rejects.
   *
   * Files count as changed when they are the same at two looks, so that none is read while it is written; what was tried
   * without success is tried again only when something has changed.
   */
  look(): Promise<void> {
    return this.#watch.look();
  }

  /** Loads the data anew at once, whether or not anything has changed. */
  loadAgain(): Promise<void> {
    this.#isAsked = true;
    return this.look();
  }

  /** Ends the watch. */
  close(): void {
    this.#watch.close();
  }

  async #lookOnce(): Promise<void> {
    const state = await folderState(this.#folder());
    const day = berlinDay(this.#now());
    const isStable = state === this.#seen;
    this.#seen = state;
    if (this.#isAsked || (isStable && this.#attempt(state, day) !== this.#tried)) {
      this.#isAsked = false;
      await this.#live.load(day, async () => (await folderState(this.#folder())) === state);
      this.#tried = this.#attempt(state, day);
    }
    this.#live.warnOfAge(day);
  }

  /** A text that changes with the files and when an edition's day comes. */
  #attempt(state: string, day: string): string {
    return this.#live.isDue(day) ? `${state} ${day}` : state;
  }
}
