import { message } from "../contract/message.ts";
import { decoded, type Encoding, encoded } from "./encoding.ts";
import { fieldOf, isObject, type JsonRow, parseExactly, pathOf, valueAt } from "./json-values.ts";
import type { RowFault, RowFinder, RowText } from "./rows.ts";

const space = 0x20;

/** Finds the rows of NDJSON: one JSON object a line. */
export class JsonRows implements RowFinder {
  readonly lineBreak = "\n";
  readonly lines = 1;
  end = 0;
  next = 0;
  fault: RowFault | undefined;
  #fields: readonly string[] = [];
  readonly #paths: readonly (readonly string[])[];
  readonly #known: ReadonlySet<string> | undefined;
  readonly #encoding: Encoding | undefined;

  /**
   * @param columns names of keys, or paths to keys of objects within (`debtor.iban`), in the order of the fields.
   * @param known where it is given, a row with another key cannot be read.
   */
  constructor(columns: readonly string[], encoding?: Encoding, known?: readonly string[]) {
    this.#paths = columns.map((column) => (known?.includes(column) === true ? [column] : pathOf(column)));
    this.#known = known === undefined ? undefined : new Set(known);
    this.#encoding = encoding;
  }

  get count(): number {
    return this.#fields.length;
  }

  scan(bytes: Uint8Array, begin: number, limit: number, isLast: boolean): boolean {
    const own = Buffer.from(bytes.buffer, bytes.byteOffset, limit);
    const found = own.indexOf("\n", begin);
    if (found < 0 && !isLast) return false;
    this.next = found < 0 ? limit : found + 1;
    // In bytes: one of a letter may be white space as a character.
    let end = this.next;
    while (end > begin && bytes[end - 1]! <= space) end--;
    this.end = end;
    const line = own.toString("latin1", begin, end);
    [this.#fields, this.fault] = line === "" ? [[]] : this.#readLine(line);
    return true;
  }

  field(_row: RowText, column: number): string {
    return this.#fields[column] ?? "";
  }

  fields(): readonly string[] {
    return this.#fields;
  }

  #readLine(line: string): readonly [fields: readonly string[], fault?: RowFault] {
    const row = parseJsonRow(line, this.#encoding);
    if (row === undefined) return [[], (line) => message("row_not_object", { line })];
    const unknown = this.#known && Object.keys(row).find((key) => !this.#known?.has(key));
    if (unknown !== undefined) {
      const key = JSON.stringify(unknown);
      return [[], (line) => message("row_unknown_key", { line, key })];
    }
    try {
      return [this.#paths.map((path) => encoded(fieldOf(valueAt(row, path))))];
    } catch {
      // JSON.stringify() runs out of stack.
      return [[], (line) => message("row_nested", { line })];
    }
  }
}

/** Reads a line whose characters stand for bytes; undefined if it is not a JSON object. */
export function parseJsonRow(line: string, encoding: Encoding | undefined): JsonRow | undefined {
  try {
    const row: unknown = parseExactly(decoded(line, encoding));
    return isObject(row) ? row : undefined;
  } catch {
    return undefined;
  }
}
