import { figure } from "../report/statistics.ts";
import { spreadOf } from "./limit.ts";
import { type LoadKind, loadTitles } from "./loads.ts";
import { type Plan, queueLevels, workLevel } from "./plan.ts";
import {
  type Candidate,
  type Recommendation,
  type Rule,
  recommend,
  ruleText,
  toleranceFor,
} from "./recommend.ts";
import type { Step } from "./step.ts";
import type { Swept } from "./sweep.ts";

/** A recommendation with the rule it follows, in a sentence. */
export interface Verdict {
  readonly rule: string;
  readonly recommendation: Recommendation;
}

const kinds = Object.keys(loadTitles) as LoadKind[];
/** Share of the requests that may be refused at three quarters of the capacity. */
export const refusedAtWork = 0.005;

/** All steps of a sweep. */
export function stepsOf(swept: readonly Swept[]): readonly Step[] {
  return swept.flatMap(({ steps }) => kinds.flatMap((kind) => steps[kind]));
}

/** Picks the pool size: goodput at its best, latency under ordinary work. */
export function sizeVerdict(swept: readonly Swept[], { levels, rounds }: Plan): Verdict {
  const work = workIndex(levels);
  const rule = { ...ruleFor(swept, rounds, levels), p99Ms: 20, p99Multiple: 2 };
  return verdict("pool size", rule, swept, work, (steps) => steps[work]!.p99);
}

/** Picks the queue: goodput at its best, latency under overload, which is where a queue is full. */
export function queueVerdict(swept: readonly Swept[], { levels, rounds }: Plan): Verdict {
  const work = workIndex(queueLevels(levels));
  const rule = {
    ...ruleFor(swept, rounds, levels),
    ...{ p99Ms: 50, p99Multiple: 1, p99At: "under overload" },
  };
  return verdict("queue", rule, swept, work, (steps) => Math.max(...steps.map(({ p99 }) => p99)));
}

function ruleFor(swept: readonly Swept[], rounds: number, levels: readonly number[]) {
  const work = `at ${figure(levels[workIndex(levels)]!)} of the capacity`;
  const spread = rounds > 1 ? spreadOf(stepsOf(swept)) : undefined;
  return {
    goodputTolerance: toleranceFor(spread),
    ...{ refused: refusedAtWork, p99At: work, refusedAt: work },
  };
}

/** The index of the highest load of ordinary work. */
function workIndex(levels: readonly number[]): number {
  return levels.findLastIndex((level) => level <= workLevel);
}

function verdict(
  what: string,
  rule: Rule,
  swept: readonly Swept[],
  work: number,
  p99Of: (steps: readonly Step[]) => number,
): Verdict {
  const candidates = swept.map(
    ({ value, steps }): Candidate => ({
      value,
      loads: kinds.map((kind) => ({
        load: loadTitles[kind].toLowerCase(),
        goodput: Math.max(...steps[kind].map(({ goodput }) => goodput)),
        p99: p99Of(steps[kind]),
        refused: steps[kind][work]!.refused,
      })),
    }),
  );
  const recommendation = recommend(candidates, rule);
  if (recommendation === undefined) throw new Error(`no ${what} was tried`);
  return { rule: ruleText(what, rule), recommendation };
}
