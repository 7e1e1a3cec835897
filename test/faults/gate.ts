import { setTimeout as delay } from "node:timers/promises";
import { setEnvironmentData } from "node:worker_threads";
import { markers } from "./markers.ts";

/** Which word says whether the gate is open, how many tasks have reached it, and whether a marker was met. */
const wordOf = { isOpen: 0, reached: 1, met: 2 } as const;

/** A gate at which worker threads stop dead until the test opens it: a task of any length, without a clock. */
export class Gate {
  readonly #words: Int32Array<SharedArrayBuffer>;

  private constructor(words: Int32Array<SharedArrayBuffer>) {
    this.#words = words;
  }

  /** Makes a shut gate for all threads of `marked-thread.js` that are started from now on. */
  static make(): Gate {
    const words = new Int32Array(new SharedArrayBuffer(12));
    setEnvironmentData("bankcheck.test.gate", { words, wordOf, markers } as unknown as string);
    return new Gate(words);
  }

  /** How many tasks in all have reached the gate. */
  get reached(): number {
    return Atomics.load(this.#words, wordOf.reached);
  }

  /** Resolves when `count` tasks in all have reached the gate. */
  async reachedBy(count: number): Promise<void> {
    await until(() => this.reached >= count);
  }

  /** Lets all callers through from now on. */
  open(): void {
    Atomics.store(this.#words, wordOf.isOpen, 1);
    Atomics.notify(this.#words, wordOf.isOpen);
  }

  /** Lets through those who wait at the gate now; later ones still stop. */
  letThrough(): void {
    Atomics.notify(this.#words, wordOf.isOpen);
  }

  /** Stops all callers again. */
  shut(): void {
    Atomics.store(this.#words, wordOf.isOpen, 0);
    Atomics.store(this.#words, wordOf.met, 0);
  }
}

/**
 * Polls until a condition without an event of its own is true; throws after `limitMs`. The longer it has waited, the
 * less often it asks, since asking may take a request.
 */
export async function until(holds: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
  const start = performance.now();
  while (!(await holds())) {
    const waited = performance.now() - start;
    if (waited > limitMs) throw new Error("what was waited for has not come true");
    await delay(Math.min(Math.max(5, waited / 20), 200));
  }
}
