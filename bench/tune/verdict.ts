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
  const rule: Rule = {
    goodputTolerance: toleranceFor(rounds > 1 ? spreadOf(stepsOf(swept)) : undefined),
    ...{ p99Ms: 20, p99Multiple: 2, refused: refusedAtWork },
  };
  const work = workIndex(levels);
  return verdict(
    "pool size",
    "at three quarters of the capacity",
    rule,
    swept.map((one) => candidateOf(one, work, (steps) => steps[work]!.p99)),
  );
}

/** Picks the queue: goodput at its best, latency under overload, which is where a queue is full. */
export function queueVerdict(swept: readonly Swept[], { levels, rounds }: Plan): Verdict {
  const rule: Rule = {
    goodputTolerance: toleranceFor(rounds > 1 ? spreadOf(stepsOf(swept)) : undefined),
    ...{ p99Ms: 50, p99Multiple: 1, refused: refusedAtWork },
  };
  const work = workIndex(queueLevels(levels));
  return verdict(
    "queue",
    "under overload",
    rule,
    swept.map((one) => candidateOf(one, work, (steps) => Math.max(...steps.map(({ p99 }) => p99)))),
  );
}

function verdict(what: string, where: string, rule: Rule, candidates: readonly Candidate[]): Verdict {
  const recommendation = recommend(candidates, rule);
  if (recommendation === undefined) throw new Error(`no ${what} was tried`);
  return { rule: ruleText(what, where, rule), recommendation };
}

function workIndex(levels: readonly number[]): number {
  return Math.max(0, levels.filter((level) => level <= workLevel).length - 1);
}

function candidateOf(
  { value, steps }: Swept,
  work: number,
  p99Of: (steps: readonly Step[]) => number,
): Candidate {
  return {
    value,
    loads: kinds.map((kind) => ({
      load: loadTitles[kind].toLowerCase(),
      goodput: Math.max(...steps[kind].map(({ goodput }) => goodput)),
      p99: p99Of(steps[kind]),
      refused: steps[kind][work]!.refused,
    })),
  };
}
