import type { Readable } from "node:stream";
import { type SaxesAttributePlain, SaxesParser } from "saxes";
import { type Entry, fromBuffer, open, type ZipFile } from "yauzl";
import { InputError } from "../../rows/rows.ts";
import { SharedStrings } from "./shared-strings.ts";

type Attributes = Readonly<Record<string, string>>;

/**
 * Reads a sheet of an XLSX file as CSV in UTF-8, row by row; only the texts that cells share are held.
 *
 * Numbers come as their digits, dates as in ISO 8601, empty rows are left out. Source: ECMA-376, part 1, section 18.
 *
 * @param archive path of the file, or its bytes.
 * @param sheet name or number (from 1); the first unless given.
 */
export async function* openWorkbook(
  archive: string | Buffer,
  sheet: string | undefined,
): AsyncGenerator<Buffer, void, void> {
  const zip = await openArchive(archive);
  try {
    const entries = await entriesOf(zip);
    const part = (name: string) => {
      const entry = entries.get(name);
      return entry === undefined ? undefined : partOf(zip, entry);
    };
    const target = await sheetTarget(part, sheet);
    const shared = await sharedStrings(part("xl/sharedStrings.xml"));
    const dateStyles = await dateStylesOf(part("xl/styles.xml"));
    const rows = part(target);
    if (rows === undefined) throw new InputError(`The XLSX file has no part ${target}; it is damaged.`);
    yield* rowsOf(rows, shared, dateStyles);
  } finally {
    zip.close();
  }
}

function openArchive(archive: string | Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, zip?: ZipFile) => {
      if (zip !== undefined) resolve(zip);
      else reject(new InputError(`The XLSX file is damaged: ${error?.message}.`));
    };
    const options = { lazyEntries: true, autoClose: false };
    if (typeof archive === "string") open(archive, options, done);
    else fromBuffer(archive, options, done);
  });
}

function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    zip.on("entry", (entry) => {
      entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.once("end", () => resolve(entries));
    zip.once("error", (error) => reject(new InputError(`The XLSX file is damaged: ${error.message}.`)));
    zip.readEntry();
  });
}

type PartText = AsyncIterable<string>;

/** The text of a part, piece by piece. */
async function* partOf(zip: ZipFile, entry: Entry): PartText {
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (opened === undefined ? reject(error) : resolve(opened)));
  });
  const decoder = new TextDecoder();
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) yield decoder.decode(piece, { stream: true });
  } catch (error) {
    throw new InputError(`The XLSX file is damaged: ${(error as Error).message}.`);
  }
}

/** Told of what a part holds; names come without their namespace. */
interface PartHandlers {
  open(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Parses a part; yields after each piece of it. */
async function* parsePart(part: PartText, handlers: PartHandlers): AsyncGenerator<void, void, void> {
  const parser = new SaxesParser();
  const local = (name: string) => name.slice(name.indexOf(":") + 1);
  let failure: Error | undefined;
  parser.on("error", (error) => {
    failure ??= error;
  });
  parser.on("opentag", ({ name, attributes }) =>
    handlers.open(local(name), attributes as Record<string, SaxesAttributePlain & string>),
  );
  parser.on("text", (text) => handlers.text?.(text));
  parser.on("closetag", ({ name }) => handlers.close?.(local(name)));
  for await (const piece of part) {
    parser.write(piece);
    if (failure !== undefined) throw new InputError(`The XLSX file is damaged: ${failure.message}.`);
    yield;
  }
}

async function parseWhole(part: PartText | undefined, handlers: PartHandlers): Promise<void> {
  if (part === undefined) return;
  for await (const _ of parsePart(part, handlers));
}

async function sheetTarget(
  part: (name: string) => PartText | undefined,
  wanted: string | undefined,
): Promise<string> {
  const sheets: { name: string; id: string }[] = [];
  await parseWhole(part("xl/workbook.xml"), {
    open: (tag, { name = "", "r:id": id = "" }) => {
      if (tag === "sheet") sheets.push({ name, id });
    },
  });
  if (sheets.length === 0) throw new InputError("The file is a zip archive and not an XLSX file.");
  const sheet =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => name.toLowerCase() === wanted?.toLowerCase()) ??
    sheets[/^\d+$/.test(wanted ?? "1") ? Number(wanted ?? "1") - 1 : -1];
  if (sheet === undefined) {
    const names = sheets.map(({ name }) => name).join(", ");
    throw new InputError(`There is no sheet ${JSON.stringify(wanted)}; the sheets are: ${names}.`);
  }
  let target = "";
  await parseWhole(part("xl/_rels/workbook.xml.rels"), {
    open: (_, { Id, Target = "" }) => {
      if (Id === sheet.id) target = Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`;
    },
  });
  return target;
}

async function sharedStrings(part: PartText | undefined): Promise<SharedStrings> {
  const strings = new SharedStrings();
  let text = "";
  let isText = false;
  let isPhonetic = false;
  await parseWhole(part, {
    open: (name) => {
      if (name === "si") text = "";
      if (name === "rPh") isPhonetic = true;
      isText = name === "t" && !isPhonetic;
    },
    text: (piece) => {
      if (isText) text += piece;
    },
    close: (name) => {
      isText = false;
      if (name === "rPh") isPhonetic = false;
      if (name === "si") strings.add(text);
    },
  });
  return strings;
}

/** Formats of dates that every workbook knows by their number. Source: ECMA-376, part 1, section 18.8.30. */
const isBuiltInDate = (format: number) => (format >= 14 && format <= 22) || (format >= 45 && format <= 47);

/** Which of the styles of cells make a number a date. */
async function dateStylesOf(part: PartText | undefined): Promise<ReadonlySet<number>> {
  const dateFormats = new Set<number>();
  const dateStyles = new Set<number>();
  let isCellStyle = false;
  let style = 0;
  await parseWhole(part, {
    open: (name, { numFmtId = "", formatCode = "" }) => {
      const plain = formatCode.replace(/"[^"]*"|\[[^\]]*\]|\\./g, "");
      if (name === "numFmt" && /[dy]|m.*m|h.*m/i.test(plain)) dateFormats.add(Number(numFmtId));
      if (name === "cellXfs") isCellStyle = true;
      if (name !== "xf" || !isCellStyle) return;
      if (isBuiltInDate(Number(numFmtId)) || dateFormats.has(Number(numFmtId))) dateStyles.add(style);
      style++;
    },
    close: (name) => {
      if (name === "cellXfs") isCellStyle = false;
    },
  });
  return dateStyles;
}

async function* rowsOf(
  part: PartText,
  shared: SharedStrings,
  dateStyles: ReadonlySet<number>,
): AsyncGenerator<Buffer, void, void> {
  let lines = "";
  let row: string[] = [];
  let cell: Attributes = {};
  let text = "";
  let isText = false;
  const parsing = parsePart(part, {
    open: (name, attributes) => {
      if (name === "row") row = [];
      if (name === "c") {
        cell = attributes;
        text = "";
      }
      isText = name === "v" || name === "t";
    },
    text: (piece) => {
      if (isText) text += piece;
    },
    close: (name) => {
      isText = false;
      if (name === "c") row[columnOf(cell["r"], row.length)] = cellValue(cell, text, shared, dateStyles);
      if (name === "row" && row.some((value) => value !== "")) lines += csvLine(row);
    },
  });
  for await (const _ of parsing) {
    if (lines !== "") yield Buffer.from(lines, "utf8");
    lines = "";
  }
}

/** The most columns a sheet has, so that a damaged place cannot make a row of a billion fields. */
const maxColumns = 16_384;

/** Place of a column from 0 by the name of a cell, `B7`; cells without one follow each other. */
function columnOf(name: string | undefined, next: number): number {
  let column = 0;
  for (const letter of /^[A-Z]+/.exec(name ?? "")?.[0] ?? "")
    column = column * 26 + letter.charCodeAt(0) - 64;
  const place = column === 0 ? next : column - 1;
  if (place >= maxColumns) throw new InputError(`The XLSX file is damaged: it has a cell ${name}.`);
  return place;
}

function cellValue(
  { t: type = "n", s: style = "" }: Attributes,
  text: string,
  shared: SharedStrings,
  dateStyles: ReadonlySet<number>,
): string {
  if (type === "s") return shared.at(Number(text));
  if (type === "b") return text === "1" ? "true" : "false";
  if (type !== "n" || text === "") return text;
  const value = Number(text);
  if (Number.isNaN(value)) return text;
  if (style !== "" && dateStyles.has(Number(style))) return isoDate(value);
  // Digits instead of 5.32013E8, as far as the number is exact.
  return Number.isSafeInteger(value) ? BigInt(value).toString() : String(value);
}

/** Days since 30 December 1899, the parts of a day behind the point. Source: ECMA-376, part 1, section 18.17.4. */
function isoDate(days: number): string {
  const time = Math.round((days - 25_569) * 86_400) * 1_000;
  if (Math.abs(time) > 8.64e15) return String(days);
  const iso = new Date(time).toISOString();
  return iso.endsWith("T00:00:00.000Z") ? iso.slice(0, 10) : iso.slice(0, 19);
}

function csvLine(row: readonly string[]): string {
  const fields = Array.from(row, (value = "") =>
    /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value,
  );
  return `${fields.join(",")}\n`;
}
