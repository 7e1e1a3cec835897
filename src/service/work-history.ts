import { performance } from "node:perf_hooks";
import type { MetricsAnswer } from "../contract/api-types.ts";
import { durationBounds } from "../contract/durations.ts";
import { periodBetween } from "../metrics/work-period.ts";

const periodMs = 10_000;
const keptMs = 3_600_000;

/** Work of the processes in the last hour; a period takes some 400 bytes, so an hour of a process about 150 KB. */
export class WorkHistory {
  readonly #periods = new Map<number, string[]>();

  /** Adds a period of a process as JSON, and forgets the one that is an hour old. */
  add(number: number, period: string): void {
    const periods = [...(this.#periods.get(number) ?? []), period];
    this.#periods.set(number, periods.slice(-keptMs / periodMs));
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
export function processesAnswer(readings: readonly (readonly [number, string | undefined])[]): string {
  const sorted = readings.toSorted(([one], [other]) => one - other);
  const answered = sorted.filter(([, reading]) => reading !== undefined);
  const processes = answered.map(([number, reading]) => `{"number":${number},"metrics":${reading}}`);
  const missing = sorted.flatMap(([number, reading]) => (reading === undefined ? [number] : []));
  return `{"processes":[${processes.join(",")}],"missing":${JSON.stringify(missing)}}`;
}

/** Reads the work of the process every ten seconds and passes it on as JSON; the returned function ends that. */
export function recordWork(read: () => MetricsAnswer, onPeriod: (period: string) => void): () => void {
  let before: MetricsAnswer | undefined;
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
