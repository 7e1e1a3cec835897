import table from "../../../../data/de-check-methods.json" with { type: "json" };
import type { AccountVerdict, GermanAccount } from "../account.ts";
import { checkAlgorithm24 } from "./algorithm-24.ts";
import { checkAlgorithm87 } from "./algorithm-87.ts";
import { allowedBy, type DigitSumCheck, tabulate } from "./digit-sum.ts";
import { checkEser8, checkEser9 } from "./eser.ts";
import type { AlgorithmName } from "./notation.ts";
import { luhnSum } from "./sum-rules.ts";

/** An algorithm that goes digit by digit and has no table form. */
interface StepwiseCheck {
  readonly check: (account: GermanAccount) => AccountVerdict;
  /** Position 1-10 of the check digit. */
  readonly checkPosition: number;
}

const { m10h, algC6, algE1, b9a, b9b } = table.algorithms;
const LAST = 10;

/** Weight of a position where the list runs from right to left, beginning at digit 9; 0 left of the list. */
function weightAt(weights: readonly number[], position: number): number {
  return position === LAST ? 0 : (weights[LAST - 1 - position] ?? 0);
}

function complementOfTen(sum: number): number {
  return allowedBy((10 - (sum % 10)) % 10);
}

/** The iterated transformation (methods 27, 29, 69, C5): each digit goes through a row chosen by its position. */
const iteratedTransformation = tabulate(
  LAST,
  (position, digit) => (position === LAST ? 0 : m10h.rows[(LAST - 1 - position) % m10h.rows.length]![digit]!),
  complementOfTen,
);

/** Method 97: the number d1 to d9 modulo 11, 10 becoming 0; powers of ten are 1 and 10 in turn modulo 11. */
const algorithm97 = tabulate(
  LAST,
  (position, digit) => (position === LAST ? 0 : digit * (position % 2 === 1 ? 1 : 10)),
  (sum) => allowedBy((sum % 11) % 10),
);

/** Method B9, variant 1: product plus weight modulo 11, summed; the next half decade is accepted too. */
const algorithmB9a = tabulate(
  LAST,
  (position, digit) => {
    const weight = weightAt(b9a.weights, position);
    return (digit * weight + weight) % 11;
  },
  (sum) => allowedBy(sum % 10) | allowedBy((sum + 5) % 10),
);

/** Method B9, variant 2: remainder modulo 11 or five more; remainder 10 is reached only by the latter. */
const algorithmB9b = tabulate(
  LAST,
  (position, digit) => digit * weightAt(b9b.weights, position),
  (sum) => {
    const remainder = sum % 11;
    return allowedBy(remainder === 10 ? "no" : remainder) | allowedBy((remainder + 5) % 10);
  },
);

/** Method C6: Luhn over a constant chosen by d1, followed by d2 to d9. */
const algorithmC6 = tabulate(
  LAST,
  (position, digit) => {
    if (position === 1) return luhnSum(algC6.constants[digit]!, 8);
    return position === LAST ? 0 : luhnSum(String(digit), LAST - 1 - position);
  },
  complementOfTen,
);

/** Method E1: weighted sum of the digits' ASCII codes modulo 11. */
const algorithmE1 = tabulate(
  LAST,
  (position, digit) => String(digit).charCodeAt(0) * weightAt(algE1.weights, position),
  (sum) => allowedBy(sum % 11 === 10 ? "no" : sum % 11),
);

/** The algorithms that the notation can only name: as tables where they are sums, as a function otherwise. */
export const namedAlgorithms: Readonly<Record<AlgorithmName, DigitSumCheck | StepwiseCheck>> = {
  m10h: iteratedTransformation,
  alg24: { check: checkAlgorithm24, checkPosition: LAST },
  eser8: { check: checkEser8, checkPosition: 4 },
  eser9: { check: checkEser9, checkPosition: 4 },
  alg87: { check: checkAlgorithm87, checkPosition: LAST },
  alg97: algorithm97,
  b9a: algorithmB9a,
  b9b: algorithmB9b,
  algC6: algorithmC6,
  algE1: algorithmE1,
};
