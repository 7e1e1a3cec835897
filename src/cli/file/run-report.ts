import type { RetryNotice } from "../../client/options.ts";
import { type VerdictWord, verdictOf, verdictWords } from "../../contract/verdict.ts";
import { retryText, writeNote } from "../connection.ts";
import type { FileRequest, ProgressFacts, RowCounts } from "./run-state.ts";

export interface RunOptions {
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly failOnInvalid?: boolean;
}

export type RunReport = ReturnType<typeof runReport>;

/** Reports runs: on a terminal in one line that changes, otherwise in separate lines. */
export function runReport(options: RunOptions) {
  const { quiet, json } = options;
  let endLine: (() => void) | undefined;
  let waiting = { text: "", until: 0 };
  /** Writes what also those must know who want no notes. */
  const warn = (note: string) => writeNote(note, options);
  const note = (text: string) => {
    if (!quiet) warn(text);
  };
  return {
    warn,
    note,
    begin: (facts: () => ProgressFacts) => {
      if (!process.stderr.isTTY || quiet) return;
      const show = () => {
        const line = performance.now() < waiting.until ? waiting.text : progressLine(facts());
        process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns ?? 120) - 1)}`);
      };
      const timer = setInterval(show, 200);
      endLine = () => {
        clearInterval(timer);
        show();
        process.stderr.write("\n");
      };
    },
    retry: (notice: RetryNotice) => {
      if (!notice.pausesAll || quiet) return;
      if (endLine === undefined) note(retryText(notice));
      else waiting = { text: retryText(notice), until: performance.now() + notice.delay };
    },
    end: () => {
      endLine?.();
      endLine = undefined;
    },
    summary: (summary: ProgressFacts, { output }: FileRequest) => {
      const { counts, before, seconds } = summary;
      const perSecond = Math.round((counts.rows - before) / seconds);
      if (json) {
        const facts = { ...counts, rows_before: before, seconds, rows_per_second: perSecond };
        // Standard output belongs to the rows where they go there.
        const stream = output === undefined ? process.stderr : process.stdout;
        stream.write(`${JSON.stringify(facts)}\n`);
      } else if (!quiet) {
        process.stderr.write(summaryText(summary));
      }
    },
  };
}

function summaryText({ counts, before, seconds }: ProgressFacts): string {
  const row = counts.rows === 1 ? "row" : "rows";
  const earlier = before === 0 ? "" : ` (${formatCount(before)} of them before)`;
  const reasons = [...Object.entries(counts.reasons), ...Object.entries(counts.warnings ?? {})]
    .sort(([, one], [, other]) => other - one)
    .map(([reason, times]) => countLine(reason, times));
  return (
    `Checked ${formatCount(counts.rows)} ${row}${earlier} in ${seconds.toFixed(1)} s: ${verdictCounts(counts).join(" · ")}\n` +
    `${reasons.join("")}${refusedText(counts)}`
  );
}

/** How many rows have which of the three verdicts, in the words of all places. */
function verdictCounts({ valid, invalid, reasons, warnings = {} }: RowCounts): readonly string[] {
  const doubtful = (counted: typeof reasons, isValid: boolean) =>
    Object.entries(counted)
      .filter(([reason]) => verdictOf(isValid, reason) === "doubtful")
      .reduce((sum, [, times]) => sum + times, 0);
  const [warned, reserved] = [doubtful(warnings, true), doubtful(reasons, false)];
  const counts = { valid: valid - warned, doubtful: warned + reserved, invalid: invalid - reserved };
  return Object.entries(verdictWords).flatMap(([word, { en }]) => {
    const count = counts[word as VerdictWord];
    return word === "doubtful" && count === 0 ? [] : [`${en} ${formatCount(count)}`];
  });
}

function refusedText({ refused = {} }: RowCounts): string {
  const lines = Object.entries(refused).map(([what, times]) => countLine(what, times));
  return lines.length === 0
    ? ""
    : `Refused by the SEPA rulebooks, see the column rulebook:\n${lines.join("")}`;
}

function countLine(what: string, times: number): string {
  return `  ${formatCount(times).padStart(9)}  ${what}\n`;
}

const barWidth = 24;

const { format: formatCount } = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Returns one line that says how far a run is: bar, rows, rows/s, time left, the results, requests in flight. */
export function progressLine(facts: ProgressFacts): string {
  const { counts, before, share, shareBefore, seconds, concurrency } = facts;
  const parts = [
    `${formatCount(counts.rows)} rows`,
    `${formatCount((counts.rows - before) / Math.max(seconds, 0.001))}/s`,
    ...verdictCounts(counts),
    `in flight ≤ ${concurrency}`,
  ];
  if (share === undefined) return parts.join("  ");
  const filled = Math.round(share * barWidth);
  const bar = `${"█".repeat(filled)}${"░".repeat(barWidth - filled)}`;
  const left = share > shareBefore ? (seconds / (share - shareBefore)) * (1 - share) : undefined;
  return [
    bar,
    `${Math.floor(share * 100)} %`,
    ...parts,
    `left ${left === undefined ? "?" : clock(left)}`,
  ].join("  ");
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60), whole % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
