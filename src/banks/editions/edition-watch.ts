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
const noRetry = Number.POSITIVE_INFINITY;
/** How long before its day an edition is loaded, so that it is in use the moment that begins. */
const preloadMs = 60_000;

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
  #looksToRetry = noRetry;
  #retryLooks = initialRetryLooks;
  #reportsAge = false;
  /** Ends the wait of an edition for its day. */
  #wait = new AbortController();

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
    this.#wait.abort();
    return this.look();
  }

  /** Warns of old data from the next look on: a start shows the first API key before. */
  reportAge(): void {
    this.#reportsAge = true;
  }

  close(): void {
    this.#watch.close();
    this.#wait.abort();
  }

  async #lookOnce(): Promise<void> {
    const state = await folderState(this.#folder());
    const isStable = state === this.#seen;
    this.#seen = state;
    const today = berlinDay(this.#now());
    const isNew = this.#isAsked || (isStable && this.#attempt(state, today) !== this.#tried);
    const next = isNew || this.#looksToRetry !== noRetry ? null : this.#nearDay;
    if (isNew || (isStable && (next !== null || --this.#looksToRetry === 0))) {
      this.#isAsked = false;
      this.#retryLooks = isNew ? initialRetryLooks : Math.min(2 * this.#retryLooks, maxRetryLooks);
      this.#wait = new AbortController();
      const isStill = async () => (await folderState(this.#folder())) === state;
      const isTaken =
        next === null
          ? await this.#live.load(today, isStill)
          : await this.#live.load(next, isStill, () => this.#hasCome(next, isStill));
      this.#looksToRetry = isTaken ? noRetry : this.#retryLooks;
      this.#tried = this.#attempt(state, berlinDay(this.#now()));
    }
    if (this.#reportsAge) this.#live.warnOfAge(today);
  }

  /** A text that changes with the files and when an edition's day comes. */
  #attempt(state: string, day: string): string {
    return this.#live.isDue(day) ? `${state} ${day}` : state;
  }

  /** The first day of the next edition, if that begins so soon that the edition is loaded. */
  get #nearDay(): string | null {
    const { next } = this.#live;
    const left = next === null ? 0 : berlinMidnight(next) - this.#now();
    return left > 0 && left <= preloadMs ? next : null;
  }

  /** Resolves when a day has come; with false if the files or the clock have changed, or all must be loaded at once. */
  async #hasCome(day: string, isStill: () => Promise<boolean>): Promise<boolean> {
    const { signal } = this.#wait;
    const due = berlinMidnight(day);
    while (!signal.aborted && this.#nearDay === day && (await isStill())) {
      const pauseMs = Math.min(due - this.#now(), pollIntervalMs);
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
    return !signal.aborted && due <= this.#now();
  }
}
