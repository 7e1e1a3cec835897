import type { RowCounts } from "./run-state.ts";

/** What is told of a run while it continues. */
export interface ProgressFacts {
  readonly counts: RowCounts;
  /** How many rows had been checked before this run continued. */
  readonly before: number;
  /** How much of the input has been read, from 0 to 1; undefined where its size is not known. */
  readonly share: number | undefined;
  /** How much of it earlier runs had done. */
  readonly shareBefore: number;
  readonly seconds: number;
  /** How many requests may be in flight. */
  readonly concurrency: number;
}

const barWidth = 24;
const number = new Intl.NumberFormat("en");

/** Writes a number for people: `1,234,567`. */
export function told(value: number): string {
  return number.format(Math.round(value));
}

/** One line that says how far a run is: bar, rows, rows/s, time left, the results, requests in flight. */
export function progressLine(facts: ProgressFacts): string {
  const { counts, before, share, shareBefore, seconds, concurrency } = facts;
  const parts = [
    `${told(counts.rows)} rows`,
    `${told((counts.rows - before) / Math.max(seconds, 0.001))}/s`,
    `valid ${told(counts.valid)}`,
    `not ${told(counts.invalid)}`,
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

/** Shows a run's progress on a terminal, where it stays on one line. */
export class ProgressDisplay {
  readonly #terminal: { write(text: string): unknown; readonly columns?: number };
  readonly #facts: () => ProgressFacts;
  readonly #timer: NodeJS.Timeout;
  #waiting = { text: "", until: 0 };

  constructor(
    terminal: { write(text: string): unknown; readonly columns?: number },
    facts: () => ProgressFacts,
  ) {
    this.#terminal = terminal;
    this.#facts = facts;
    this.#timer = setInterval(() => this.#show(), 200);
  }

  /** Shows why nothing continues, for as long as that takes. */
  waiting(text: string, milliseconds: number): void {
    this.#waiting = { text, until: performance.now() + milliseconds };
  }

  /** Shows the last state and leaves the line. */
  end(): void {
    clearInterval(this.#timer);
    this.#show();
    this.#terminal.write("\n");
  }

  #show(): void {
    const width = (this.#terminal.columns ?? 120) - 1;
    const { text, until } = this.#waiting;
    const line = performance.now() < until ? text : progressLine(this.#facts());
    this.#terminal.write(`\r\u001b[K${line.slice(0, width)}`);
  }
}
