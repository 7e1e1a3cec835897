import { setTimeout as delay } from "node:timers/promises";
import { folderState, watchFiles } from "../../process/file-watch.ts";
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

/**
 * Keeps the bank data up to date with its folder and with the calendar of Berlin while the service runs.
 *
 * An edition that begins tomorrow is loaded in the last minute of today and put into use at midnight, in each process at
 * the same moment.
 */
export function watchEditions(live: LiveEdition, folder: () => string, now: () => number) {
  /** State of the folder at the last look, and what was tried last. */
  let seen = "";
  let tried = "";
  let isAsked = false;
  /** How many looks are left until a refused edition is tried again, and how many the wait has in all; it doubles. */
  let looksToRetry = 0;
  let retryLooks = initialRetryLooks;
  let reportsAge = false;
  /** Ends the wait of an edition for its day. */
  let wait = new AbortController();

  /** Returns a text that changes with the files and when an edition's day comes. */
  const attempt = (state: string, day: string) => (live.isDue(day) ? `${state} ${day}` : state);

  /** Returns the first day of the next edition, if that begins so soon that the edition is loaded. */
  const nearDay = () => {
    const left = live.next === null ? 0 : berlinMidnight(live.next) - now();
    return left > 0 && left <= preloadMs ? live.next : null;
  };

  /** Resolves when a day has come; with false if the files or the clock have changed, or all must be loaded at once. */
  const hasCome = async (day: string, isStill: () => Promise<boolean>) => {
    const { signal } = wait;
    const due = berlinMidnight(day);
    while (!signal.aborted && nearDay() === day && (await isStill())) {
      const pauseMs = Math.min(due - now(), pollIntervalMs);
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
    return !signal.aborted && due <= now();
  };

  const lookOnce = async () => {
    const state = await folderState(folder());
    const isStable = state === seen;
    seen = state;
    const today = berlinDay(now());
    const isNew = isAsked || (isStable && attempt(state, today) !== tried);
    const next = isNew || looksToRetry > 0 ? null : nearDay();
    if (isNew || (isStable && (next !== null || --looksToRetry === 0))) {
      isAsked = false;
      retryLooks = isNew ? initialRetryLooks : Math.min(2 * retryLooks, maxRetryLooks);
      wait = new AbortController();
      const isStill = async () => (await folderState(folder())) === state;
      const isTaken = await live.load(
        next ?? today,
        isStill,
        next === null ? undefined : () => hasCome(next, isStill),
      );
      looksToRetry = isTaken ? 0 : retryLooks;
      tried = attempt(state, berlinDay(now()));
    }
    if (reportsAge) live.warnOfAge(today);
  };

  const { look, close } = watchFiles(pollIntervalMs, lookOnce, live.warnOfSilence);
  return {
    /**
     * Looks at the folder and the clock once; never rejects.
     *
     * Files count as changed when they are the same at two looks, so that none is read while it is written; what was refused
     * is tried again when something has changed, and otherwise after ten seconds to five minutes.
     */
    look,
    /** Loads the data again at once, whether or not anything has changed. */
    loadAgain: () => {
      isAsked = true;
      wait.abort();
      return look();
    },
    /** Warns of old data from the next look on: a start shows the first API key before. */
    reportAge: () => {
      reportsAge = true;
    },
    close: () => {
      close();
      wait.abort();
    },
  };
}
