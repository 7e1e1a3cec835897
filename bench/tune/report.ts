import { cellsOf, type FigureName, type Figures, figure, type LoadFigures, median } from "../figures.ts";
import { type Axis, chart } from "../report/chart.ts";
import type { Machine } from "../report/machine.ts";
import type { Cells, Section } from "../report/report.ts";
import { fullySent, isGeneratorFull, limitOf, maxForeign, sentShare, spreadOf } from "./limit.ts";
import { type Capacity, loadTitles } from "./loads.ts";
import { type Plan, workLevel } from "./plan.ts";
import { allSteps, type Recommendation, refusedAtWork, type Setting } from "./recommend.ts";
import { kinds, type Step, type Swept } from "./sweep.ts";

/** One setting that was tried, with what follows from it once all its values were measured. */
export interface Trial {
  readonly setting: Setting;
  /** The other setting and its value during the trial. */
  readonly beside: string;
  readonly swept: readonly Swept[];
  readonly recommendation?: Recommendation;
}

/** A sweep, which may have been stopped. */
export interface Tuning {
  readonly machine: Machine;
  readonly plan: Plan;
  /** Requests per second that the service answered of those at independent times, and in a closed loop. */
  readonly capacity: Capacity;
  readonly closed: Capacity;
  readonly trials: readonly Trial[];
}

const shown: readonly FigureName[] = [
  ...(["offered", "sent", "goodput", "lowest", "highest", "refused", "p50", "p99", "late"] as const),
  ...([
    "serviceCores",
    "generatorCores",
    "foreignCores",
    "mainDelay",
    "workersDelay",
    "generatorDelay",
  ] as const),
];

/** Every step with the load and the value it was measured with. */
export function loadsOf({ trials }: Tuning): readonly LoadFigures[] {
  return trials.flatMap((trial) => kinds.flatMap((kind) => loadsOfKind(trial, kind)));
}

function loadsOfKind({ setting, swept }: Trial, kind: (typeof kinds)[number]): readonly LoadFigures[] {
  return swept.flatMap(({ value, steps }) =>
    steps[kind].map((step) => ({ load: loadTitles[kind], server: `${setting}=${value}`, ...step })),
  );
}

/** Returns what is expected at a multiple of the capacity: the p99 in milliseconds, and the share that may be refused. */
function boundsAt(level: number): { readonly p99: number; readonly refused: number } {
  if (level <= 0.5) return { p99: 20, refused: 0 };
  if (level <= workLevel) return { p99: 20, refused: refusedAtWork };
  return { p99: 50, refused: 1 };
}

/** The loads in which a recommended value misses a bound, in cells; nothing for none. */
export function missedBounds({ machine, capacity, trials }: Tuning): Cells {
  const rows = trials.flatMap(({ setting, swept, recommendation }) => {
    const chosen = swept.find(({ value }) => value === recommendation?.value);
    return kinds.flatMap((kind) =>
      (chosen?.steps[kind] ?? []).flatMap((step) => {
        const { offered = Number.NaN, p99 = Number.NaN, refused = Number.NaN } = step;
        const level = offered / capacity[kind];
        const bound = boundsAt(level);
        if (p99 <= bound.p99 && refused <= bound.refused) return [];
        return [
          [
            `${loadTitles[kind]}, ${figure(level)} of the capacity`,
            ...[`${setting}=${chosen!.value}`, figure(p99), figure(bound.p99), figure(refused * 100)],
            bound.refused === 1 ? "–" : figure(bound.refused * 100),
            limitOf([step], machine.cores).cause,
          ],
        ];
      }),
    );
  });
  const head = ["load", "with", "p99 ms", "at most", "503 %", "at most", "limit set by"];
  return rows.length === 0 ? [] : [head, ...rows];
}

/** The settings to paste, as lines of an environment file; a comment goes along with what is not to be relied on. */
export function settingsLines(tuning: Tuning): string {
  const lines = tuning.trials.flatMap(({ setting, recommendation, swept }) => {
    if (recommendation === undefined) return [];
    const limit = limitOf(allSteps(swept), tuning.machine.cores).sentence;
    const comment = `# ${setting}: no value kept the rule, this one came nearest. ${limit}`;
    return [...(recommendation.keepsRule ? [] : [comment]), `${setting}=${recommendation.value}`];
  });
  return [...warnings(tuning).map((line) => `# ${line}`), ...lines].join("\n");
}

/** The parts of the report. */
export function tuneSections(tuning: Tuning): readonly Section[] {
  const missed = missedBounds(tuning);
  const settings = settingsLines(tuning);
  const found = tuning.trials.flatMap(({ setting, recommendation }) =>
    recommendation === undefined ? [] : [`${setting}: ${recommendation.reason}`, recommendation.rule],
  );
  return [
    ...tuning.trials.map((trial) => ({
      title: `${trial.setting}, with ${trial.beside}`,
      charts: kinds.flatMap((kind) => chartsOf(trial, kind)),
      tables: Object.fromEntries(
        kinds.map((kind) => [
          `${trial.setting}: ${loadTitles[kind].toLowerCase()}`,
          cellsOf(loadsOfKind(trial, kind), shown),
        ]),
      ),
    })),
    { title: "How far to trust it", notes: limits(tuning) },
    ...(missed.length === 0
      ? []
      : [{ title: "Missed bounds", tables: { "Bounds that these settings miss": missed } }]),
    {
      title: "Settings for this machine",
      notes: [...warnings(tuning), ...found, capacityText(tuning)],
      ...(settings === "" ? {} : { verbatim: settings }),
    },
  ];
}

/** Both capacities in a sentence. */
function capacityText({ capacity, closed }: Tuning): string {
  const rates = (each: Capacity) =>
    kinds.map((kind) => `${loadTitles[kind].toLowerCase()} ${figure(each[kind])}`).join(", ");
  return (
    `Capacity with a worker for each core, in requests per second at independent times: ${rates(capacity)}. ` +
    `In a closed loop, whose requests come in groups and cost less: ${rates(closed)} (the mix by its parts).`
  );
}

function chartsOf({ setting, swept }: Trial, kind: (typeof kinds)[number]): readonly string[] {
  const draw = (title: string, y: Axis, pick: (step: Step) => number) =>
    chart({
      ...{
        title: `${title}: ${loadTitles[kind].toLowerCase()}`,
        x: { label: "requests offered per second" },
        y,
      },
      series: Object.fromEntries(
        swept.map(({ value, steps }) => [
          `${setting} ${value}`,
          steps[kind].map((step) => [step.offered ?? Number.NaN, pick(step)] as const),
        ]),
      ),
    });
  return [
    draw("Goodput", { label: "answers with 200 per second" }, ({ goodput = Number.NaN }) => goodput),
    draw("Latency", { label: "p99 of the 200s, ms", isLog: true }, ({ p99 = Number.NaN }) => p99),
    draw("Refusals", { label: "503, % of the answers" }, ({ refused = Number.NaN }) => refused * 100),
  ];
}

const percent = (share: number) => figure(share * 100);

/** Why the settings are not to be trusted, in sentences; none if they are. */
export function warnings({ machine, trials }: Tuning): readonly string[] {
  const steps = trials.flatMap(({ swept }) => allSteps(swept));
  const foreign = median(steps.map(({ foreignCores = Number.NaN }) => foreignCores)) / machine.cores;
  const full = steps.filter(isGeneratorFull).length;
  return [
    ...(foreign > maxForeign
      ? [
          `Other processes took ${percent(foreign)} % of the machine, so these figures are not those of the service alone. Measure again when it is quiet.`,
        ]
      : []),
    ...(full > 0
      ? [
          `The generator filled its core in ${full} of ${steps.length} steps and could not send the load offered: the service was not measured beyond that.`,
        ]
      : []),
  ];
}

/** The caveats of a sweep in sentences with the measured figures. */
export function limits({ machine, plan, trials }: Tuning): readonly string[] {
  const steps = trials.flatMap(({ swept }) => allSteps(swept));
  const values = (name: keyof Figures) => steps.map((step) => step[name] ?? Number.NaN);
  const range = (name: keyof Figures, cores = 1) =>
    `${percent(median(values(name)) / cores)} % (median), ${percent(Math.max(...values(name)) / cores)} % at most`;
  const short = steps.filter((step) => sentShare(step) < fullySent).length;
  const failures = values("failures").reduce((sum, count) => sum + count, 0);
  return [
    `The generator ran on the same machine and took of it ${range("generatorCores", machine.cores)}; other processes ${range("foreignCores", machine.cores)}.`,
    `The main thread of the service was ready to run but had no processor for ${range("mainDelay")} of the time, the generator for ${range("generatorDelay")}.`,
    plan.rounds > 1
      ? `Between the rounds goodput spread by ± ${percent(spreadOf(steps))} % around the median (median of all steps); smaller differences are noise.`
      : "There was only one round, so the spread is unknown; the full form measures three.",
    short === 0
      ? "All offered requests could be sent."
      : `In ${short} of ${steps.length} steps less than ${percent(fullySent)} % of the offered requests could be sent, since the generator or the machine was at its limit: see “sent/s”.`,
    `Requests were sent ${figure(median(values("late")))} ms late at p99 (median of all steps). Latencies count from the sending, so they look better than to a client if the generator was late.`,
    failures === 0
      ? "Every answer was 200 or 503, and no connection was lost."
      : `${failures} answers were neither 200 nor 503, or connections were lost: look into that first.`,
    "Loopback is not a network, and every client reads its answers at once.",
  ];
}
