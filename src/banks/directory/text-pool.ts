import type { ByteArena } from "./byte-arena.ts";

/** Puts texts into an arena, each once, in the form the directory's text references lead to. */
export class TextPool {
  readonly #arena: ByteArena;
  readonly #arenaOffset: number;
  #empty = 0;
  readonly #references = new Map<string, number>();

  /** @param arenaOffset where in the directory the arena's first byte will stand; above 0. */
  constructor(arena: ByteArena, arenaOffset: number) {
    this.#arena = arena;
    this.#arenaOffset = arenaOffset;
  }

  /** Returns the reference of a text, which is added when it is new; 0 for null. */
  reference(text: string | null): number {
    if (text === null) return 0;
    // Half of all texts are empty: they need no look-up.
    if (text === "" && this.#empty > 0) return this.#empty;
    const known = this.#references.get(text);
    if (known !== undefined) return known;
    const reference = this.#arenaOffset + this.#arena.length;
    this.#arena.appendWithLength(text);
    this.#references.set(text, reference);
    if (text === "") this.#empty = reference;
    return reference;
  }
}
