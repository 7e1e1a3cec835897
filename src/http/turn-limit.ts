/** Returns what says whether something may happen once more in this turn of the event loop, and counts it. */
export function turnLimit(perTurn: number): () => boolean {
  let taken = 0;
  return () => {
    if (taken === 0) {
      setImmediate(() => {
        taken = 0;
      });
    }
    taken++;
    return taken <= perTurn;
  };
}
