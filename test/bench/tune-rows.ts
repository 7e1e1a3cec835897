import type { Figures } from "../../bench/figures.ts";
import { kinds, type LoadKind, loadTitles } from "../../bench/load/loads.ts";
import type { TuneRow } from "../../bench/tune/sweep.ts";

/** What a value did in the rounds of each load. */
export function tuneRows(
  value: number,
  levels: readonly number[],
  roundsOf: (kind: LoadKind, level: number) => Figures[],
): TuneRow[] {
  return kinds.flatMap((kind) =>
    levels.map((level) => {
      const title = `${loadTitles[kind]}, ${level} of the capacity`;
      const load = { title, kind, level, send: () => Promise.reject(new Error("a test")) };
      return { load, server: value, rounds: roundsOf(kind, level) };
    }),
  );
}
