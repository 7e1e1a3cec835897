import { retryAfterSeconds } from "../contract/limits.ts";
import { now as clock } from "./clock.ts";

/**
 * Crashes in a row that open the breaker, and answers that make up for one of them, so that crashes as rare as that never
 * open it. A thread takes some 30 ms to start: eight of them, a quarter of a second of one worker.
 */
const crashesToOpen = 8;

/**
 * Time until an open breaker lets one trial through, in milliseconds: clients that were refused come again after it, and
 * to start a thread anew takes a fiftieth of it.
 */
export const pauseMs = retryAfterSeconds * 1_000;

/**
 * Stops a kind of task that keeps killing its workers from taking the others down with it.
 *
 * About eight crashes in a row open the breaker of that kind: its requests fail at once, without a worker. Every two
 * seconds one of them is tried; when it is answered the breaker closes.
 */
export function crashBreaker(now = clock) {
  /** By kind: crashes that no answers have made up for, and when the next trial may be made while it is open. */
  const kinds = new Map<number, { crashes: number; trialAt: number }>();
  return {
    /** Whether a task of this kind may go to a worker; while open, true for the one trial that is due. */
    allows: (kind: number) => {
      const state = kinds.get(kind);
      if (state === undefined || state.crashes < crashesToOpen) return true;
      const time = now();
      if (time < state.trialAt) return false;
      // Until its outcome is known there is no other trial; should it get lost, another one follows after the same pause.
      state.trialAt = time + pauseMs;
      return true;
    },

    crashed: (kind: number) => {
      const crashes = 1 + (kinds.get(kind)?.crashes ?? 0);
      kinds.set(kind, { crashes, trialAt: now() + pauseMs });
    },

    returned: (kind: number) => {
      const state = kinds.get(kind);
      if (state === undefined) return;
      if (state.crashes < crashesToOpen) state.crashes -= 1 / crashesToOpen;
      else state.crashes = 0;
      if (state.crashes === 0) kinds.delete(kind);
    },

    /** How many kinds fail without a worker now; not those whose next request is the trial. */
    get open() {
      const time = now();
      const states = [...kinds.values()];
      return states.filter(({ crashes, trialAt }) => crashes >= crashesToOpen && time < trialAt).length;
    },
  };
}
