import { setTimeout as delay } from "node:timers/promises";
import { FileWatch, folderState } from "../../process/file-watch.ts";
import { berlinDay, berlinMidnight } from "./days.ts";
import type { LiveEdition } from "./live-edition.ts";

/**
 * How often folder and clock are looked at, since the clock may be set. A look takes 0.4 ms of processor time, wakes the
 * main thread 3 to 4 times and the threads that read files once for each file.
 */
const pollIntervalMs = 1_000;
/**
 * Looks after which refused data is tried again although its files are the same, doubled each time: a drive may be back,
 * or the machine less busy.
 */
const initialRetryLooks = 10;
const maxRetryLooks = 300;
/** How long before its day an edition is loaded, so that it is in use the moment that begins. */
const preloadMs = 60_000;

/** An edition that is loaded before its day. */
interface PreloadedEdition {
  readonly state: string;
  readonly day: string;
  readonly abort: AbortController;
  readonly done: Promise<boolean>;
}

/**
 * Keeps the bank data up to date with its folder and with the calendar of Berlin while the service runs.
 *
 * An edition that begins tomorrow is loaded in the last minute of today and put into use at midnight, in each process at
 * the same moment.
 */
export class EditionWatch {
  readonly #live: LiveEdition;
  readonly #folder: () => string;
  readonly #now: () => number;
  readonly #watch: FileWatch;
  /** State of the folder at the last look, and what was tried last. */
  #seen = "";
  #tried = "";
  #isAsked = false;
  /** Looks until the next try after a refusal, and how many that were at first. */
  #looksToRetry = Number.POSITIVE_INFINITY;
  #retryLooks = initialRetryLooks;
  #reportsAge = false;
  #preloaded: PreloadedEdition | undefined;

  /** @param folder returns the current data folder. */
  constructor(live: LiveEdition, folder: () => string, now: () => number) {
    this.#live = live;
    this.#folder = folder;
    this.#now = now;
    this.#watch = new FileWatch(
      pollIntervalMs,
      () => this.#lookOnce(),
      (seconds) => live.warnOfSilence(seconds),
    );
  }

  /**
   * Looks at the folder and the clock once; never rejects.
   *
   * Files count as changed when they are the same at two looks, so that none is read while it is written; what was refused
   * is tried again when something has changed, and otherwise after ten seconds to five minutes.
   */
  look(): Promise<void> {
    return this.#watch.look();
  }

  /** Loads the data again at once, whether or not anything has changed. */
  loadAgain(): Promise<void> {
    this.#isAsked = true;
    return this.look();
  }

  /** Warns of old data from the next look on: a start shows the first API key before. */
  reportAge(): void {
    this.#reportsAge = true;
  }

  /** Ends the watch. */
  close(): void {
    this.#watch.close();
    this.#preloaded?.abort.abort();
  }

  async #lookOnce(): Promise<void> {
    const state = await folderState(this.#folder());
    const isStable = state === this.#seen;
    this.#seen = state;
    await this.#endPreload(state);
    const day = berlinDay(this.#now());
    const isNew = this.#isAsked || (isStable && this.#attempt(state, day) !== this.#tried);
    if (isNew || (isStable && --this.#looksToRetry === 0)) {
      this.#isAsked = false;
      this.#retryLooks = isNew ? initialRetryLooks : Math.min(2 * this.#retryLooks, maxRetryLooks);
      const isRefused = !(await this.#live.load(day, this.#isStill(state)));
      this.#looksToRetry = isRefused ? this.#retryLooks : Number.POSITIVE_INFINITY;
      this.#tried = this.#attempt(state, day);
    } else if (isStable) this.#preload(state);
    if (this.#reportsAge) this.#live.warnOfAge(day);
  }

  /** A text that changes with the files and when an edition's day comes. */
  #attempt(state: string, day: string): string {
    return this.#live.isDue(day) ? `${state} ${day}` : state;
  }

  #isStill(state: string): () => Promise<boolean> {
    return async () => (await folderState(this.#folder())) === state;
  }

  /** Loads the next edition where its day begins in a moment. */
  #preload(state: string): void {
    const { next } = this.#live;
    if (next === undefined || this.#preloaded !== undefined) return;
    const due = berlinMidnight(next);
    const left = due - this.#now();
    if (left <= 0 || left > preloadMs) return;
    const abort = new AbortController();
    const done = this.#live.load(next, this.#isStill(state), () => this.#hasCome(due, abort.signal));
    this.#preloaded = { state, day: next, abort, done };
  }

  /** Ends the wait of an edition when its day has come, the files have changed, or all must be loaded at once. */
  async #endPreload(state: string): Promise<void> {
    if (this.#preloaded === undefined) return;
    const isCurrent = this.#preloaded.state === state && !this.#isAsked;
    if (isCurrent && berlinDay(this.#now()) < this.#preloaded.day) return;
    if (!isCurrent) this.#preloaded.abort.abort();
    await this.#preloaded.done;
    this.#preloaded = undefined;
  }

  /** Resolves with true when the time has come, and with false if the wait was ended. */
  async #hasCome(due: number, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      const left = due - this.#now();
      if (left <= 0) return true;
      await delay(Math.min(left, pollIntervalMs), undefined, { signal, ref: false }).catch(() => {});
    }
    return false;
  }
}
