import { figure } from "../report/statistics.ts";
import type { LoadKind } from "./loads.ts";
import type { Swept } from "./sweep.ts";

/** All steps of one kind of load in cells: a head, then a row for each offered rate and value. */
export function stepCells(
  setting: string,
  swept: readonly Swept[],
  kind: LoadKind,
): readonly (readonly string[])[] {
  const head = [
    ...["offered/s", setting, "sent/s", "goodput/s", "low–high", "503 %", "p50 ms", "p99 ms"],
    ...["p99 inside ms", "service cores", "generator cores", "other cores", "run queue %", "sent late ms"],
  ];
  const offered = swept[0]?.steps[kind] ?? [];
  const rows = offered.flatMap((_, index) =>
    swept.map(({ value, steps }) => {
      const step = steps[kind][index]!;
      return [
        figure(step.offered),
        String(value),
        figure(step.sent),
        figure(step.goodput),
        `${figure(step.lowest)}–${figure(step.highest)}`,
        figure(step.refused * 100),
        figure(step.p50),
        figure(step.p99),
        figure(step.p99Inside),
        figure(step.serviceCores),
        figure(step.generatorCores),
        figure(step.foreignCores),
        [step.mainDelay, step.workersDelay, step.generatorDelay].map(percent).join(" / "),
        figure(step.late),
      ];
    }),
  );
  return [head, ...rows];
}

function percent(share: number): string {
  return String(Math.round(share * 100));
}
