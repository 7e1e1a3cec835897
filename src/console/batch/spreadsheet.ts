import { UnreadableRows } from "./csv-table.ts";

/** Whether a file is an XLSX workbook or another ZIP archive, by its first bytes. */
export async function isZip(file: Blob): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x50 && second === 0x4b;
}

/** Reads the first sheet of an XLSX workbook as rows of text. Rejects with `UnreadableRows`. */
export async function readSpreadsheet(file: Blob): Promise<string[][]> {
  const { readSheet } = await import("read-excel-file/universal");
  try {
    const rows = await readSheet(file);
    return rows.map((row) => row.map(textOf));
  } catch {
    throw new UnreadableRows("noText");
  }
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell);
}

/** Writes rows as the only sheet of an XLSX workbook; all cells are text, so that none is computed or loses zeros. */
export async function writeSpreadsheet(rows: readonly (readonly unknown[])[]): Promise<Blob> {
  const { default: write } = await import("write-excel-file/universal");
  const cells = rows.map((row) => row.map((value) => ({ value: String(value ?? ""), type: String })));
  return write(cells).toBlob();
}
