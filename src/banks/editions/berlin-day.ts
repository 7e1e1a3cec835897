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

/** Returns when a day begins in Berlin, in milliseconds since 1970. */
export function berlinMidnight(day: string): number {
  const inWinter = Date.parse(`${day}T00:00:00+01:00`);
  const inSummer = Date.parse(`${day}T00:00:00+02:00`);
  return berlinDay(inSummer) === day ? inSummer : inWinter;
}

/** Whether a text is a day like `2026-09-07`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Returns the day so many days after another one. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * millisecondsPerDay).toISOString().slice(0, 10);
}

/** Returns how many days lie between two days. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / millisecondsPerDay);
}
