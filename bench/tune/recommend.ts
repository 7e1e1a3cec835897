import { missedBounds } from "../bounds.ts";
import { figure, mediansOf } from "../figures.ts";
import { kinds, loadTitles } from "../load/loads.ts";
import { spreadOf } from "../report/limit.ts";
import { workLevel } from "./plan.ts";
import { type Setting, stepsOf, type TuneRow } from "./sweep.ts";

/** Limits that a recommended value must keep under every load. */
interface Rule {
  readonly what: string;
  /** A p99 is acceptable up to this value, or up to this multiple of the lowest p99. */
  readonly p99Ms: number;
  readonly p99Multiple: number;
  /** Whether the p99 counts under ordinary work, or at its highest, which is under overload. */
  readonly isOverload: boolean;
}

const rules = {
  POOL_SIZE: { what: "pool size", p99Ms: 20, p99Multiple: 2, isOverload: false },
  POOL_QUEUE: { what: "queue", p99Ms: 50, p99Multiple: 1, isOverload: true },
} as const satisfies Record<Setting, Rule>;

/** The value to take, the rule that it follows and why, in a sentence each. */
export interface Recommendation {
  readonly value: number;
  /** False where no value kept the rule and this one only comes nearest. */
  readonly keepsRule: boolean;
  readonly rule: string;
  readonly reason: string;
}

/** Share of the requests that may be refused under ordinary work. */
const refusedAtWork = 0.005;
/** How far goodput may lie below the best: at least 5 %, at most 20 %, and 10 % where one round says nothing of the noise. */
const tolerance = { min: 0.05, max: 0.2, unknown: 0.1 };

/**
 * The smallest value that keeps its setting's rule under every load, or else the one that comes nearest: with the best
 * goodput under the load it does worst in. Throws where no value was tried.
 */
export function recommend(setting: Setting, rows: readonly TuneRow[], rounds: number): Recommendation {
  const rule: Rule = rules[setting];
  const levels = [...new Set(rows.map(({ load }) => load.level))].sort((a, b) => a - b);
  const work = levels.findLastIndex((level) => level <= workLevel);
  const spread = spreadOf(rows.map((row) => mediansOf(row.rounds)));
  const belowBest = rounds > 1 ? Math.min(tolerance.max, Math.max(tolerance.min, spread)) : tolerance.unknown;
  const values = [...new Set(rows.map(({ server }) => server))].sort((a, b) => a - b);
  if (values.length === 0) throw new Error(`no ${rule.what} was tried`);
  const tried = kinds.flatMap((kind) => {
    const loads = values.map((value) => {
      const steps = stepsOf(rows, value, kind);
      const p99s = steps.map(({ p99 = Number.NaN }) => p99);
      return {
        ...{ value, load: loadTitles[kind].toLowerCase(), refused: steps[work]?.refused ?? 0 },
        goodput: Math.max(...steps.map(({ goodput = 0 }) => goodput)),
        p99: rule.isOverload ? Math.max(...p99s) : p99s[work]!,
      };
    });
    const best = Math.max(...loads.map(({ goodput }) => goodput));
    const p99 = Math.min(...loads.map((load) => load.p99).filter(Number.isFinite));
    const bounds = {
      belowBest,
      p99: Math.max(rule.p99Ms, rule.p99Multiple * p99),
      refused: Math.min(...loads.map(({ refused }) => refused)) + refusedAtWork,
    };
    return loads.map((load) => {
      const figures = { ...load, belowBest: best > 0 ? 1 - load.goodput / best : 0 };
      return { ...figures, misses: missedBounds(figures, bounds) };
    });
  });
  const candidates = values.map((value) => {
    const loads = tried.filter((load) => load.value === value);
    const misses = loads.flatMap((load) => load.misses).join(" ");
    return { value, misses, belowBest: Math.max(...loads.map((load) => load.belowBest)) };
  });
  const text = ruleText(rule, belowBest, levels[work]!);
  const keeping = candidates.find(({ misses }) => misses === "");
  if (keeping !== undefined) {
    const smaller = candidates.slice(0, candidates.indexOf(keeping));
    const missing = smaller.map(({ value, misses }) => `${value} (${misses})`).join(", ");
    const reason =
      missing === ""
        ? `${keeping.value} is the smallest that was tried and keeps the rule.`
        : `${keeping.value} keeps the rule; smaller values miss it: ${missing}.`;
    return { value: keeping.value, keepsRule: true, rule: text, reason };
  }
  const { value, misses } = candidates.reduce((best, each) =>
    each.belowBest < best.belowBest ? each : best,
  );
  const reason = `No value keeps the rule; ${value} comes nearest by goodput, but misses it (${misses}).`;
  return { value, keepsRule: false, rule: text, reason };
}

function ruleText({ what, p99Ms, p99Multiple, isOverload }: Rule, allowed: number, level: number): string {
  const work = `at ${figure(level)} of the capacity`;
  return (
    `The smallest ${what} whose goodput is within ${figure(allowed * 100)} % of the best under every load, ` +
    `whose p99 ${isOverload ? "under overload" : work} is at most ${figure(p99Ms)} ms` +
    `${p99Multiple > 1 ? ` or ${figure(p99Multiple)} times the lowest` : " (or the lowest there is)"}, ` +
    `and which ${work} refuses at most ${figure(refusedAtWork * 100)} % more than the least.`
  );
}
