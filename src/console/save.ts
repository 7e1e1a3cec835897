import type { Language } from "../contract/language.ts";
import { csvQuoter } from "../rows/verdict.ts";
import { element } from "./element.ts";

/** What spreadsheets expect between the columns of CSV where a language is spoken. */
export const csvDelimiters: Readonly<Record<Language, string>> = { en: ",", de: ";" };

/** Makes a file of lines of CSV, with the mark by which spreadsheets know UTF-8. */
export function csvFile(lines: readonly BlobPart[]): Blob {
  return new Blob(["\uFEFF", ...lines], { type: "text/csv;charset=utf-8" });
}

/** Matches text that a spreadsheet would compute instead of show; amounts with a sign are shown. */
const formula = /^(?:[=@\t\r]|[+-](?!\s*[\d.,]+\s*$))/;

/** Writes rows as lines of CSV; a field that a spreadsheet would compute is prefixed with an apostrophe. */
export function csvLines(rows: readonly (readonly unknown[])[], delimiter: string): string {
  const quoted = csvQuoter(delimiter);
  const field = (value: unknown) => {
    const text = String(value ?? "");
    return formula.test(text) ? `"'${text.replaceAll('"', '""')}"` : quoted(text);
  };
  return rows.map((row) => `${row.map(field).join(delimiter)}\r\n`).join("");
}

/** Firefox reads the file only after the click has been handled. */
const kept = 60_000;

export function save(content: Blob, name: string): void {
  const href = URL.createObjectURL(content);
  element("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), kept);
}
