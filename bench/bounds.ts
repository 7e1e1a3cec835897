import { type FigureName, type Figures, figureHeads, type LoadFigures, shownFigure } from "./figures.ts";

/**
 * The bounds that a load missed, in a sentence each; `bounds` are the highest figures allowed. A figure that is not a number
 * misses every bound, as the p99 does where nothing was answered; one that the load does not have misses none.
 */
export function missedBounds(load: LoadFigures, bounds: Figures): readonly string[] {
  return (Object.entries(bounds) as [FigureName, number][]).flatMap(([name, bound]) => {
    const value = load[name];
    if (value === undefined || value <= bound) return [];
    const where = [load.load, load.server].filter(Boolean).join(", ");
    const text = `${where}: ${figureHeads[name]} is ${shownFigure(name, value)}, at most ${shownFigure(name, bound)}`;
    return [`${text} is allowed.`];
  });
}
