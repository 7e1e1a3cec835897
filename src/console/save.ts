import { csvQuoter } from "../rows/verdict.ts";

/** What a spreadsheet would compute instead of show; amounts with a sign are none of it. */
const formula = /^(?:[=@\t\r]|[+-](?!\s*[\d.,]+\s*$))/;

/** Returns what writes rows as lines of CSV; a field that a spreadsheet would compute is prefixed with an apostrophe. */
export function csvWriter(delimiter: string): (rows: readonly (readonly unknown[])[]) => string {
  const quoted = csvQuoter(delimiter);
  const field = (value: unknown) => {
    const text = String(value ?? "");
    return formula.test(text) ? `"'${text.replaceAll('"', '""')}"` : quoted(text);
  };
  return (rows) => rows.map((row) => `${row.map(field).join(delimiter)}\r\n`).join("");
}

/** Firefox reads the file only after the click has been handled. */
const kept = 60_000;

/** Has the browser save a file. */
export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), kept);
}
