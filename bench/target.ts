import { writeFileSync } from "node:fs";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { fail, numberOf, prepareOutput } from "./command.ts";
import { aligned } from "./report/table.ts";
import { minTargetSeconds, runTarget, type TargetOptions, type TargetStep } from "./target/run-target.ts";
import { targetCells, targetNotes, targetReport } from "./target/target-report.ts";

const print = (text: string) => process.stdout.write(`${text}\n`);

/** The options of `npm run bench -- --target`, as they were given. */
export interface TargetTexts {
  readonly target: string;
  readonly "max-singles": string;
  readonly "max-batches": string;
  readonly "max-seconds": string;
  /** Where the report goes; the figures go beside it as JSON. */
  readonly output: string;
}

/**
 * `npm run bench -- --target URL`: puts the loads on a service that runs elsewhere, with the key in BANKCHECK_KEY, and
 * writes the report.
 *
 * Ends the process with 1 and one sentence where the service cannot be measured, or not to the end, and with 130 after
 * Ctrl-C; what was measured until then is reported.
 */
export async function benchTarget(texts: TargetTexts): Promise<never> {
  const { output } = texts;
  const max = 100_000;
  const interrupted = new AbortController();
  const steps: TargetStep[] = [];
  const options: TargetOptions = {
    ...{ url: readUrl(texts.target), key: readKey() },
    maxSingles: numberOf("max-singles", texts["max-singles"], { min: 1, max }),
    maxBatches: numberOf("max-batches", texts["max-batches"], { min: 1, max }),
    seconds: numberOf("max-seconds", texts["max-seconds"], { min: minTargetSeconds, max }),
    measured: (step) => {
      steps.push(step);
      process.stderr.write(`measured: ${step.load}\n`);
    },
    signal: interrupted.signal,
  };
  prepareOutput(output);
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interrupted.abort());
  let ended: string | undefined;
  try {
    await runTarget(options, await shippedMix());
    if (interrupted.signal.aborted) ended = "The run was interrupted.";
  } catch (error) {
    ended = (error as Error).message;
  }
  if (steps.length > 0) {
    print(aligned(targetCells(steps)));
    for (const note of targetNotes(steps)) print(`- ${note}`);
    writeFileSync(
      `${output.replace(/\.html$/, "")}.json`,
      `${JSON.stringify({ url: options.url.href, ended, steps }, null, 2)}\n`,
    );
    writeFileSync(output, targetReport(steps, options, new Date().toISOString().slice(0, 10), ended));
    print(`The report is ${output}.`);
  }
  if (ended !== undefined) process.stderr.write(`${ended}\n`);
  process.exit(interrupted.signal.aborted ? 130 : ended === undefined ? 0 : 1);
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
