import table from "../../data/de-check-methods.json" with { type: "json" };
import { naiveVerdict } from "../banking/germany/naive-check.ts";
import { type Random, randomOf } from "../support/random.ts";
import type { Vectors } from "./read.ts";

/** Bank codes whose digits take part in the methods that ask for them. */
const bankCodeOf: Readonly<Record<string, string>> = {
  "52": "13051172",
  "53": "16052072",
  B6: "80053782",
  C0: "13051052",
};

const wantedOfEach = 4;

/** A random account number of some digits, the first of which is not 0. */
export const accountOf = (length: number, random: Random) =>
  Array.from({ length }, (_, at) => (at === 0 ? 1 + random(9) : random(10))).join("");

/**
 * For every check-digit method, account numbers of all lengths that fit it and that do not, as many as there are of a
 * kind: methods without check digits refuse none. The verdict is the slow reading's, which shares no code with the product.
 */
export function accountNumbers(): Vectors["de-methods.ndjson"][] {
  const random = randomOf(144);
  const assigned = Object.entries(table.methods).filter(([, line]) => line !== "unassigned");
  return assigned.flatMap(([method]) => {
    const blz = bankCodeOf[method];
    const found: Record<"right" | "wrong", Vectors["de-methods.ndjson"][]> = { right: [], wrong: [] };
    for (let tries = 0; tries < 3_000; tries++) {
      if (found.right.length === wantedOfEach && found.wrong.length === wantedOfEach) break;
      const account = accountOf(10 - (tries % 4), random);
      const valid = naiveVerdict(method, account, blz ?? "00000000") !== "invalid";
      const kind = found[valid ? "right" : "wrong"];
      if (kind.length < wantedOfEach) kind.push({ method, account, ...(blz && { blz }), valid });
    }
    return [...found.right, ...found.wrong];
  });
}
