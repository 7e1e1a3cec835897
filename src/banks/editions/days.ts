const format = new Intl.DateTimeFormat("en", {
  timeZone: "Europe/Berlin",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

const millisecondsPerDay = 86_400_000;

/** Returns the day in Berlin (`2026-09-07`), where German bank data changes at midnight, at a time in milliseconds since 1970. */
export function berlinDay(time: number): string {
  const { year, month, day } = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, value]),
  );
  return `${year}-${month}-${day}`;
}

/** Returns when a day or month begins in Berlin, in milliseconds since 1970. */
export function berlinMidnight(day: string): number {
  const inWinter = Date.parse(`${day}T00:00:00+01:00`);
  const inSummer = Date.parse(`${day}T00:00:00+02:00`);
  return berlinDay(inSummer).startsWith(day) ? inSummer : inWinter;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * millisecondsPerDay).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / millisecondsPerDay);
}

/** First and, where known, last day of an edition. */
export interface Validity {
  readonly validFrom: string;
  readonly validUntil?: string;
}

/** Whether a text is a day like `2026-09-07` that the calendar has. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const german = String.raw`(?<!\d)(?<date>\d{1,2})[./-](?<month>\d{1,2})[./-](?<year>20\d\d)(?!\d)`;
const iso = String.raw`(?<!\d)(?<isoYear>20\d\d)[-_.]?(?<isoMonth>\d\d)[-_.]?(?<isoDate>\d\d)(?!\d)`;

function daysIn(text: string, form: string): readonly string[] {
  return [...text.matchAll(new RegExp(form, "g"))]
    .map(({ groups = {} }) => {
      const { date, month, year, isoYear = year, isoMonth = month, isoDate = date } = groups;
      return `${isoYear}-${isoMonth!.padStart(2, "0")}-${isoDate!.padStart(2, "0")}`;
    })
    .filter(isDay);
}

/**
 * Reads the days of validity from a file's name, as in the Bundesbank's archives: `blz_20260907.txt`,
 * `blz-2026-09-07-2026-12-06.xml`. Undefined for a name without a day.
 */
export function validityInName(fileName: string): Validity | undefined {
  return validityOf(daysIn(fileName, iso));
}

/** Reads the days of validity out of a German sentence: "gültig vom 07.09.2026 bis 06.12.2026". */
export function validityInText(text: string): Validity | undefined {
  return validityOf(daysIn(text, german));
}

/** Reads the last day that a text names: "Abfrage vom 14.07.2025", "Version 12/05/2026", "2026-11-20". */
export function dayInText(text: string): string | undefined {
  return daysIn(text, `${german}|${iso}`).at(-1);
}

function validityOf([validFrom, validUntil]: readonly string[]): Validity | undefined {
  if (validFrom === undefined) return undefined;
  return validUntil === undefined || validUntil < validFrom ? { validFrom } : { validFrom, validUntil };
}

/** Returns the day, month or year in an edition as a source names it: "2025.09.0" is September 2025, "2.2" none. */
export function statedDay(edition: string): string | null {
  return /^\d{4}([-.]\d\d)?([-.]\d\d)?(?!\d)/.exec(edition)?.[0].replaceAll(".", "-") ?? null;
}
