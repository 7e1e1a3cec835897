/** First and, where known, last day of an edition. */
export interface Validity {
  readonly validFrom: string;
  readonly validUntil?: string;
}

/** Whether a text is a day like `2026-09-07` that the calendar has. */
export function isCalendarDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Reads the days of validity out of a file's name, as the Bundesbank's archives give them: `blz_20260907.txt`,
 * `blz-2026-09-07-2026-12-06.xml`. Undefined for a name without a day.
 */
export function validityInName(fileName: string): Validity | undefined {
  const found = [...fileName.matchAll(/(?<!\d)(20\d\d)[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)/g)]
    .map(([, year, month, date]) => `${year}-${month}-${date}`)
    .filter(isCalendarDay);
  return validityOf(found);
}

/** Reads the days of validity out of a German sentence: "gültig vom 07.09.2026 bis 06.12.2026". */
export function validityInText(text: string): Validity | undefined {
  const found = [...text.matchAll(/(?<!\d)(\d{1,2})\.(\d{1,2})\.(20\d\d)(?!\d)/g)]
    .map(([, date, month, year]) => `${year}-${month!.padStart(2, "0")}-${date!.padStart(2, "0")}`)
    .filter(isCalendarDay);
  return validityOf(found);
}

/** Reads the last day that a text names: "Abfrage vom 14.07.2025", "Version 12/05/2026", "2026-11-20". */
export function dayInText(text: string): string | undefined {
  const found = [
    ...text.matchAll(
      /(?<!\d)(\d{1,2})[./-](\d{1,2})[./-](20\d\d)(?!\d)|(?<!\d)(20\d\d)-?(\d\d)-?(\d\d)(?!\d)/g,
    ),
  ]
    .map(([, date, month, year, isoYear, isoMonth, isoDate]) =>
      isoYear === undefined
        ? `${year}-${month!.padStart(2, "0")}-${date!.padStart(2, "0")}`
        : `${isoYear}-${isoMonth}-${isoDate}`,
    )
    .filter(isCalendarDay);
  return found.at(-1);
}

function validityOf([validFrom, validUntil]: readonly string[]): Validity | undefined {
  if (validFrom === undefined) return undefined;
  return validUntil === undefined || validUntil < validFrom ? { validFrom } : { validFrom, validUntil };
}
