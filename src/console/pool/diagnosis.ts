import type { Moment } from "./history.ts";

/** What limits the service, as far as the last readings show it. */
export type Diagnosis =
  | "idle"
  | "roomy"
  | "frontEndFull"
  | "workersFull"
  | "workersFullAndRefusing"
  | "burstsRefused"
  | "stalls"
  | "failing"
  | "noData";

/** How bad it is: nothing to do, to be watched, to be acted on. */
export type Severity = "calm" | "watch" | "act";

/** So many seconds are looked at, so that one busy second decides nothing. */
const lookedAtSeconds = 15;
const full = 0.85;
const quiet = 0.05;
const lateMs = 100;

const severities: Readonly<Record<Diagnosis, Severity>> = {
  idle: "calm",
  roomy: "calm",
  frontEndFull: "act",
  workersFull: "watch",
  workersFullAndRefusing: "act",
  burstsRefused: "watch",
  stalls: "act",
  failing: "act",
  noData: "act",
};

/**
 * Tells from the last seconds of readings what limits the service; undefined as long as there are no rates. The first
 * condition that holds wins: no data, failing tasks, a full front end, full workers, bursts, stalls.
 */
export function diagnose(
  moments: readonly Moment[],
): { readonly name: Diagnosis; readonly severity: Severity } | undefined {
  const last = moments.at(-1);
  const looked = moments.filter(
    ({ at, rates }) => rates !== undefined && at > (last?.at ?? 0) - lookedAtSeconds,
  );
  const reading = looked.at(-1)?.reading;
  if (reading === undefined) return undefined;
  const mean = (value: (moment: Moment) => number) =>
    looked.reduce((sum, moment) => sum + value(moment), 0) / looked.length;
  const frontEnd = mean(({ rates }) => rates!.frontEnd);
  const workers = mean(
    ({ rates }) => rates!.workers.reduce((sum, share) => sum + share, 0) / rates!.workers.length,
  );
  const refused = mean(({ rates }) => rates!.requests.refused);
  const requests = mean(({ rates }) =>
    Object.values(rates!.requests).reduce((sum: number, count: number) => sum + count, 0),
  );
  const late = mean(({ reading: seen }) => seen?.process.event_loop_delay_p99_ms ?? 0);
  const name = ((): Diagnosis => {
    if (reading.data.edition === "") return "noData";
    if (reading.pool.failing_task_kinds > 0) return "failing";
    if (frontEnd >= full) return "frontEndFull";
    if (workers >= full) return refused > 0 ? "workersFullAndRefusing" : "workersFull";
    if (refused > 0) return "burstsRefused";
    if (late >= lateMs && requests > 1) return "stalls";
    return requests < 1 && frontEnd < quiet ? "idle" : "roomy";
  })();
  return { name, severity: severities[name] };
}
