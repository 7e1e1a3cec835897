import type { MetricsAnswer, WorkPeriod } from "../contract/api-types.ts";

/** Requests for the metrics themselves are not part of the work. */
const ownRoutes = "/service/metrics";

/**
 * Returns what a process did between two of its readings; from its start where there is no earlier one, or where the
 * earlier one is of the process that it replaced.
 */
export function periodBetween(
  before: MetricsAnswer | undefined,
  then: MetricsAnswer,
  at: number,
  seconds: number,
): WorkPeriod {
  const isSame = before?.process.id === then.process.id && before.process.busy_ms <= then.process.busy_ms;
  const first = isSame ? before : undefined;
  // A worker may be replaced, whose time then begins at zero.
  const more = (count: number, countBefore = 0) => Math.max(0, count - countBefore);
  const since = (of: (reading: MetricsAnswer) => number) => more(of(then), first && of(first));
  const allSince = (of: (reading: MetricsAnswer) => readonly number[]) =>
    of(then).map((count, index) => more(count, first && of(first)[index]));
  // Counted since the machine's start, so that nothing is known without a reading before.
  const onMachine = (of: (machine: MetricsAnswer["machine"]) => number) =>
    before === undefined ? 0 : more(of(then.machine), of(before.machine));
  return {
    at,
    seconds,
    is_first: first === undefined,
    answered: since((reading) => countOf(reading, 200, 400)),
    rejected: since((reading) => countOf(reading, 400, 500)),
    refused: since(({ requests }) => requests.refused),
    // 503 is server_busy, or the state of a service that stops.
    failed: since((reading) => countOf(reading, 500, 503)),
    checks: since(({ requests }) => requests.checks),
    check_counts: allSince(({ durations }) => durations.check.counts),
    wait_counts: allSince(({ durations }) => durations.wait.counts),
    workers_busy_ms: allSince(({ pool }) => pool.busy_ms),
    front_end_busy_ms: since(({ process }) => process.busy_ms),
    waiting: then.pool.waiting,
    event_loop_delay_p99_ms: then.process.event_loop_delay_p99_ms,
    memory_mb: then.process.memory_mb,
    machine_cores: then.machine.cores,
    machine_busy_ms: onMachine(({ busy_ms }) => busy_ms),
    machine_stolen_ms: onMachine(({ stolen_ms }) => stolen_ms),
    worker_restarts: since(({ pool }) => pool.restarts),
    data_loads: since(({ data }) => data.loads),
    data_refusals: since(({ data }) => data.refusals),
  };
}

/** How many requests were answered with a status from one to below another. */
function countOf({ requests }: MetricsAnswer, from: number, below: number): number {
  return requests.by_route
    .filter(({ route, status }) => status >= from && status < below && !route.startsWith(ownRoutes))
    .reduce((sum, { count }) => sum + count, 0);
}
