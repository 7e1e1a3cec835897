import type { Readable } from "node:stream";
import { type SaxesAttributePlain, SaxesParser } from "saxes";
import { type Entry, fromBuffer, open, type ZipFile } from "yauzl";
import { InputError } from "../../rows/rows.ts";

export type Attributes = Readonly<Record<string, string>>;

/** An XLSX file: its parts by name, and which of them is the sheet. */
interface Workbook {
  /** The text of a part, piece by piece; undefined where there is none of that name. */
  part(name: string): PartText | undefined;
  /**
   * The name of the part of a sheet.
   *
   * @param wanted name or number (from 1) of the sheet; the first unless given.
   */
  sheetPart(wanted: string | undefined): Promise<string>;
  close(): void;
}

/** Opens an XLSX file by its path or its bytes. Throws an InputError where it is damaged. */
export async function openArchive(archive: string | Buffer): Promise<Workbook> {
  const zip = await openZip(archive);
  const entries = await entriesOf(zip).catch((error) => {
    zip.close();
    throw error;
  });
  const part = (name: string) => {
    const entry = entries.get(name);
    return entry === undefined ? undefined : partOf(zip, entry);
  };
  return { part, sheetPart: (wanted) => sheetTarget(part, wanted), close: () => zip.close() };
}

function openZip(archive: string | Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, zip?: ZipFile) => {
      if (zip !== undefined) resolve(zip);
      else reject(damaged(String(error?.message)));
    };
    const options = { lazyEntries: true, autoClose: false };
    if (typeof archive === "string") open(archive, options, done);
    else fromBuffer(archive, options, done);
  });
}

const damaged = (reason: string) => new InputError(`The XLSX file is damaged: ${reason}.`);

/** The most parts of a workbook; a sheet, a picture or a chart is one. */
const maxEntries = 65_536;

function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    zip.on("entry", (entry) => {
      if (entries.size === maxEntries) return reject(damaged(`it has more than ${maxEntries} parts`));
      entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.once("end", () => resolve(entries));
    zip.once("error", (error) => reject(damaged(error.message)));
    zip.readEntry();
  });
}

export type PartText = AsyncIterable<string>;

/** The text of a part, piece by piece. */
async function* partOf(zip: ZipFile, entry: Entry): PartText {
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (opened === undefined ? reject(error) : resolve(opened)));
  });
  const decoder = new TextDecoder();
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) yield decoder.decode(piece, { stream: true });
  } catch (error) {
    throw damaged((error as Error).message);
  }
}

/** Receives the elements of a part; names have no namespace. */
interface PartHandlers {
  open(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** So much text may come without a tag; the parser holds it. */
const maxUntagged = 1_048_576;

/** Parses a part; yields after each piece of it. Throws an InputError where a tag or text in it does not end. */
export async function* parsePart(part: PartText, handlers: PartHandlers): AsyncGenerator<void, void, void> {
  const parser = new SaxesParser();
  const local = (name: string) => name.slice(name.indexOf(":") + 1);
  let failure: Error | undefined;
  let untagged = 0;
  parser.on("error", (error) => {
    failure ??= error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    untagged = 0;
    handlers.open(local(name), attributes as Record<string, SaxesAttributePlain & string>);
  });
  parser.on("text", (text) => handlers.text?.(text));
  parser.on("closetag", ({ name }) => {
    untagged = 0;
    handlers.close?.(local(name));
  });
  for await (const piece of part) {
    parser.write(piece);
    if (failure !== undefined) throw damaged(failure.message);
    untagged += piece.length;
    if (untagged > maxUntagged)
      throw damaged("a part of it has more than a million characters without a tag");
    yield;
  }
}

/** Maximum characters of a part that lists sheets or styles, since it is held in memory. */
const maxListLength = 33_554_432;

/** Parses all of a part that lists sheets or styles. Throws an InputError where it is longer than any program writes it. */
export async function parseList(part: PartText | undefined, handlers: PartHandlers): Promise<void> {
  if (part === undefined) return;
  let length = 0;
  const counted = async function* () {
    for await (const piece of part) {
      length += piece.length;
      if (length > maxListLength) throw damaged("a list of its sheets or styles is longer than 32 MB");
      yield piece;
    }
  };
  for await (const _ of parsePart(counted(), handlers));
}

async function sheetTarget(
  part: (name: string) => PartText | undefined,
  wanted: string | undefined,
): Promise<string> {
  const sheets: { name: string; id: string }[] = [];
  await parseList(part("xl/workbook.xml"), {
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
  await parseList(part("xl/_rels/workbook.xml.rels"), {
    open: (_, { Id, Target = "" }) => {
      if (Id === sheet.id) target = Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`;
    },
  });
  return target;
}
