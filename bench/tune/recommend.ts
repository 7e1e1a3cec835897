import { figure } from "../report/statistics.ts";

/** The result of one value of a setting under one kind of load. */
export interface LoadFigures {
  readonly load: string;
  /** Most answers with 200 per second over all offered loads. */
  readonly goodput: number;
  /** p99 in milliseconds where the rule looks at it; NaN if nothing was answered. */
  readonly p99: number;
  /** Share of the answers that were 503 under ordinary work. */
  readonly refused: number;
}

/** One value of a setting and the result of it. */
export interface Candidate {
  readonly value: number;
  readonly loads: readonly LoadFigures[];
}

/** Limits that a recommended value must keep under every load. */
export interface Rule {
  /** How far goodput may lie below the best, as a share of it. */
  readonly goodputTolerance: number;
  /** A p99 is acceptable up to this value, or up to this multiple of the lowest p99. */
  readonly p99Ms: number;
  readonly p99Multiple: number;
  /** Under which load, as "under overload". */
  readonly p99At: string;
  /** How much more than the least may be refused under ordinary work, as a share. */
  readonly refused: number;
  readonly refusedAt: string;
}

/** The value to take and why. */
export interface Recommendation {
  readonly value: number;
  /** False where no value kept the rule and this one only comes nearest. */
  readonly keepsRule: boolean;
  readonly reason: string;
}

/** The goodput tolerance if the noise is unknown. */
const blindTolerance = 0.1;

/**
 * The goodput tolerance for a spread between rounds: at least 5 %, and no difference that is smaller than the noise;
 * 10 % where one round says nothing of it.
 */
export function toleranceFor(spread: number | undefined): number {
  return spread === undefined ? blindTolerance : Math.min(0.2, Math.max(0.05, spread));
}

/** A rule in a sentence. */
export function ruleText(what: string, rule: Rule): string {
  return (
    `The smallest ${what} whose goodput is within ${figure(rule.goodputTolerance * 100)} % of the best under every load, ` +
    `whose p99 ${rule.p99At} is at most ${figure(rule.p99Ms)} ms` +
    `${rule.p99Multiple > 1 ? ` or ${figure(rule.p99Multiple)} times the lowest` : " (or the lowest there is)"}, ` +
    `and which ${rule.refusedAt} refuses at most ${figure(rule.refused * 100)} % more than the least.`
  );
}

/**
 * The smallest value that keeps the rule under every load, or else the one that comes nearest: with the best goodput
 * under the load it does worst in. Undefined without candidates.
 */
export function recommend(candidates: readonly Candidate[], rule: Rule): Recommendation | undefined {
  const ascending = [...candidates].sort((a, b) => a.value - b.value);
  const figuresOf = (load: string) =>
    ascending.flatMap(({ loads }) => loads.filter((figures) => figures.load === load));
  const shareOf = ({ load, goodput }: LoadFigures) => {
    const best = Math.max(...figuresOf(load).map((figures) => figures.goodput));
    return best > 0 ? goodput / best : 1;
  };
  const slowestAllowed = (load: string) => {
    const known = figuresOf(load).map(({ p99 }) => p99);
    return Math.max(rule.p99Ms, rule.p99Multiple * Math.min(...known.filter(Number.isFinite)));
  };
  const maxRefused = (load: string) =>
    Math.min(...figuresOf(load).map(({ refused }) => refused)) + rule.refused;
  const misses = ({ loads }: Candidate) =>
    loads.flatMap((figures) => [
      ...(shareOf(figures) < 1 - rule.goodputTolerance
        ? [`${figures.load}: ${figure(shareOf(figures) * 100)} % of the best goodput`]
        : []),
      ...(figures.p99 <= slowestAllowed(figures.load)
        ? []
        : [`${figures.load}: p99 ${figure(figures.p99)} ms`]),
      ...(figures.refused > maxRefused(figures.load)
        ? [`${figures.load}: ${figure(figures.refused * 100)} % refused`]
        : []),
    ]);
  const keeping = ascending.find((candidate) => misses(candidate).length === 0);
  if (keeping !== undefined)
    return { value: keeping.value, keepsRule: true, reason: smallest(keeping, ascending, misses) };
  const worst = ({ loads }: Candidate) => Math.min(...loads.map(shareOf));
  const [nearest] = [...ascending].sort((a, b) => worst(b) - worst(a));
  if (nearest === undefined) return undefined;
  return {
    value: nearest.value,
    keepsRule: false,
    reason: `No value keeps the rule; ${nearest.value} comes nearest by goodput, but misses it (${misses(nearest).join("; ")}).`,
  };
}

function smallest(
  { value }: Candidate,
  ascending: readonly Candidate[],
  misses: (candidate: Candidate) => readonly string[],
): string {
  const smaller = ascending.filter((candidate) => candidate.value < value);
  if (smaller.length === 0) return `${value} is the smallest that was tried and keeps the rule.`;
  const tooSmall = smaller.map((candidate) => `${candidate.value} (${misses(candidate).join("; ")})`);
  return `${value} keeps the rule; smaller values miss it: ${tooSmall.join(", ")}.`;
}
