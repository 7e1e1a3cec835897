import { areaOf, editionRoom, type SharedMemory } from "./shared-memory.ts";

/**
 * The two areas of the shared memory that editions of the bank data take in turn.
 *
 * Editions are numbered from 1 on. Every request belongs to the one that was in use when it was accepted, and an area is
 * written to only when no request belongs to what stands there.
 */
export class EditionAreas {
  readonly #shared: SharedMemory;
  /** By area: how many requests belong to the edition there, and what it is called. */
  readonly #inside = new Int32Array(2);
  readonly #names: [string, string] = ["", ""];
  #current = 0;
  #replacing = false;
  #whenFree: (() => void) | undefined;

  constructor(shared: SharedMemory) {
    this.#shared = shared;
  }

  /** Number of the edition in use; 0 where there has been none yet. */
  get current(): number {
    return this.#current;
  }

  /** What the edition of a number is called; only for one that a request belongs to or that is in use. */
  nameOf(edition: number): string {
    return this.#names[edition & 1]!;
  }

  /** Notes a request and returns the number of its edition. */
  enter(): number {
    this.#inside[this.#current & 1]!++;
    return this.#current;
  }

  /** Notes that a request of an edition has left. */
  leave(edition: number): void {
    const area = edition & 1;
    if (--this.#inside[area]! === 0 && area !== (this.#current & 1)) this.#whenFree?.();
  }

  /**
   * Puts another edition into use: `write` fills its room and gives its name.
   *
   * Waits until nothing belongs to what stood there. When `write` fails, the edition in use stays; rejects with its
   * error. One at a time.
   */
  async replace(write: (room: Uint8Array) => Promise<string>): Promise<void> {
    if (this.#replacing) throw new Error("an edition is being replaced already");
    this.#replacing = true;
    try {
      const next = this.#current + 1;
      await this.#free(next & 1);
      const room = new Uint8Array(this.#shared.slots.buffer, areaOf(this.#shared, next), editionRoom);
      this.#names[next & 1] = await write(room);
      this.#current = next;
    } finally {
      this.#replacing = false;
    }
  }

  async #free(area: number): Promise<void> {
    if (this.#inside[area] === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenFree = resolve;
    });
    this.#whenFree = undefined;
  }
}
