import { figure, figureHeads, type LoadFigures } from "../figures.ts";
import { type Capacity, kinds, type LoadKind, loadTitles } from "../load/loads.ts";
import { chart } from "../report/chart.ts";
import { doubtsAbout, limitOf } from "../report/limit.ts";
import type { Machine } from "../report/machine.ts";
import type { Section } from "../report/page.ts";
import { loadsOf } from "../rounds.ts";
import type { Recommendation } from "./recommend.ts";
import { type Setting, stepsOf, type TuneRow } from "./sweep.ts";

/** One setting that was tried, with what follows from it once all its values were measured. */
export interface Trial {
  readonly setting: Setting;
  /** The other setting and its value during the trial. */
  readonly beside: string;
  readonly rows: TuneRow[];
  recommendation?: Recommendation;
}

/** A sweep, which may have been stopped. */
export interface Tuning {
  readonly machine: Machine;
  /** Requests per second that the service answered of those at independent times. */
  readonly capacity: Capacity;
  readonly trials: readonly Trial[];
}

/** Every step of a trial with the load and the value it was measured with. */
export function trialLoads({ setting, rows }: Trial): readonly LoadFigures[] {
  return loadsOf(rows, (value) => `${setting}=${value}`);
}

function doubts({ machine, trials }: Tuning): readonly string[] {
  return doubtsAbout(trials.flatMap(trialLoads), machine.cores);
}

/** The settings to paste, as lines of an environment file; a comment goes along with what is not to be relied on. */
export function settingsLines(tuning: Tuning): string {
  const lines = tuning.trials.flatMap((trial) => {
    const { setting, recommendation } = trial;
    if (recommendation === undefined) return [];
    const limit = limitOf(trialLoads(trial), tuning.machine.cores);
    const comment = `# ${setting}: no value kept the rule, this one came nearest. ${limit}`;
    return [...(recommendation.keepsRule ? [] : [comment]), `${setting}=${recommendation.value}`];
  });
  return [...doubts(tuning).map((line) => `# ${line}`), ...lines].join("\n");
}

export function tuneSections(tuning: Tuning): readonly Section[] {
  const found = tuning.trials.flatMap(({ setting, recommendation }) =>
    recommendation === undefined ? [] : [`${setting}: ${recommendation.reason}`, recommendation.rule],
  );
  return [
    ...tuning.trials.map((trial) => ({
      title: `${trial.setting}, with ${trial.beside}`,
      charts: kinds.flatMap((kind) => chartsOf(trial, kind)),
      loads: trialLoads(trial),
    })),
    {
      title: "Settings for this machine",
      notes: [...doubts(tuning), ...found, capacityText(tuning)],
      verbatim: settingsLines(tuning),
    },
  ];
}

function capacityText({ capacity }: Tuning): string {
  const rates = kinds.map((kind) => `${loadTitles[kind].toLowerCase()} ${figure(capacity[kind])}`);
  return `Capacity with a worker for each core, in requests per second at independent times: ${rates.join(", ")}.`;
}

const charted = { goodput: "Goodput", p99: "Latency", refused: "Refusals" } as const;

function chartsOf({ setting, rows }: Trial, kind: LoadKind): readonly string[] {
  const values = [...new Set(rows.map(({ server }) => server))];
  return (Object.keys(charted) as (keyof typeof charted)[]).map((name) => {
    const scale = figureHeads[name].endsWith("%") ? 100 : 1;
    const curve = (value: number) =>
      stepsOf(rows, value, kind).map(
        (step) => [step.offered ?? Number.NaN, (step[name] ?? Number.NaN) * scale] as const,
      );
    return chart({
      title: `${charted[name]}: ${loadTitles[kind].toLowerCase()}`,
      x: { label: "requests offered per second" },
      y: { label: figureHeads[name], isLog: name === "p99" },
      series: Object.fromEntries(values.map((value) => [`${setting} ${value}`, curve(value)])),
    });
  });
}
