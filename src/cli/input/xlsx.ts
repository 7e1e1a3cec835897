import { allBytes, openArchive } from "../../banks/import/archive.ts";
import { type SheetRow, sheetRows } from "../../banks/import/workbook.ts";
import { InputError, maxRowBytes } from "../../rows/rows.ts";
import { csvQuoter } from "../../rows/verdict.ts";

const maxHeldBytes = 67_108_864;

/**
 * Reads a sheet of an XLSX file as CSV in UTF-8, row by row; empty rows are left out.
 *
 * @param file its path, or its bytes: an archive is read from its end, so that they have to be held.
 * @param sheet name or number (from 1); the first unless given, and others are said.
 */
export async function* openWorkbook(
  file: string | AsyncIterable<Buffer>,
  sheet: string | undefined,
  onNote: (note: string) => void,
): AsyncGenerator<Buffer, void, void> {
  const tooMuch = () =>
    new InputError("An XLSX file from a pipe may be at most 64 MB; name the file instead.");
  const bytes = typeof file === "string" ? file : await allBytes(file, maxHeldBytes, tooMuch);
  const workbook = await openArchive(bytes);
  try {
    const said = (name: string, others: readonly string[]) => {
      if (sheet !== undefined || others.length === 0) return;
      onNote(`Only the sheet ${name} is read; --sheet chooses another: ${others.join(", ")}.`);
    };
    for await (const rows of sheetRows(workbook, sheet, said)) {
      const lines = rows.map(csvLine).join("");
      if (lines !== "") yield Buffer.from(lines, "utf8");
    }
  } finally {
    workbook.close();
  }
}

const quoted = csvQuoter(",");

/** Throws an InputError for a row that is too long to be checked. */
function csvLine({ cells }: SheetRow): string {
  if (!cells.some((value) => value !== "")) return "";
  if (cells.reduce((length, value = "") => length + value.length, 0) > maxRowBytes) {
    throw new InputError("The XLSX file has a row of more than 1 MB; save it as CSV with shorter cells.");
  }
  return `${Array.from(cells, (value = "") => quoted(value)).join(",")}\n`;
}
