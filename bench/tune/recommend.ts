import { type Figures, figure, mediansOf } from "../figures.ts";
import { kinds, loadTitles } from "../load/loads.ts";
import { spreadOf } from "../report/limit.ts";
import { workLevel } from "./plan.ts";
import { stepsOf, type TuneRow } from "./sweep.ts";

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
} as const satisfies Record<string, Rule>;

/** A setting that `npm run tune` recommends. */
export type Setting = keyof typeof rules;

/** The value to take, the rule that it follows and why, in a sentence each. */
export interface Recommendation {
  readonly value: number;
  /** False where no value kept the rule and this one only comes nearest. */
  readonly keepsRule: boolean;
  readonly rule: string;
  readonly reason: string;
}

/** Share of the requests that may be refused under ordinary work. */
export const refusedAtWork = 0.005;
/** How far goodput may lie below the best: at least 5 %, at most 20 %, and 10 % where one round says nothing of the noise. */
const tolerance = { min: 0.05, max: 0.2, unknown: 0.1 };

/** All steps of a sweep. */
export function allSteps(rows: readonly TuneRow[]): readonly Figures[] {
  return rows.map(({ rounds }) => mediansOf(rounds));
}

/**
 * The smallest value that keeps its setting's rule under every load, or else the one that comes nearest: with the best
 * goodput under the load it does worst in. Throws where no value was tried.
 */
export function recommend(setting: Setting, rows: readonly TuneRow[], rounds: number): Recommendation {
  const rule: Rule = rules[setting];
  const levels = [...new Set(rows.map(({ load }) => load.level))].sort((a, b) => a - b);
  const work = levels.findLastIndex((level) => level <= workLevel);
  const allowed =
    rounds > 1
      ? Math.min(tolerance.max, Math.max(tolerance.min, spreadOf(allSteps(rows))))
      : tolerance.unknown;
  const figuresOf = (value: number) =>
    kinds.map((kind) => {
      const steps = stepsOf(rows, value, kind);
      const p99s = steps.map(({ p99 = Number.NaN }) => p99);
      return {
        goodput: Math.max(...steps.map(({ goodput = 0 }) => goodput)),
        p99: rule.isOverload ? Math.max(...p99s) : p99s[work]!,
        refused: steps[work]?.refused ?? 0,
      };
    });
  const values = [...new Set(rows.map(({ server }) => server))].sort((a, b) => a - b);
  const ascending = values.map((value) => ({ value, loads: figuresOf(value) }));
  if (ascending.length === 0) throw new Error(`no ${rule.what} was tried`);
  const bounds = kinds.map((_, index) => {
    const loads = ascending.map(({ loads }) => loads[index]!);
    const p99s = loads.map(({ p99 }) => p99).filter(Number.isFinite);
    return {
      best: Math.max(...loads.map(({ goodput }) => goodput)),
      p99: Math.max(rule.p99Ms, rule.p99Multiple * Math.min(...p99s)),
      refused: Math.min(...loads.map(({ refused }) => refused)) + refusedAtWork,
    };
  });
  const candidates = ascending.map(({ value, loads }) => {
    const shares = loads.map(({ goodput }, index) =>
      bounds[index]!.best > 0 ? goodput / bounds[index]!.best : 1,
    );
    const misses = loads.flatMap(({ p99, refused }, index) => {
      const load = loadTitles[kinds[index]!].toLowerCase();
      return [
        ...(shares[index]! < 1 - allowed
          ? [`${load}: ${figure(shares[index]! * 100)} % of the best goodput`]
          : []),
        ...(p99 <= bounds[index]!.p99 ? [] : [`${load}: p99 ${figure(p99)} ms`]),
        ...(refused > bounds[index]!.refused ? [`${load}: ${figure(refused * 100)} % refused`] : []),
      ];
    });
    return { value, misses, worst: Math.min(...shares) };
  });
  const text = ruleText(rule, allowed, levels[work]!);
  const keeping = candidates.find(({ misses }) => misses.length === 0);
  if (keeping !== undefined) {
    const smaller = candidates
      .filter(({ value }) => value < keeping.value)
      .map(({ value, misses }) => `${value} (${misses.join("; ")})`);
    const reason =
      smaller.length === 0
        ? `${keeping.value} is the smallest that was tried and keeps the rule.`
        : `${keeping.value} keeps the rule; smaller values miss it: ${smaller.join(", ")}.`;
    return { value: keeping.value, keepsRule: true, rule: text, reason };
  }
  const { value, misses } = candidates.reduce((best, each) => (each.worst > best.worst ? each : best));
  const reason = `No value keeps the rule; ${value} comes nearest by goodput, but misses it (${misses.join("; ")}).`;
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
