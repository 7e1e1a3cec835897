import { type FigureName, type Figures, figureHeads, type LoadFigures, shownFigure } from "./figures.ts";

/** A bound that a load missed. */
export interface Missed {
  readonly load: LoadFigures;
  readonly sentence: string;
}

/**
 * The bounds that some loads missed; `boundsOf` returns the highest figures allowed to a load. A figure that is not a number
 * misses every bound, as the p99 does where nothing was answered; one that the load does not have misses none.
 */
export function missedBounds(
  loads: readonly LoadFigures[],
  boundsOf: (load: LoadFigures) => Figures,
): readonly Missed[] {
  return loads.flatMap((load) =>
    (Object.entries(boundsOf(load)) as [FigureName, number][]).flatMap(([name, bound]) => {
      const value = load[name];
      if (value === undefined || value <= bound) return [];
      const where = [load.load, load.server].filter(Boolean).join(", ");
      const text = `${where}: ${figureHeads[name]} is ${shownFigure(name, value)}, at most ${shownFigure(name, bound)}`;
      return [{ load, sentence: `${text} is allowed.` }];
    }),
  );
}
