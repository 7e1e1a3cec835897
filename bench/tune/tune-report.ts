import { type Chart, chart } from "../report/chart.ts";
import { type Machine, machineLine } from "../report/machine.ts";
import {
  chartRow,
  list,
  page,
  paragraph,
  section,
  subtitle,
  table,
  verbatim,
  warning,
} from "../report/page.ts";
import { figure, median } from "../report/statistics.ts";
import { fullySent, generatorFull, limitOf, maxForeign, spreadOf } from "./limit.ts";
import { type Capacity, type LoadKind, loadTitles } from "./loads.ts";
import { type Plan, workLevel } from "./plan.ts";
import type { Step } from "./step.ts";
import type { Swept } from "./sweep.ts";
import { stepCells } from "./table.ts";
import { refusedAtWork, stepsOf, type Verdict } from "./verdict.ts";

/** A finished sweep with what follows from it. */
export interface Tuning {
  readonly machine: Machine;
  readonly day: string;
  readonly plan: Plan;
  /** Requests per second that the service answered of those at independent times; levels are multiples of it. */
  readonly capacity: Capacity;
  /** Requests per second that it answered in a closed loop. */
  readonly closed: Capacity;
  /** The queue all sizes were tried with. */
  readonly queue: number;
  readonly sizes: readonly Swept[];
  readonly queues: readonly Swept[];
  readonly sizeVerdict: Verdict;
  readonly queueVerdict: Verdict;
}

const kinds = Object.keys(loadTitles) as LoadKind[];

/** Returns what is expected at a multiple of the capacity: the p99 in milliseconds, and the share that may be refused. */
function boundsAt(level: number): { readonly p99: number; readonly refused: number } {
  if (level <= 0.5) return { p99: 20, refused: 0 };
  if (level <= workLevel) return { p99: 20, refused: refusedAtWork };
  return { p99: 50, refused: 1 };
}

/** Returns both capacities in sentences. */
export function capacityText(open: Capacity, closed: Capacity): string {
  const rates = (capacity: Capacity) =>
    kinds.map((kind) => `${loadTitles[kind].toLowerCase()} ${figure(capacity[kind])}`).join(", ");
  const shares = kinds.map((kind) => open[kind] / closed[kind]);
  const reason =
    ", since requests that come one by one cost the service and the generator more than those that come in groups";
  return (
    `Capacity with a worker for each core, in requests per second at independent times: ${rates(open)}. ` +
    `In a closed loop of the same generator: ${rates(closed)} (the mix by its parts); ` +
    `the former are ${shares.map((share) => figure(share * 100)).join(", ")} % of it${Math.min(...shares) < 1 ? reason : ""}.`
  );
}

/** Returns the loads in which the chosen size misses a bound, in cells: a head, then a row for each; nothing for none. */
export function missedBounds(tuning: Tuning): readonly (readonly string[])[] {
  const { machine, capacity, queue, sizes, queues, sizeVerdict, queueVerdict } = tuning;
  const chosen = [
    ...sizes
      .filter(({ value }) => value === sizeVerdict.recommendation.value)
      .map(({ steps }) => ({ steps, queue })),
    ...queues
      .filter(({ value }) => value === queueVerdict.recommendation.value)
      .map(({ value, steps }) => ({ steps, queue: value })),
  ];
  const rows = chosen.flatMap(({ steps, queue }) =>
    kinds.flatMap((kind) =>
      steps[kind].flatMap((step) => {
        const level = step.offered / capacity[kind];
        const { p99, refused } = boundsAt(level);
        if (step.p99 <= p99 && step.refused <= refused) return [];
        return [
          [
            `${loadTitles[kind]}, ${figure(level)} of the capacity`,
            ...[String(queue), figure(step.p99), figure(p99)],
            ...[figure(step.refused * 100), refused === 1 ? "–" : figure(refused * 100)],
            limitOf([step], machine.cores).cause,
          ],
        ];
      }),
    ),
  );
  const head = ["load", "POOL_QUEUE", "p99 ms", "at most", "503 %", "at most", "limit set by"];
  return rows.length === 0 ? [] : [head, ...rows];
}

/** The settings to paste, as lines of an environment file; a comment goes along with what is not to be relied on. */
export function settingsLines(tuning: Tuning): string {
  const { machine, sizes, queues, sizeVerdict, queueVerdict } = tuning;
  const limit = limitOf(stepsOf([...sizes, ...queues]), machine.cores).sentence;
  const lines = [["POOL_SIZE", sizeVerdict] as const, ["POOL_QUEUE", queueVerdict] as const].flatMap(
    ([name, { recommendation }]) => [
      ...(recommendation.keepsRule
        ? []
        : [`# ${name}: no value kept the rule, this one came nearest. ${limit}`]),
      `${name}=${recommendation.value}`,
    ],
  );
  return [...warnings(tuning).map((line) => `# ${line}`), ...lines].join("\n");
}

/** The report of `npm run tune` as one HTML file. */
export function tuneReport(tuning: Tuning): string {
  const { machine, day, plan, capacity, closed, queue, sizes, queues, sizeVerdict, queueVerdict } = tuning;
  const { value } = sizeVerdict.recommendation;
  const missed = missedBounds(tuning);
  const summary = `${machineLine(machine)}; ${day}, medians of ${plan.rounds} interleaved round${plan.rounds === 1 ? "" : "s"} of ${plan.seconds} s a step.`;
  return page("bankcheck: pool tuning", summary, [
    section(
      "Settings for this machine",
      verbatim(settingsLines(tuning)),
      ...warnings(tuning).map(warning),
      list([
        `POOL_SIZE: ${sizeVerdict.recommendation.reason}`,
        `POOL_QUEUE: ${queueVerdict.recommendation.reason}`,
      ]),
      subtitle("Bounds that these settings miss"),
      missed.length === 0 ? paragraph("None.") : table("Bounds that these settings miss", missed),
      subtitle("The rules they follow"),
      list([sizeVerdict.rule, queueVerdict.rule]),
      paragraph(capacityText(capacity, closed)),
    ),
    section("How far to trust it", list(limits(tuning))),
    section(
      "Pool size",
      paragraph(
        `Each size with POOL_QUEUE=${queue}. Requests come at random times, regardless of the answers.`,
      ),
      ...curves("POOL_SIZE", sizes),
    ),
    section(
      "Queue",
      paragraph(`Each queue with POOL_SIZE=${value}, at three quarters of the capacity and from 1 times on.`),
      ...curves("POOL_QUEUE", queues),
    ),
    section(
      "Grouping",
      paragraph(
        "The work that waits at the workers is not a setting: the dispatcher hands each a millisecond of work and keeps the rest in fair order. It wakes as many workers as that needs.",
      ),
    ),
    section("All figures", ...figuresOf("POOL_SIZE", sizes), ...figuresOf("POOL_QUEUE", queues)),
  ]);
}

function curves(setting: string, swept: readonly Swept[]): string[] {
  return kinds.flatMap((kind) => {
    const draw = (
      title: string,
      y: Chart["y"],
      pick: (step: Step) => { readonly y: number; readonly low?: number; readonly high?: number },
    ) =>
      chart({
        title,
        x: { label: "requests offered per second" },
        y,
        series: swept.map(({ value, steps }) => ({
          name: `${setting} ${value}`,
          points: steps[kind].map((step) => ({ x: step.offered, ...pick(step) })),
        })),
        isNarrow: true,
      });
    return [
      subtitle(loadTitles[kind]),
      chartRow([
        draw("Goodput", { label: "answers with 200 per second" }, ({ goodput, lowest, highest }) => ({
          ...{ y: goodput, low: lowest, high: highest },
        })),
        draw("Latency", { label: "p99 of the 200s, ms", scale: "log" }, ({ p99 }) => ({ y: p99 })),
        draw("Refusals", { label: "503, % of the answers" }, ({ refused }) => ({ y: refused * 100 })),
      ]),
    ];
  });
}

function figuresOf(setting: string, swept: readonly Swept[]): string[] {
  return kinds.flatMap((kind) => {
    const title = `${setting}: ${loadTitles[kind].toLowerCase()}`;
    return [subtitle(title), table(title, stepCells(setting, swept, kind))];
  });
}

/** Why the settings are not to be trusted, in sentences; none if they are. */
export function warnings({ machine, sizes, queues }: Tuning): string[] {
  const steps = stepsOf([...sizes, ...queues]);
  const foreign = median(steps.map(({ foreignCores }) => foreignCores)) / machine.cores;
  const full = steps.filter(
    (step) => step.generatorCores >= generatorFull && step.sent < fullySent * step.offered,
  );
  return [
    ...(foreign > maxForeign
      ? [
          `Other processes took ${figure(foreign * 100)} % of the machine, so these figures are not those of the service alone. Measure again when it is quiet.`,
        ]
      : []),
    ...(full.length > 0
      ? [
          `The generator filled its core in ${full.length} of ${steps.length} steps and could not send the load offered: the service was not measured beyond that.`,
        ]
      : []),
  ];
}

/** Returns the caveats of a sweep as sentences with the measured figures. */
export function limits({ machine, plan, sizes, queues }: Tuning): string[] {
  const steps = stepsOf([...sizes, ...queues]);
  const most = (of: (step: Step) => number) => steps.reduce((high, step) => Math.max(high, of(step)), 0);
  const middle = (of: (step: Step) => number) => median(steps.map(of));
  const percent = (share: number) => figure(share * 100);
  const ofMachine = (cores: number) => figure((cores / machine.cores) * 100);
  const short = steps.filter(({ sent, offered }) => sent < fullySent * offered);
  const failures = steps.reduce((sum, step) => sum + step.failures, 0);
  return [
    `The generator ran on the same machine and took ${ofMachine(middle(({ generatorCores }) => generatorCores))} % of it (median), ${ofMachine(most(({ generatorCores }) => generatorCores))} % at most; with clients on other machines the service has that share too.`,
    `The main thread of the service was ready to run but had no processor for ${percent(middle(({ mainDelay }) => mainDelay))} % of the time (median), ${percent(most(({ mainDelay }) => mainDelay))} % at most, the generator for ${percent(middle(({ generatorDelay }) => generatorDelay))} and ${percent(most(({ generatorDelay }) => generatorDelay))} %: see “run queue %” below for the main thread, the other threads of the service together, and the generator.`,
    `Other processes took ${ofMachine(middle(({ foreignCores }) => foreignCores))} % of the machine (median), ${ofMachine(most(({ foreignCores }) => foreignCores))} % at most.`,
    plan.rounds > 1
      ? `Between the rounds goodput spread by ± ${figure(spreadOf(steps) * 100)} % around the median (median of all steps); smaller differences are noise.`
      : "There was only one round, so the spread is unknown; the full form measures three.",
    short.length === 0
      ? "All offered requests could be sent."
      : `In ${short.length} of ${steps.length} steps less than ${fullySent * 100} % of the offered requests could be sent, since the generator or the machine was at its limit: see “sent/s” below. There the right end of a curve shows the load that was really sent.`,
    `Requests were sent ${figure(middle(({ late }) => late))} ms late at p99 (median of all steps). Latencies count from the sending, so they look better than to a client if the generator was late; “p99 inside” counts from the arrival in the main thread, without sockets and generator.`,
    failures === 0
      ? "Every answer was 200 or 503, and no connection was lost."
      : `${failures} answers were neither 200 nor 503, or connections were lost: look into that first.`,
    "Loopback is not a network, and every client reads its answers at once.",
  ];
}
