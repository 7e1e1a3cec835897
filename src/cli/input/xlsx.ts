import { InputError, maxRowBytes } from "../../rows/rows.ts";
import { csvQuoter } from "../../rows/verdict.ts";
import { type Attributes, openArchive, type PartText, parseList, parsePart } from "./workbook.ts";

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
  const workbook = await openArchive(archive);
  try {
    const target = await workbook.sheetPart(sheet);
    const shared = await sharedStrings(workbook.part("xl/sharedStrings.xml"));
    const dateStyles = await dateStylesOf(workbook.part("xl/styles.xml"));
    const rows = workbook.part(target);
    if (rows === undefined) throw new InputError(`The XLSX file has no part ${target}; it is damaged.`);
    yield* sheetRows(rows, shared, dateStyles);
  } finally {
    workbook.close();
  }
}

/** The most characters of a cell: four times what Excel allows. */
const maxCellText = 131_068;

/** Adds a piece to the text of a cell. Throws an InputError where it becomes longer than any program writes one. */
function longer(text: string, piece: string): string {
  if (text.length + piece.length <= maxCellText) return text + piece;
  throw new InputError(
    `The XLSX file has a cell of more than ${maxCellText} characters; save it as CSV if that is meant.`,
  );
}

/** The most that the texts of a workbook may take: three million IBANs in fours. */
const maxBytes = 134_217_728;

/** The texts that the cells of a workbook share, held as bytes outside the heap. */
class SharedStrings {
  #bytes = Buffer.allocUnsafe(65_536);
  #ends = new Uint32Array(1_024);
  #length = 0;
  #count = 0;

  /** Throws an InputError where the texts of the workbook are too many to be held. */
  add(text: string): void {
    const room = text.length * 3;
    // The places of the texts take room too.
    if (this.#length + room + 4 * this.#count > maxBytes) {
      throw new InputError("The texts of the XLSX file take more than 128 MB; save it as CSV.");
    }
    if (this.#length + room > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + room));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(2 * this.#count);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#length += this.#bytes.write(text, this.#length, "utf8");
    this.#ends[this.#count++] = this.#length;
  }

  /** The text with a number; empty where there is none. */
  at(index: number): string {
    if (!(index >= 0 && index < this.#count)) return "";
    return this.#bytes.toString("utf8", index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]);
  }
}

async function sharedStrings(part: PartText | undefined): Promise<SharedStrings> {
  const strings = new SharedStrings();
  let text = "";
  let isText = false;
  let isPhonetic = false;
  if (part === undefined) return strings;
  const parsing = parsePart(part, {
    open: (name) => {
      if (name === "si") text = "";
      if (name === "rPh") isPhonetic = true;
      isText = name === "t" && !isPhonetic;
    },
    text: (piece) => {
      if (isText) text = longer(text, piece);
    },
    close: (name) => {
      isText = false;
      if (name === "rPh") isPhonetic = false;
      if (name === "si") strings.add(text);
    },
  });
  for await (const _ of parsing);
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
  await parseList(part, {
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

async function* sheetRows(
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
      if (isText) text = longer(text, piece);
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

/** Days since 30 December 1899, the parts of a day after the point. Source: ECMA-376, part 1, section 18.17.4. */
function isoDate(days: number): string {
  const time = Math.round((days - 25_569) * 86_400) * 1_000;
  if (Math.abs(time) > 8.64e15) return String(days);
  const iso = new Date(time).toISOString();
  return iso.endsWith("T00:00:00.000Z") ? iso.slice(0, 10) : iso.slice(0, 19);
}

const quoted = csvQuoter(",");

/** Throws an InputError for a row that is too long to be checked. */
function csvLine(row: readonly string[]): string {
  if (row.reduce((length, value = "") => length + value.length, 0) > maxRowBytes) {
    throw new InputError("The XLSX file has a row of more than 1 MB; save it as CSV with shorter cells.");
  }
  return `${Array.from(row, (value = "") => quoted(value)).join(",")}\n`;
}
