/** A cycle that wakes three threads, in milliseconds, rounded up: the main thread waits for no worker any longer. */
export const wakeUpMs = 0.1;

/** Time saved by a spin that finds a task, in milliseconds: two of the three threads need not be woken. */
const sparedMs = 0.04;

/** Tasks that come at a time share a wake-up: of more, a spin spares too little for each. */
const maxBatchSize = 2;

/**
 * The credit of a trial in milliseconds, and the most that there is: ten ticks of Linux, which moves a client on the same
 * machine out of the way of the worker that spins after some of them.
 */
const trialMs = 40;

/** Idle times from the end of the credit to the next trial: at 10,000 tasks/s trials take 2 % of a worker's time. */
const cooldown = 16_384;

/**
 * Whether a worker that has nothing to do spins for a moment before it sleeps.
 *
 * To a client that sends one request after the other, two wake-ups are most of what a check costs; a worker that spins
 * spares them. It does so only where one or two requests come at a time, and only as long as that pays: each task found is
 * credited with what it spares, each spin is charged with the time it takes, also where another process had the processor
 * meanwhile. Once the credit is used up the worker sleeps until the next trial.
 *
 * Measured with one connection (`npm run bench -- --connections 1`) on a quiet machine of two cores with Node 20: a
 * request wakes three threads, one after the other, each on a processor that sleeps, which takes 20 µs. Such a cycle takes
 * 90 µs, and 26 while the worker spins. Without `spin` of the queues waking the main thread there were 9,100 answers/s in
 * place of 24,800; a fixed spin of 50 µs lost 55 % beside busy processes.
 */
export class AdaptiveSpin {
  #creditMs = trialMs;
  #idleTimes = 0;

  /** Returns how long to spin after a round of `taken` tasks, in milliseconds; 0 if the worker should sleep. */
  spinMs(taken: number): number {
    if (this.#creditMs === 0 && ++this.#idleTimes === cooldown) {
      this.#creditMs = trialMs;
      this.#idleTimes = 0;
    }
    return taken <= maxBatchSize ? this.#creditMs : 0;
  }

  spun(hasFound: boolean, tookMs: number): void {
    const credit = this.#creditMs + (hasFound ? sparedMs : 0) - tookMs;
    this.#creditMs = Math.min(Math.max(credit, 0), trialMs);
  }
}
