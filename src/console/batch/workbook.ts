// Reads and writes XLSX in a worker, since a large workbook takes seconds. The page loads this file, and so does the worker
// that it starts.

import type { Cell, FilledRows } from "./columns.ts";
import { missing, UnreadableRows } from "./unreadable-rows.ts";

/** A sheet of a workbook, or a part of it. */
interface WorkbookSheet extends FilledRows {
  readonly rows: Cell[][];
  readonly rowNumbers: number[];
}

/** A request to the worker: to read a file, or to write the lines that came before. */
type Request = { readonly file: Blob } | { readonly lines: readonly unknown[][] } | "write";

/** An answer of the worker, the last of which is not a part of a sheet. */
type Answer = WorkbookSheet | { readonly written?: Blob } | { readonly fault: UnreadableRows["reason"] };

const dayMs = 86_400_000;

/** Cells of one message: the page takes them over in a few milliseconds. */
const maxCells = 20_000;

/** Reads the sheets of a workbook that have rows. Rejects with `UnreadableRows`. */
export async function readWorkbook(file: Blob): Promise<readonly WorkbookSheet[]> {
  const sheets: WorkbookSheet[] = [];
  const take = (part: WorkbookSheet) => {
    const sheet = sheets.find(({ name }) => name === part.name);
    sheet?.rows.push(...part.rows);
    sheet?.rowNumbers.push(...part.rowNumbers);
    if (sheet === undefined) sheets.push(part);
  };
  await inWorker((send) => send({ file }), take);
  return sheets;
}

/** Writes lines as the only sheet of a workbook: numbers and dates as such, all else as text, so that nothing loses zeros. Rejects with `UnreadableRows`. */
export async function writeWorkbook(slices: AsyncIterable<readonly unknown[][]>): Promise<Blob> {
  const written = await inWorker(async (send) => {
    for await (const lines of slices) send({ lines });
    send("write");
  });
  return written!;
}

/** Starts a worker, sends it what `ask` sends, and takes the parts of sheets that it answers with before its last answer. */
async function inWorker(
  ask: (send: (request: Request) => void) => Promise<void> | void,
  take: (part: WorkbookSheet) => void = () => {},
): Promise<Blob | undefined> {
  const worker = new Worker(import.meta.url, { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
        if ("fault" in data) reject(new UnreadableRows(data.fault));
        else if ("rows" in data) take(data);
        else resolve(data.written);
      });
      worker.addEventListener("error", () => reject(new UnreadableRows("libraryMissing")));
      Promise.resolve(ask((request) => worker.postMessage(request))).catch(reject);
    });
  } finally {
    worker.terminate();
  }
}

if (typeof document === "undefined") {
  const lines: unknown[][] = [];
  const answer = (message: Answer) => postMessage(message);
  addEventListener("message", ({ data }: MessageEvent<Request>) => {
    if (data !== "write" && "lines" in data) lines.push(...data.lines);
    else
      (data === "write" ? write(lines, answer) : read(data.file, answer)).catch((error: unknown) =>
        answer({ fault: error instanceof UnreadableRows ? error.reason : "noText" }),
      );
  });
}

async function read(file: Blob, answer: (message: Answer) => void): Promise<void> {
  const { default: readSheets } = await import("read-excel-file/universal").catch(missing);
  for (const { sheet: name, data } of await readSheets(file)) {
    const filled = data
      .map((cells, index) => ({ fields: cells.map(cellOf), number: index + 1 }))
      .filter(({ fields }) => fields.some((field) => typeof field !== "string" || field.trim() !== ""));
    const count = Math.max(1, Math.floor(maxCells / (data[0]?.length ?? 1)));
    for (let first = 0; first < filled.length; first += count) {
      const part = filled.slice(first, first + count);
      const rows = part.map(({ fields }) => fields);
      answer({ name, rows, rowNumbers: part.map(({ number }) => number) });
    }
  }
  answer({});
}

async function write(lines: readonly unknown[][], answer: (message: Answer) => void): Promise<void> {
  const { default: writeSheet } = await import("write-excel-file/universal").catch(missing);
  const cells = lines.map((line) => line.map(written));
  answer({ written: await writeSheet(cells).toBlob() });
}

/** The time of a date is to the second, as 08:30 is read as a little less. */
function cellOf(cell: unknown): Cell {
  if (cell instanceof Date) return new Date(Math.round(cell.getTime() / 1_000) * 1_000);
  return typeof cell === "number" ? cell : String(cell ?? "");
}

function written(value: unknown) {
  if (value instanceof Date) {
    const isDay = value.getTime() % dayMs === 0;
    return { value, type: Date, format: isDay ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm:ss" } as const;
  }
  return typeof value === "number" ? { value, type: Number } : { value: String(value ?? ""), type: String };
}
