import { berlinDay } from "./berlin-day.ts";
import { folderState } from "./folder-state.ts";
import type { LiveEdition } from "./live-edition.ts";

/**
 * How often folder and clock are looked at, in milliseconds. Looking is cheap, works on every kind of file system, and
 * cannot be put out of step by a change of the clock or by summer time as a timer until midnight could.
 */
const lookEvery = 500;

/** Keeps the bank data up to date with its folder and with the calendar of Berlin while the service runs. */
export class EditionWatch {
  readonly #live: LiveEdition;
  readonly #folder: () => string;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  /** State of the folder at the last look, and what was tried last. */
  #seen = "";
  #tried = "";
  #isAsked = false;
  #looking = false;

  /** @param folder gives the data folder of the moment. */
  constructor(live: LiveEdition, folder: () => string, now: () => number) {
    this.#live = live;
    this.#folder = folder;
    this.#now = now;
    this.#timer = setInterval(() => void this.look(), lookEvery);
    this.#timer.unref();
  }

  /**
   * Looks at the folder and the clock once; never rejects.
   *
   * Files count as changed when they are the same at two looks, so that none is read while it is written; what was tried
   * without success is tried again only when something has changed.
   */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const state = await folderState(this.#folder());
    const day = berlinDay(this.#now());
    const isStable = state === this.#seen;
    this.#seen = state;
    if (this.#isAsked || (isStable && this.#attempt(state, day) !== this.#tried)) {
      this.#isAsked = false;
      await this.#live.load(day, async () => (await folderState(this.#folder())) === state);
      this.#tried = this.#attempt(state, day);
    }
    this.#live.warnPastEnd(day);
    this.#looking = false;
  }

  /** Loads the data anew at once, whether or not anything has changed. */
  loadAgain(): Promise<void> {
    this.#isAsked = true;
    return this.look();
  }

  /** Ends the watch. */
  close(): void {
    clearInterval(this.#timer);
  }

  /** A text that changes with the files and when an edition's day comes. */
  #attempt(state: string, day: string): string {
    return this.#live.isDue(day) ? `${state} ${day}` : state;
  }
}
