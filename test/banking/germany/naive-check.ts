import assert from "node:assert/strict";
import table from "../../../data/de-check-methods.json" with { type: "json" };
import { words } from "../../support/words.ts";

/*
 * The method definitions read a second time, slowly and by other means: strings cut apart with regular
 * expressions, one digit after the other. It shares nothing with the code under test but the lines
 * themselves, so a slip in the parser, the tables or the compiler shows as a difference.
 */

const lines = table.methods as Readonly<Record<string, string>>;
const names = table.named as Readonly<Record<string, string>>;

/** Verdict of a definition line on a ten-digit account number, by the slow way. */
export function naiveVerdict(
  method: string,
  kontonummer: string,
  blz: string,
): "valid" | "invalid" | "unchecked" {
  const padded = kontonummer.padStart(10, "0");
  return Number(padded) === 0 ? "invalid" : evaluate(lines[method]!, padded, blz);
}

function evaluate(line: string, d: string, blz: string): "valid" | "invalid" | "unchecked" {
  for (const part of splitOutside(line, ";")) {
    const [, condition, answer] = /^when (.*?): (.*)$/.exec(part) ?? [null, null, part];
    if (condition !== null && !holds(condition!, d)) continue;
    for (const alternative of splitOutside(answer!, " else ")) {
      const verdict = evaluateBlock(alternative.trim(), d, blz);
      if (verdict !== "invalid") return verdict;
    }
    return "invalid";
  }
  throw new Error(`no clause of "${line}" applies`);
}

/** Cuts at a separator outside all parentheses. */
function splitOutside(line: string, separator: string): string[] {
  const parts: string[] = [];
  for (const part of line.split(separator)) {
    const last = parts.at(-1) ?? "";
    if (last.split("(").length === last.split(")").length) parts.push(part);
    else parts.push(parts.pop() + separator + part);
  }
  return parts.map((part) => part.trim());
}

function holds(condition: string, d: string): boolean {
  return condition
    .split(" or ")
    .some((terms) => terms.split(" and ").every((term) => holdsTerm(term.trim(), d)));
}

function holdsTerm(term: string, d: string): boolean {
  if (term.startsWith("not ")) return !holdsTerm(term.slice(4), d);
  const [, subject, operator, right] = /^(\S+?)\s*(=|<|>=|in)\s*(\S+)$/.exec(term)!;
  const [, from, to] = /^d(\d+)-?(\d*)$/.exec(subject!) ?? [];
  let left = Number(from === undefined ? d : d.slice(Number(from) - 1, Number(to || from)));
  if (subject === "n") left = String(left).length;
  if (operator === "<") return left < Number(right);
  if (operator === ">=") return left >= Number(right);
  return right!
    .replace(/[{}]/g, "")
    .split(",")
    .some((range) => {
      const [min, max = min] = range.split("..");
      return left >= Number(min) && left <= Number(max);
    });
}

function evaluateBlock(block: string, d: string, blz: string): "valid" | "invalid" | "unchecked" {
  if (block === "ok") return "unchecked";
  if (block === "no") return "invalid";
  if (block.startsWith("@")) return evaluate(lines[block.slice(1)]!, d, blz);
  if (block in names && !(block in algorithms)) return evaluate(names[block]!, d, blz);
  const [, by, inner] = /^shl\((\d); (.*)\)$/.exec(block) ?? [];
  if (by !== undefined) {
    const places = Number(by);
    if (!/^0+$/.test(d.slice(0, places))) return "invalid";
    return evaluate(inner!, d.slice(places) + "0".repeat(places), blz);
  }
  return (algorithms[block]?.(d, blz) ?? fitsBlock(block, d)) ? "valid" : "invalid";
}

const cross = (product: number) => [...String(product)].reduce((sum, digit) => sum + Number(digit), 0);

const reversed = (text: string) => [...text].reverse().join("");
const product = (digit: number, weight: number) => digit * weight;
const crossProduct = (digit: number, weight: number) => cross(digit * weight);

/** Sums a term of each digit and its weight, from the right; the weights repeat. */
function sumOf(digits: string, weights: readonly number[], term = product): number {
  const terms = [...digits].reverse().map((digit, at) => term(Number(digit), weights[at % weights.length]!));
  return terms.reduce((sum, each) => sum + each, 0);
}

const luhnDigit = (digits: string) => (10 - (sumOf(digits, [2, 1], crossProduct) % 10)) % 10;

function fitsBlock(block: string, d: string): boolean {
  const prefix = /^pre\((\d+)\)$/.exec(block)?.[1];
  if (prefix !== undefined) return luhnDigit(prefix + d.slice(0, 9)) === Number(d[9]);
  const [, rule, list, at, ...rest] = /^(\w+)\(([\d,-]+)(?:>(\d+))?(?:; ([\d ]+|\+7))?(?:; (.*))?\)$/.exec(
    block,
  )!;
  const digits = list!
    .split(",")
    .map((range) => range.split("-").map(Number))
    .map(([first, last = first]) => d.slice(first! - 1, last))
    .join("");
  const plus = rest[0] === "+7" ? 7 : 0;
  const weights = rest[0] === undefined || plus ? [2, 1] : rest[0].split(" ").map(Number);
  const total = sumOf(digits, weights);
  const crossTotal = sumOf(digits, weights, crossProduct) + plus;
  const unitsTotal = sumOf(digits, weights, (digit, weight) => (digit * weight) % 10);
  if (rule === "zero11") return total % 11 === 0;

  const check = Number(d[Number(at) - 1]);
  const stated = new Map((rest[1] ?? "").split(", ").map((each) => each.split("=") as [string, string]));
  const upwards = (remainder: number, modulus: number) => {
    const outcome = stated.get(`r${remainder}`);
    if (outcome === "no") return false;
    if (outcome === "eq") return check === Number(d[Number(at) - 2]);
    if (outcome !== undefined) return check === Number(outcome);
    if (rule === "m11x" && remainder === 1) return false;
    return check === (remainder === 0 || modulus - remainder > 9 ? 0 : modulus - remainder);
  };
  let single = crossTotal;
  while (single > 9) single = cross(single);
  const summed: Readonly<Record<string, readonly [sum: number, modulus: number]>> = {
    m10: [total, 10],
    m10u: [unitsTotal, 10],
    m10r: [single, 10],
    luhn: [crossTotal, 10],
    m11: [total, 11],
    m11x: [total, 11],
    m11q: [crossTotal, 11],
    m7: [total, 7],
    m7q: [crossTotal, 7],
    m9: [total, 9],
  };
  const [sum, modulus] = summed[rule!] ?? [0, 0];
  if (modulus > 0) return upwards(sum % modulus, modulus);
  if (rule === "luhn5") return (crossTotal + check) % 10 === 5;
  if (rule === "sum10") return crossTotal % 10 === check;
  if (rule === "s17") {
    // From the left, beginning with weight 1.
    const sum = sumOf(reversed(digits), [1, 2], crossProduct);
    return sum > 0 && check === (10 - ((sum - 1) % 11)) % 10;
  }
  assert.equal(rule, "rem11");
  return total % 11 === 10 ? stated.get("r10") === "eq" && d[9] === d[8] : total % 11 === check;
}

const withWeight = (digit: number, weight: number) => (digit * weight + weight) % 11;
const isOrFiveMore = (c: number, d: string) => c === Number(d[9]) || (c + 5) % 10 === Number(d[9]);

const algorithms: Readonly<Record<string, (d: string, blz: string) => boolean>> = {
  m10h(d) {
    const rows = ["0159374826", "0176983254", "0184629573", "0123456789"];
    const sum = sumOf(d.slice(0, 9), [0, 1, 2, 3], (digit, row) => Number(rows[row]![digit]));
    return (sum + Number(d[9])) % 10 === 0;
  },
  alg24(d) {
    let used = d.slice(0, 9);
    if (/^[3-6]/.test(used)) used = `0${used.slice(1)}`;
    if (used.startsWith("9")) used = `000${used.slice(3)}`;
    used = used.replace(/^0+/, "");
    return sumOf(reversed(used), [1, 2, 3], withWeight) % 10 === Number(d[9]);
  },
  eser8: (d, blz) => /^00[^0]/.test(d) && fitsOldNumber(blz, blz.slice(4, 8) + d[2], d),
  eser9: (d, blz) => /^0[^0]/.test(d) && fitsOldNumber(blz, blz.slice(4, 6) + d[2] + blz[7] + d[1], d),
  alg87(d) {
    const replaced: Readonly<Record<string, number>> = { 0: 5, 1: 6, 5: 10, 6: 1 };
    let position = 4;
    while (position < 10 && d[position - 1] === "0") position++;
    let c2 = position % 2;
    let d2 = 0;
    let a = 0;
    for (; position < 10; position++) {
      const digit = d[position - 1]!;
      const k = replaced[digit] ?? Number(digit);
      const big = k > 5;
      if (c2 === d2) {
        if (big && c2 === 0) [a, c2, d2] = [a + 12 - k, 1, 1];
        else if (big) [a, c2, d2] = [a + k, 0, 0];
        else [a, c2] = [a + k, 1 - c2];
      } else if (big && c2 === 0) [a, c2, d2] = [a + k - 12, 1, 0];
      else if (big) [a, c2, d2] = [a - k, 0, 1];
      else [a, c2] = [a - k, 1 - c2];
    }
    while (a < 0) a += 5;
    const c = Number((d2 === 0 ? "04326" : "71598")[a % 5]);
    return c === Number(d[9]) || (d[3] === "0" && (c + 5) % 10 === Number(d[9]));
  },
  alg97: (d) => Number(String(Number(d.slice(0, 9)) % 11).at(-1)) === Number(d[9]),
  b9a: (d) => isOrFiveMore(sumOf(d.slice(2, 9), [1, 3, 2], withWeight) % 10, d),
  b9b: (d) => isOrFiveMore(sumOf(d.slice(3, 9), [1, 2, 3, 4, 5, 6]) % 11, d),
  algC6(d) {
    const constants = words`4451970 4451981 4451992 4451993 4344992 4344990 4344991 5499570 4451994 5499579`;
    return luhnDigit(constants[Number(d[0])] + d.slice(1, 9)) === Number(d[9]);
  },
  algE1(d) {
    const weights = [1, 2, 3, 4, 5, 6, 11, 10, 9];
    return sumOf(d.slice(0, 9), weights, (digit, weight) => (48 + digit) * weight) % 11 === Number(d[9]);
  },
};

/** Builds the old account number around the check digit and sums it with the check digit's weight apart. */
function fitsOldNumber(blz: string, front: string, d: string): boolean {
  if (blz[3] !== "5") return false;
  const tail = d.slice(4).replace(/^0+/, "");
  const weights = [2, 4, 8, 5, 10, 9, 7, 3, 6, 1, 2, 4];
  const sum = sumOf(`${front}0${tail}`, weights);
  return (sum + Number(d[3]) * weights[tail.length]!) % 11 === 10;
}
