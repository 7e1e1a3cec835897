import type { ChildProcess } from "node:child_process";
import type { LiveEdition } from "../banks/editions/live-edition.ts";
import { durationBounds } from "../contract/durations.ts";
import { periodBetween, type Reading } from "../contract/work-period.ts";
import type { WorkReader } from "../http/operations/operations.ts";
import type { MetricReadings, Sample } from "../metrics/exposition.ts";
import type { RequestCounts } from "../metrics/request-counts.ts";
import { refusalReasons } from "../pool/admission.ts";
import type { CheckPool } from "../pool/check-pool.ts";
import { frontEndBusyMs, type ProcessLoad, productVersion } from "../process/facts.ts";
import type { UsageRecorder } from "../usage/usage-recorder.ts";

const periodMs = 10_000;
const keptMs = 3_600_000;

/** Work of the processes in the last hour; a period takes some 400 bytes, so an hour of a process about 150 KB. */
export class WorkHistory {
  readonly #periods = new Map<number, string[]>();

  /** Adds a period of a process as JSON, and forgets the one that is an hour old. */
  add(number: number, period: string): void {
    const periods = this.#periods.get(number) ?? [];
    periods.push(period);
    if (periods.length > keptMs / periodMs) periods.shift();
    this.#periods.set(number, periods);
  }

  /** The answer of `GET /service/metrics/history`. */
  get answer(): string {
    const processes = [...this.#periods]
      .toSorted(([one], [other]) => one - other)
      .map(([number, periods]) => `{"number":${number},"periods":[${periods.join(",")}]}`);
    return `{"bounds_ms":${JSON.stringify(durationBounds)},"processes":[${processes.join(",")}]}`;
  }
}

/** Returns the answer of `GET /service/metrics/processes` from readings as JSON, by the number of their process. */
export function processesAnswer(readings: ReadonlyMap<number, string | undefined>): string {
  const sorted = [...readings].toSorted(([one], [other]) => one - other);
  const processes = sorted
    .filter(([, reading]) => reading !== undefined)
    .map(([number, reading]) => `{"number":${number},"metrics":${reading}}`);
  const missing = sorted.filter(([, reading]) => reading === undefined).map(([number]) => number);
  return `{"processes":[${processes.join(",")}],"missing":${JSON.stringify(missing)}}`;
}

/** Reads the work of the process every ten seconds and passes it on as JSON; the returned function ends that. */
export function recordWork(read: () => Reading, onPeriod: (period: string) => void): () => void {
  let before: Reading | undefined;
  let readAt = performance.now() - process.uptime() * 1_000;
  const timer = setInterval(() => {
    const now = performance.now();
    const then = read();
    const at = Math.round(Date.now() / 100) / 10;
    onPeriod(JSON.stringify(periodBetween(before, then, at, Math.round(now - readAt) / 1_000)));
    before = then;
    readAt = now;
  }, periodMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** The work of a service of one process. */
export function workAlone(history: WorkHistory, read: () => Reading): WorkReader {
  return {
    own: read,
    processes: async () => processesAnswer(new Map([[0, JSON.stringify(read())]])),
    history: async () => history.answer,
  };
}

/** A question about all processes that a process may ask its supervisor. */
type Question = Exclude<keyof WorkReader, "own">;

/** Message of a process to its supervisor: a finished period, a requested reading, or a question. */
export type WorkReport =
  | { readonly period: string }
  | { readonly reading: string; readonly question: number }
  | { readonly asks: Question; readonly question: number };

/** Message of the supervisor to a process: a request for a reading, or the answer to a question. */
export type WorkOrder = { readonly read: number } | { readonly answer: string; readonly question: number };

/** How long the supervisor waits for the readings of all processes, and a process for the supervisor. */
const readingsMs = 500;
const supervisorMs = 2_000;

interface OpenQuestion {
  readonly readings: Map<number, string | undefined>;
  answer(): void;
}

/** The supervisor's side: keeps the history of all processes, which outlives each, and asks them all for a reading. */
export class WorkDesk {
  readonly #history = new WorkHistory();
  readonly #processes = new Map<number, ChildProcess>();
  readonly #open = new Map<number, OpenQuestion>();
  #questions = 0;

  /** Listens to a process of this number until it ends. */
  join(number: number, child: ChildProcess): void {
    this.#processes.set(number, child);
    child.on("message", (message) => {
      if (typeof message === "object") this.#heard(number, child, message as WorkReport);
    });
    child.once("exit", () => {
      if (this.#processes.get(number) === child) this.#processes.delete(number);
    });
  }

  #heard(number: number, child: ChildProcess, report: WorkReport): void {
    if ("period" in report) this.#history.add(number, report.period);
    else if ("reading" in report) this.#take(number, report);
    else if ("asks" in report) {
      const answer = (text: string) => send(child, { answer: text, question: report.question });
      if (report.asks === "history") answer(this.#history.answer);
      else this.#askAll(answer);
    }
  }

  #askAll(answer: (text: string) => void): void {
    const question = this.#questions++;
    const readings = new Map<number, string | undefined>();
    const done = () => {
      clearTimeout(timer);
      this.#open.delete(question);
      answer(processesAnswer(readings));
    };
    const timer = setTimeout(done, readingsMs);
    this.#open.set(question, { readings, answer: done });
    for (const [number, child] of this.#processes) {
      readings.set(number, undefined);
      send(child, { read: question });
    }
  }

  #take(number: number, { reading, question }: { reading: string; question: number }): void {
    const open = this.#open.get(question);
    open?.readings.set(number, reading);
    if (open !== undefined && [...open.readings.values()].every((each) => each !== undefined)) open.answer();
  }
}

/** A process that has just ended takes no message. */
function send(child: ChildProcess, order: WorkOrder): void {
  if (child.connected) child.send(order, () => {});
}

/** The side of a process of several: answers the supervisor's orders, and asks it for the work of all. */
export function workOfSeveral(read: () => Reading): WorkReader {
  const open = new Map<number, (answer: string) => void>();
  let questions = 0;
  process.on("message", (order: WorkOrder) => {
    if (typeof order !== "object") return;
    if ("read" in order) report({ reading: JSON.stringify(read()), question: order.read });
    else open.get(order.question)?.(order.answer);
  });
  const ask = (asks: Question, otherwise: () => string) => {
    const question = questions++;
    return new Promise<string>((resolve) => {
      const done = (answer: string) => {
        clearTimeout(timer);
        open.delete(question);
        resolve(answer);
      };
      const timer = setTimeout(() => done(otherwise()), supervisorMs);
      open.set(question, done);
      report({ asks, question });
    });
  };
  return {
    own: read,
    processes: () => ask("processes", () => processesAnswer(new Map())),
    history: () => ask("history", () => new WorkHistory().answer),
  };
}

/** Sends a report to the supervisor, unless it has gone. */
export function report(message: WorkReport): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

/** Sources of the metrics. */
interface ReadingSources {
  readonly counts: RequestCounts;
  readonly pool: CheckPool;
  /** How many streams are open. */
  streams(): number;
  readonly usage: UsageRecorder;
  /** The bank data in use. */
  readonly live: LiveEdition;
  /** How many log lines were dropped because they were not read. */
  droppedLogLines(): number;
  /** How busy the process has been since the last call. */
  load(): ProcessLoad;
}

const secondsPerMs = 1 / 1_000;
const secondsPerDay = 86_400;
const secondsPerMicrosecond = 1 / 1_000_000;

const one = (value: number): readonly Sample[] => [{ value }];

/** Returns the functions that read the metrics of the table. */
export function serviceReadings({
  counts,
  pool,
  usage,
  live,
  streams,
  droppedLogLines,
  load,
}: ReadingSources): MetricReadings {
  return {
    requests: () =>
      [...counts.byRouteAndStatus()].map(({ method, route, status, count }) => ({
        labels: { method, route, status: String(status) },
        value: count,
      })),
    requestDuration: () =>
      counts.routes
        .map((labels, number) => ({ labels: { ...labels }, value: counts.durations[number]! }))
        .slice(1),
    refused: () => refusalReasons.map((reason) => ({ labels: { reason }, value: pool.refused[reason] })),
    checks: () => one(counts.checks),
    usagePending: () => one(usage.pending),
    usageLag: () => one(usage.lagMs * secondsPerMs),
    usageLost: () => one(usage.lost),
    streams: () => one(streams()),
    inside: () => one(pool.inside),
    ceiling: () => one(pool.ceiling),
    largeCeiling: () => one(pool.largeCeiling),
    queueDepth: () => one(pool.waiting),
    queueWait: () => [{ value: counts.queueWait }],
    workers: () => one(pool.size),
    workerBusy: () =>
      pool.busyMs.map((busy, worker) => ({ labels: { worker: String(worker) }, value: busy * secondsPerMs })),
    workerRestarts: () => one(pool.restarts),
    failingTasks: () => one(pool.failingKinds),
    frontEndBusy: () => one(frontEndBusyMs() * secondsPerMs),
    eventLoopDelay: () => one(load().event_loop_delay_p99_ms * secondsPerMs),
    dataInfo: () => {
      const { edition, other_countries } = live.facts;
      return [{ labels: { edition, other_countries }, value: 1 }];
    },
    dataAge: () => {
      const { age_days } = live.facts;
      return age_days === null ? [] : one(age_days * secondsPerDay);
    },
    dataExpired: () => one(Number(live.facts.expired)),
    dataListAge: () =>
      live.lists.flatMap(({ country, age_days }) =>
        age_days === null ? [] : [{ labels: { country }, value: age_days * secondsPerDay }],
      ),
    dataListRows: () => live.lists.map(({ country, rows }) => ({ labels: { country }, value: rows })),
    dataLoads: () => one(live.facts.loads),
    dataRefusals: () => one(live.facts.refusals),
    logDropped: () => one(droppedLogLines()),
    buildInfo: () => [{ labels: { version: productVersion, node: process.version }, value: 1 }],
    cpu: () => {
      const { user, system } = process.cpuUsage();
      return one((user + system) * secondsPerMicrosecond);
    },
    memory: () => one(process.memoryUsage.rss()),
    startTime: () => one((Date.now() - process.uptime() / secondsPerMs) * secondsPerMs),
  };
}
