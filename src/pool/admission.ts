/** Counts accepted requests against the ceiling: `running` at work plus `waiting` in the queue. */
export class Admission {
  /** The most requests that may be inside at once: pool size plus queue. */
  readonly ceiling: number;
  #inside = 0;

  constructor(running: number, waiting: number) {
    this.ceiling = running + waiting;
  }

  /** How many accepted requests are inside. */
  get inside(): number {
    return this.#inside;
  }

  /** Whether the next request is refused. */
  get full(): boolean {
    return this.#inside >= this.ceiling;
  }

  /** Accepts one request unless the ceiling is reached. */
  enter(): boolean {
    if (this.full) return false;
    this.#inside++;
    return true;
  }

  /** Notes that an accepted request has left. */
  leave(): void {
    this.#inside--;
  }
}
