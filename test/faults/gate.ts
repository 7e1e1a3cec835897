import { setTimeout as delay } from "node:timers/promises";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";

const name = "bankcheck.test.gate";
const isOpen = 0;
const reached = 1;
const met = 2;

/** A gate at which worker threads stop dead until the test opens it: a task of any length, without a clock. */
export class Gate {
  readonly #words: Int32Array<SharedArrayBuffer>;

  private constructor(words: Int32Array<SharedArrayBuffer>) {
    this.#words = words;
  }

  /** Makes a shut gate for all worker threads that are started from now on. */
  static make(): Gate {
    const words = new Int32Array(new SharedArrayBuffer(12));
    setEnvironmentData(name, words);
    return new Gate(words);
  }

  /** The gate this worker thread was started with. */
  static ofThread(): Gate {
    return new Gate(getEnvironmentData(name) as unknown as Int32Array<SharedArrayBuffer>);
  }

  /** Blocks the calling worker thread until the gate is open. */
  pass(): void {
    Atomics.add(this.#words, reached, 1);
    Atomics.wait(this.#words, isOpen, 0);
  }

  /** Resolves when `count` tasks in all have reached the gate. */
  async reachedBy(count: number): Promise<void> {
    await until(() => Atomics.load(this.#words, reached) >= count);
  }

  /** Lets everybody through from now on. */
  open(): void {
    Atomics.store(this.#words, isOpen, 1);
    Atomics.notify(this.#words, isOpen);
  }

  /** Stops everybody again. */
  shut(): void {
    Atomics.store(this.#words, isOpen, 0);
    Atomics.store(this.#words, met, 0);
  }

  /** Whether no thread has called this since the gate was shut. */
  isFirst(): boolean {
    return Atomics.exchange(this.#words, met, 1) === 0;
  }
}

/** Polls until a condition without an event of its own is true; throws after `limitMs`. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("what was waited for has not come true");
    await delay(5);
  }
}
