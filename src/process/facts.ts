import { createRequire } from "node:module";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";

const packageFile: unknown = createRequire(import.meta.url)("#package.json");

/** The product's version, as `package.json` states it. */
export const productVersion: string = (packageFile as { readonly version: string }).version;

/** Load of the process. */
export interface ProcessLoad {
  /** 99th percentile of how late the event loop served a timer since the last reading, in milliseconds. */
  readonly event_loop_delay_p99_ms: number;
  /** Resident memory, in megabytes. */
  readonly memory_mb: number;
}

const resolutionMs = 10;

/** How often it is looked whether the process has anything to do, in milliseconds. */
const activityMs = 1_000;
const nanosecondsPerMs = 1e6;
const bytesPerMb = 1_048_576;

/**
 * Starts to watch the process and returns the function that reads how busy it was; each reading starts a new period.
 *
 * `answers` returns how many requests have been answered since the start. The delay of the event loop is measured by
 * waking up a hundred times a second, so only while there are requests: an idle process stays idle.
 */
export function watchProcessLoad(answers: () => number): () => ProcessLoad {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  let last = answers();
  const look = setInterval(() => {
    const now = answers();
    if (now === last) delay.disable();
    else delay.enable();
    last = now;
  }, activityMs);
  look.unref();
  return () => {
    // The histogram holds whole intervals between samples, the resolution included.
    const late = Math.max(0, delay.percentile(99) / nanosecondsPerMs - resolutionMs);
    delay.reset();
    return {
      event_loop_delay_p99_ms: Math.round(late * 10) / 10,
      memory_mb: Math.round(process.memoryUsage.rss() / bytesPerMb),
    };
  };
}

/** Busy time of this thread's event loop, the front end, since the start, in milliseconds. */
export function frontEndBusyMs(): number {
  return performance.eventLoopUtilization().active;
}
