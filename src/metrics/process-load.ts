import { monitorEventLoopDelay } from "node:perf_hooks";
import type { MetricsAnswer } from "../contract/api-types.ts";

export type ProcessLoad = Pick<MetricsAnswer["process"], "event_loop_delay_p99_ms" | "memory_mb">;

const resolutionMs = 10;

/** How often the load is read, and how many readings make a period. */
const lookMs = 1_000;
const looksPerPeriod = 10;
const nanosecondsPerMs = 1e6;
const bytesPerMb = 1_048_576;
let lastResidentBytes = process.memoryUsage.rss();

/** Returns the resident memory of the process; as last read where no descriptor is free to read it with. */
export function residentBytes(): number {
  try {
    lastResidentBytes = process.memoryUsage.rss();
  } catch {
    // Too many open files: the previous value is used again.
  }
  return lastResidentBytes;
}

/**
 * Starts to watch the process and returns the function that reads how busy it is; a reading changes nothing for the next
 * reader. The delay of the event loop is that of the last ten to twenty seconds.
 *
 * `answers` returns how many requests have been answered since the start. The delay of the event loop is measured by
 * waking up a hundred times a second, so only while there are requests: an idle process stays idle.
 */
export function watchProcessLoad(answers: () => number): () => ProcessLoad {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  // The histogram holds whole intervals between samples, the resolution included.
  const lateMs = () => Math.max(0, delay.percentile(99) / nanosecondsPerMs - resolutionMs);
  let last = answers();
  let lateBefore = 0;
  let looks = 0;
  setInterval(() => {
    const now = answers();
    if (now === last) delay.disable();
    else delay.enable();
    last = now;
    if (++looks % looksPerPeriod > 0) return;
    lateBefore = lateMs();
    delay.reset();
  }, lookMs).unref();
  return () => ({
    event_loop_delay_p99_ms: Math.round(Math.max(lateBefore, lateMs()) * 10) / 10,
    memory_mb: Math.round(residentBytes() / bytesPerMb),
  });
}
