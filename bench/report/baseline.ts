import { figure, figureHeads, type LoadFigures } from "../figures.ts";
import { type Machine, machineClass } from "./machine.ts";

/** The part of a run that later runs are compared with: ratios within the run only, never times. */
export interface Baseline {
  readonly machine: Machine;
  readonly loads: readonly LoadFigures[];
}

/** The ratios that a baseline keeps; of two of them less is better. */
const ratioNames = ["timesUws", "timesFastify", "mainTimesUws", "timesYardstick"] as const;
const costs: ReadonlySet<string> = new Set(["mainTimesUws", "timesYardstick"]);

/** Below which gain a ratio counts as a regression: noise stays above, and on another class the difference of machines. */
const minGains = {
  sameClass: { endToEnd: 0.6, micro: 1 / 2.5 },
  otherClass: { endToEnd: 0.2, micro: 1 / 8 },
} as const;

/** The baseline of a run: the ratios of the loads that it measured on `server` or on none, beside those that it did not. */
export function savedBaseline(before: Baseline, { machine, loads }: Baseline, server: string): Baseline {
  const kept = loads.flatMap((load) => {
    const known = ratioNames.filter((name) => Number.isFinite(load[name] ?? Number.NaN));
    if (known.length === 0 || (load.server !== undefined && load.server !== server)) return [];
    const ratios = known.map((name) => [name, Number(load[name]!.toPrecision(4))]);
    const where = load.server === undefined ? {} : { server };
    return [{ load: load.load, ...where, ...Object.fromEntries(ratios) } as LoadFigures];
  });
  const others = before.loads.filter((old) => !kept.some(({ load }) => load === old.load));
  return { machine, loads: [...others, ...kept] };
}

/** Says what a run is compared with, in a sentence. */
export function baselineText(machine: Machine, baseline: Baseline): string {
  const [own, other] = [machine, baseline.machine].map(machineClass);
  return own === other
    ? `Compared with the committed baseline of this machine class (${own}).`
    : `Compared within wide bounds, since the committed baseline is of another machine class (${other}, not ${own}).`;
}

/** A ratio that has fallen behind the baseline by more than noise explains, in a sentence. */
export interface Regression {
  readonly load: string;
  readonly isMicro: boolean;
  readonly sentence: string;
}

/** The ratios that have fallen behind the baseline; what either run lacks is passed over. */
export function regressions({ machine, loads }: Baseline, baseline: Baseline): readonly Regression[] {
  const isSameClass = machineClass(machine) === machineClass(baseline.machine);
  const least = isSameClass ? minGains.sameClass : minGains.otherClass;
  return loads.flatMap((load) => {
    const old = baseline.loads.find((each) => each.load === load.load && each.server === load.server);
    return ratioNames.flatMap((name) => {
      const [was, is] = [old?.[name] ?? Number.NaN, load[name] ?? Number.NaN];
      const gain = costs.has(name) ? was / is : is / was;
      const isMicro = name === "timesYardstick";
      if (!(gain < (isMicro ? least.micro : least.endToEnd))) return [];
      const sentence = `${load.load}: ${figure(is)} ${figureHeads[name]}, was ${figure(was)}`;
      return [{ load: load.load, isMicro, sentence }];
    });
  });
}
