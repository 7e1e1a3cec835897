import { shippedMix } from "../../test/support/shipped-directory.ts";
import { missedBounds } from "../bounds.ts";
import { exitOnSignals, fail, progress, reportFile } from "../command.ts";
import { type LoadKind, loadTitles } from "../load/loads.ts";
import { ownGenerator, thisMachine } from "../report/machine.ts";
import type { Section } from "../report/page.ts";
import { type Result, writeReport } from "../report/report.ts";
import { targetCaveats, targetNotes } from "./notes.ts";
import { minTargetSeconds, singleLoad } from "./plan.ts";
import { findService } from "./reach.ts";
import { runTarget, type TargetStep } from "./run-target.ts";

export interface TargetArguments {
  readonly target: string;
  readonly load: string;
  readonly rate?: number;
  readonly connections?: number;
  readonly duration: number;
  readonly maxSingles: number;
  readonly maxBatches: number;
  /** Bounds of each load; what is absent is not bounded. */
  readonly maxP99?: number;
  readonly maxRefused?: number;
  readonly output?: string;
}

/**
 * `npm run bench -- --target URL`: puts loads on a service that runs elsewhere, with the key in BANKCHECK_KEY, and writes
 * the report.
 *
 * Exit code 1 where the service cannot be measured, or not to the end; 2 where a load missed a bound; 130 after Ctrl-C.
 * What was measured until then is reported.
 */
export async function loadTestTarget(options: TargetArguments): Promise<void> {
  const { load, rate, connections, duration } = options;
  const url = readUrl(options.target);
  const key = readKey();
  if (!Object.hasOwn(loadTitles, load)) fail(`--load takes ${Object.keys(loadTitles).join(", ")}.`);
  const only = rate ?? connections;
  if (only === undefined && duration < minTargetSeconds) {
    fail(
      `--duration takes at least ${minTargetSeconds} seconds for all loads; --rate or --connections chooses one.`,
    );
  }
  const limits = {
    singles: Math.max(options.maxSingles, load === "singles" ? (rate ?? 0) : 0),
    batches: Math.max(options.maxBatches, load === "batches" ? (rate ?? 0) : 0),
  };
  const output = reportFile("target", options.output);
  const steps: TargetStep[] = [];
  let service: Result["service"] | undefined;
  let isReported = false;
  const report = (ended: string | null) => {
    // What ends on a signal fails after its report.
    if (isReported) return;
    isReported = true;
    const loads = steps.map(({ figures }) => figures);
    const { maxP99, maxRefused } = options;
    const bounds = {
      ...(maxP99 === undefined ? {} : { p99: maxP99 }),
      ...(maxRefused === undefined ? {} : { refused: maxRefused / 100 }),
    };
    const missed = loads.flatMap((load) => missedBounds(load, bounds));
    if (steps.length > 0) {
      const notes = [...missed, ...targetNotes(steps)];
      const sections: readonly Section[] = [
        { title: "Loads", loads },
        {
          title: "What to look into",
          notes: notes.length === 0 ? ["All requests were answered with 200 or 503."] : notes,
        },
        { title: "How far to trust it", notes: targetCaveats(steps, limits) },
      ];
      writeReport(
        output,
        {
          ...{ tool: "target", machine: thisMachine(ownGenerator), service: service! },
          settings: { load, rate, connections, duration, ...limits },
          ...{ ended, loads, findings: { missed } },
        },
        sections,
      );
    }
    if (ended !== null) progress(ended);
    process.exitCode = ended !== null ? 1 : missed.length > 0 ? 2 : 0;
  };
  exitOnSignals(report);
  let ended: string | null = null;
  try {
    service = await findService(url, key);
    await runTarget(
      {
        ...{ url, key, limits, seconds: duration },
        ...(only === undefined ? {} : { only: singleLoad(load as LoadKind, rate, connections) }),
        measured: (step) => {
          steps.push(step);
          progress(`measured: ${step.load.title}`);
        },
      },
      await shippedMix(),
    );
  } catch (error) {
    ended = (error as Error).message;
  }
  report(ended);
}

function readKey(): string {
  const key = process.env["BANKCHECK_KEY"] ?? "";
  if (key === "") fail("No API key: set BANKCHECK_KEY to one of the service's.");
  if (!/^[\x21-\x7e]+$/.test(key))
    fail("BANKCHECK_KEY is not an API key: it contains spaces or characters that no key has.");
  return key;
}

/** Reads the address without repeating it, since it may hold a secret where it is wrong. */
function readUrl(text: string): URL {
  if (URL.canParse(text) && /^https?:\/\/[^?#@]+$/i.test(text)) return new URL(text);
  fail(
    "--target takes the address of a service as https://bankcheck.example, without user, query or fragment.",
  );
}
