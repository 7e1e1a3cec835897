import { InvalidArgumentError } from "commander";
import { isDay } from "../banks/editions/days.ts";
import { isLimit } from "../keys/key-file.ts";
import type { KeyLimits } from "../keys/key-table.ts";

/** Returns the limits of a key as a list shows them: `5 at a time, 100/s`, or `none`. */
export function limitsText({ maxConcurrent, maxPerSecond }: KeyLimits): string {
  const limits: string[] = [];
  if (maxConcurrent !== undefined) limits.push(`${maxConcurrent} at a time`);
  if (maxPerSecond !== undefined) limits.push(`${maxPerSecond}/s`);
  return limits.join(", ") || "none";
}

const limitParser = (form: RegExp, what: string) => (text: string) => {
  const limit = Number(form.exec(text)?.[1]);
  if (isLimit(limit)) return limit;
  throw new InvalidArgumentError(`It must be ${what}.`);
};

export const parseLimit = limitParser(/^(\d{1,9})$/, "an integer, at least 1");

export const parseRate = limitParser(
  /^(\d{1,9})(?:\/s)?$/,
  "a number of checks per second, at least 1, as in 1000/s",
);

/** Reads a limit, or `none` for its absence: an option cannot be null. */
export function orNone(parse: (text: string) => number): (text: string) => number | "none" {
  return (text) => (text === "none" ? text : parse(text));
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const maxMs = 3_650 * 86_400_000;

/** Milliseconds of a span of time as people write it, `30m`, `12h` or `90d`; NaN for other text and more than ten years. */
function spanOf(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,7})([mhd])$/.exec(text) ?? [];
  const span = Number(number) * (unitMs[unit] ?? Number.NaN);
  return span > maxMs ? Number.NaN : span;
}

export function parseSpan(text: string): number {
  const span = spanOf(text);
  if (!Number.isNaN(span)) return span;
  throw new InvalidArgumentError(
    "It must be a number of minutes, hours or days, as in 30m, 12h or 90d; at most ten years.",
  );
}

/** Reads a moment to come: a day (`2027-12-31`, its first moment in UTC), a time in ISO 8601, or a span from now on. */
export function parseMoment(text: string): Date {
  const now = Date.now();
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2})?Z)?$/.exec(text) ?? [];
  const time = day === undefined ? now + spanOf(text) : isDay(day) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError(
      "It must be a day as 2027-12-31, a time as 2027-12-31T18:00Z, or a span as 90d of at most ten years.",
    );
  }
  if (time <= now) throw new InvalidArgumentError("It must be in the future.");
  return new Date(time);
}
