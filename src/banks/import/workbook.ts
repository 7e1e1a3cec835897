import { cellNumber } from "../../rows/cell-number.ts";
import { InputError } from "../../rows/rows.ts";
import { type Attributes, type ElementHandlers, xmlReader } from "../../rows/xml.ts";
import { type Archive, damaged } from "./archive.ts";

/** Maximum bytes of a part that lists sheets or styles, since its list is held in memory. */
const maxListLength = 33_554_432;

/**
 * Parses a part, if there is one, without how texts are pronounced; yields after each piece of it. Throws an InputError if
 * it is damaged or too long.
 */
async function* parsePart(
  part: AsyncIterable<Buffer> | undefined,
  handlers: ElementHandlers,
  maxBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<void, void, void> {
  if (part === undefined) return;
  let isPhonetic = false;
  const open: ElementHandlers["open"] = (name, attributes) => {
    isPhonetic ||= name === "rPh";
    handlers.open(name, attributes);
  };
  const close = (name: string, text: string) => {
    if (!isPhonetic) handlers.close?.(name, text);
    isPhonetic &&= name !== "rPh";
  };
  const xml = xmlReader({ open, close }, damaged);
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const piece of part) {
    bytes += piece.length;
    if (bytes > maxBytes) throw damaged("a list of its sheets or styles is longer than 32 MB");
    xml.read(decoder.decode(piece, { stream: true }));
    yield;
  }
  xml.close();
}

async function parseList(part: AsyncIterable<Buffer> | undefined, handlers: ElementHandlers): Promise<void> {
  for await (const _ of parsePart(part, handlers, maxListLength));
}

/** Finds the part of a sheet, and the day of 1970-01-01 in the workbook: those of old Macs count from 1904 on. */
async function findSheet({ part }: Archive, wanted: string | undefined) {
  const sheets: { name: string; id: string; isHidden: boolean }[] = [];
  let epoch = 25_569;
  await parseList(part("xl/workbook.xml"), {
    open: (tag, { name = "", state = "visible", date1904 = "", ...others }) => {
      // Its prefix is mostly `r`.
      const [, id = ""] = Object.entries(others).find(([key]) => key.endsWith(":id")) ?? [];
      if (tag === "sheet") sheets.push({ name, id, isHidden: state !== "visible" });
      if (tag === "workbookPr" && /^(1|true)$/.test(date1904)) epoch = 24_107;
    },
  });
  // The first sheet is the first that people see.
  sheets.sort((one, other) => Number(one.isHidden) - Number(other.isHidden));
  if (sheets.length === 0)
    throw new InputError("The file is a ZIP archive, not an XLSX file; save it as one, or as CSV.");
  const sheet =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => name.toLowerCase() === wanted?.toLowerCase()) ??
    sheets[/^\d+$/.test(wanted ?? "1") ? Number(wanted ?? "1") - 1 : -1];
  if (sheet === undefined) {
    const names = sheets.map(({ name }) => name).join(", ");
    throw new InputError(`There is no sheet ${JSON.stringify(wanted)}; the sheets are: ${names}.`);
  }
  let target = "";
  await parseList(part("xl/_rels/workbook.xml.rels"), {
    open: (_, { Id, Target = "" }) => {
      if (Id === sheet.id) target = Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`;
    },
  });
  const others = sheets.flatMap(({ name, isHidden }) => (name === sheet.name || isHidden ? [] : [name]));
  return { target, epoch, name: sheet.name, others };
}

/** A row of a sheet: its number, from 1, and its cells as texts; those that are left out are absent. */
export interface SheetRow {
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * Reads a sheet of a workbook, and yields the rows of each piece of it; only the texts that cells share are held.
 *
 * Numbers come as their digits, dates as in ISO 8601. Throws an InputError if the workbook is damaged or has no such
 * sheet. Source: ECMA-376, part 1, section 18.
 *
 * @param sheet name or number (from 1, hidden ones last); the first unless given.
 * @param onSheet called with the name of the sheet that is read and those of the others that people see.
 */
export async function* sheetRows(
  archive: Archive,
  sheet?: string,
  onSheet: (name: string, others: readonly string[]) => void = () => {},
): AsyncGenerator<readonly SheetRow[], void, void> {
  const { target, epoch, name: found, others } = await findSheet(archive, sheet);
  onSheet(found, others);
  const shared = await sharedStrings(archive.part("xl/sharedStrings.xml"));
  const dateStyles = await dateStylesOf(archive.part("xl/styles.xml"));
  const part = archive.part(target);
  if (part === undefined) throw damaged(`it has no part ${target}`);
  const cellValue = ({ t: type = "n", s: style = "" }: Attributes, written: string) => {
    if (type === "s") return unescaped(shared(Number(written)));
    if (type === "b") return written === "1" ? "true" : "false";
    if (type !== "n" || written === "") return unescaped(written);
    const value = Number(written);
    if (Number.isNaN(value)) return written;
    // A file may have 5.32013E8.
    return style !== "" && dateStyles.has(Number(style)) ? isoDate(value, epoch) : cellNumber(value);
  };
  let rows: SheetRow[] = [];
  let number = 0;
  let cells: string[] = [];
  let cell: Attributes = {};
  let text = "";
  const parsing = parsePart(part, {
    open: (name, attributes) => {
      if (name === "row") {
        cells = [];
        number = Number(attributes["r"]) || number + 1;
      }
      if (name === "c") {
        cell = attributes;
        text = "";
      }
    },
    close: (name, piece) => {
      if (name === "v" || name === "t") text = longer(text, piece);
      if (name === "c") cells[columnOf(cell["r"], cells.length)] = cellValue(cell, text);
      if (name === "row") rows.push({ number, cells });
    },
  });
  for await (const _ of parsing) {
    yield rows;
    rows = [];
  }
}

/** Maximum number of characters of a cell: four times what Excel allows. */
const maxCellText = 131_068;

/** Adds a piece to the text of a cell. Throws an InputError if it becomes longer than any program writes one. */
function longer(text: string, piece: string): string {
  if (text.length + piece.length <= maxCellText) return text + piece;
  throw new InputError(
    `The XLSX file has a cell of more than ${maxCellText} characters; save it as CSV if that is intended.`,
  );
}

/** Maximum size of the texts of a workbook: three million IBANs in fours. */
const maxSharedBytes = 134_217_728;

/**
 * Reads the texts that the cells of a workbook share, and holds them as bytes outside the heap. Returns what finds a text by
 * its number; empty if there is none. Throws an InputError if there are too many.
 */
async function sharedStrings(part: AsyncIterable<Buffer> | undefined): Promise<(index: number) => string> {
  // Pages that nothing is written to take no memory.
  const bytes = Buffer.allocUnsafeSlow(maxSharedBytes);
  const ends = [0];
  let text = "";
  const parsing = parsePart(part, {
    open: (name) => {
      if (name === "si") text = "";
    },
    close: (name, piece) => {
      if (name === "t") text = longer(text, piece);
      if (name !== "si") return;
      const end = ends.at(-1)!;
      // The places of the texts take room too.
      if (end + text.length * 3 + 8 * ends.length > maxSharedBytes)
        throw new InputError("The texts of the XLSX file take more than 128 MB; save it as CSV.");
      ends.push(end + bytes.write(text, end, "utf8"));
    },
  });
  for await (const _ of parsing);
  return (index) => (index + 1 in ends ? bytes.toString("utf8", ends[index], ends[index + 1]) : "");
}

/** Formats of dates that every workbook knows by their number. Source: ECMA-376, part 1, section 18.8.30. */
const isBuiltInDate = (format: number) => (format >= 14 && format <= 22) || (format >= 45 && format <= 47);

async function dateStylesOf(part: AsyncIterable<Buffer> | undefined): Promise<ReadonlySet<number>> {
  const dateFormats = new Set<number>();
  const dateStyles = new Set<number>();
  let isCellStyle = false;
  let style = 0;
  await parseList(part, {
    open: (name, { numFmtId = "", formatCode = "" }) => {
      // Text in quotes or brackets does not count, nor does the character after `\`, `_` (as wide as it) or `*` (filled with it).
      const plain = formatCode.replace(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, "");
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

/** Maximum number of columns a sheet has, so that a damaged place cannot make a row of a billion fields. */
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

/** Text with the characters that XML cannot have, or would change, such as `_x000D_`. Source: ECMA-376, part 1, section 22.9.2.19. */
function unescaped(text: string): string {
  return text.replace(/_x([\da-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** A day counts from 30 December 1899 or 1 January 1904, its parts after the point. Source: ECMA-376, part 1, section 18.17.4. */
function isoDate(days: number, epoch: number): string {
  const time = Math.round((days - epoch) * 86_400) * 1_000;
  if (Math.abs(time) > 8.64e15) return String(days);
  const iso = new Date(time).toISOString();
  return iso.endsWith("T00:00:00.000Z") ? iso.slice(0, 10) : iso.slice(0, 19);
}
