/** 32 random bits at a time (mulberry32). */
function bitsOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Random numbers from 0 up to but not including 1, the same sequence for the same seed. */
export function seededRandom(seed: number): () => number {
  const bits = bitsOf(seed);
  return () => bits() / 4_294_967_296;
}

/** A random whole number from 0 up to but not including `below`. */
export type Random = (below: number) => number;

/** Random whole numbers, the same sequence for the same seed. */
export function randomOf(seed: number): Random {
  const bits = bitsOf(seed);
  return (below) => bits() % below;
}
