import { type FilledRows, type Sheet, sheetOf } from "./columns.ts";
import { rest } from "./slices.ts";
import { missing, UnreadableRows } from "./unreadable-rows.ts";

/** More rows than this would be higher than a browser lets an element be. */
const maxRows = 400_000;
const maxBytes = 128 * 1024 * 1024;
const headLength = 65_536;
/** The beginning of XML or HTML, whose lines are not rows. */
const markup = /^\s*<(?:\?xml|!doctype|html|document)\b/i;
/** First bytes, as Latin-1. Source: ISO 32000, PNG, JPEG, GIF, TIFF, WebP, HEIF. */
const pdf = /^%PDF-/;
const image = /^(?:\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*|RIFF.{4}WEBP|.{4}ftyp(?:hei|mif|avif))/s;
/** Cut into rows in a few milliseconds. */
const sliceLength = 32_768;

/** Reads the rows of a text or of a file, as CSV or as the sheets of a workbook that have any. Rejects with `UnreadableRows`, or as the file does. */
export async function readSheets(content: Blob | string): Promise<readonly Sheet[]> {
  if (typeof content === "string") return sheetsOfText(content, false);
  if (content.size > maxBytes) throw new UnreadableRows("tooMany");
  const head = String.fromCharCode(...new Uint8Array(await content.slice(0, 16).arrayBuffer()));
  if (pdf.test(head)) throw new UnreadableRows("pdf");
  if (image.test(head)) throw new UnreadableRows("image");
  if (!head.startsWith("PK")) return sheetsOfText(await textOf(content, head), true);
  const { readWorkbook } = await import("./workbook.ts").catch(missing);
  return sheetsOf(await readWorkbook(content));
}

/** Decodes UTF-8, UTF-16 with its byte order mark, or else Latin-1 as Windows has it. */
async function textOf(content: Blob, head: string): Promise<string> {
  if (/^(?:\xff\xfe|\xfe\xff)/.test(head))
    return decoded(content, head.startsWith("\xff") ? "utf-16le" : "utf-16be");
  return decoded(content, "utf-8", true).catch(() => decoded(content, "windows-1252"));
}

/** Decodes piece by piece, since a whole file would take longer than the page may. */
async function decoded(content: Blob, encoding: string, fatal = false): Promise<string> {
  const pieces = content.stream().pipeThrough(new TextDecoderStream(encoding, { fatal })).getReader();
  let text = "";
  for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
    text += piece.value;
    await rest();
  }
  return text;
}

/** Finds the rows of a text: of a table, a payment message or JSON, or else the numbers that are in it. */
async function sheetsOfText(given: string, isFile: boolean): Promise<readonly Sheet[]> {
  if (given.slice(0, headLength).includes("\0")) throw new UnreadableRows("noText");
  await rest();
  const documents = () => import("./documents.ts").catch(missing);
  if (markup.test(given)) {
    const accounts = (await documents()).paymentRows(given);
    if (accounts === undefined) throw new UnreadableRows("noText");
    return sheetsOf([accounts]);
  }
  if (/^\uFEFF?\s*[[{]/.test(given)) {
    const values = (await documents()).jsonRows(given.replace(/^\uFEFF/, ""));
    if (values !== undefined) return sheetsOf([values]);
  }
  const table = tableOf(given, isFile);
  if (await table.then((sheets) => sheets.some(({ hasNumbers }) => hasNumbers)).catch(() => false))
    return table;
  const numbers = await (await documents()).numbersInText(given);
  return numbers.length > 0 ? sheetsOf(numbers) : table;
}

async function tableOf(given: string, isFile: boolean): Promise<readonly Sheet[]> {
  const [hint, named] = /^\uFEFF?(?:sep=([^\w"\r\n])\r?\n)?/i.exec(given) ?? [""];
  const text = given.slice(hint.length);
  const { recogniseDialect, rowsIn } = await import("../../rows/csv-rows.ts").catch(missing);
  const dialect = recogniseDialect(text.slice(0, headLength), named);
  await rest();
  const rows: (readonly string[])[] = [];
  const rowNumbers: number[] = [];
  let number = 0;
  let length = sliceLength;
  for (let position = 0; position < text.length; ) {
    const isLast = position + length >= text.length;
    let consumed = 0;
    for (const { fields, next, fault } of rowsIn(dialect, text.slice(position, position + length), isLast)) {
      if (fault !== undefined) throw new UnreadableRows("quotes");
      number++;
      consumed = next;
      if (fields.every((field) => field.trim() === "")) continue;
      rows.push(fields);
      rowNumbers.push(number);
    }
    if (rows.length > maxRows + 1) throw new UnreadableRows("tooMany");
    if (isLast) break;
    position += consumed;
    // A row that is longer than the slice needs a longer one.
    length = consumed === 0 ? length * 2 : sliceLength;
    await rest();
  }
  // Tabs in pasted rows are those of the clipboard.
  const delimiter = isFile || dialect.delimiter !== "\t" ? dialect.delimiter : undefined;
  return sheetsOf([{ name: "", rows, rowNumbers, delimiter }]);
}

function sheetsOf(all: readonly FilledRows[]): readonly Sheet[] {
  const sheets = all.map(sheetOf).filter((sheet) => sheet !== undefined);
  if (sheets.length === 0) throw new UnreadableRows("empty");
  if (sheets.some(({ rows }) => rows.length > maxRows)) throw new UnreadableRows("tooMany");
  return sheets;
}
