import { InputError } from "./input-error.ts";
import type { RowParser, TakeRow } from "./rows.ts";
import { encoded } from "./text.ts";

/** Finds the rows of NDJSON: one JSON object a line. */
export class JsonRows implements RowParser {
  readonly #keys: readonly string[];
  readonly #known: ReadonlySet<string> | undefined;

  /**
   * @param keys the columns, in their order.
   * @param noOthers whether a row with another key is refused.
   */
  constructor(keys: readonly string[], noOthers: boolean) {
    this.#keys = keys;
    this.#known = noOthers ? new Set(keys) : undefined;
  }

  parse(text: string, isLast: boolean, take: TakeRow): number {
    let begin = 0;
    while (begin < text.length) {
      const found = text.indexOf("\n", begin);
      if (found < 0 && !isLast) break;
      const next = found < 0 ? text.length : found + 1;
      const line = text.slice(begin, next).trimEnd();
      take(line.trim() === "" ? [] : this.#fieldsOf(line), begin, begin + line.length, next);
      begin = next;
    }
    return begin;
  }

  #fieldsOf(line: string): readonly string[] {
    const row = parseJsonRow(line);
    const unknown = Object.keys(row).find((key) => this.#known?.has(key) === false);
    if (unknown !== undefined) {
      throw new InputError(
        `A line has the key ${JSON.stringify(unknown)}, which the first 100 have not; write NDJSON instead of CSV.`,
      );
    }
    return this.#keys.map((key) => fieldOf(row[key]));
  }
}

/** Reads a line whose characters stand for bytes. Throws an InputError where it is no JSON object. */
export function parseJsonRow(line: string): Readonly<Record<string, unknown>> {
  let row: unknown;
  try {
    row = JSON.parse(Buffer.from(line, "latin1").toString("utf8"));
  } catch {
    row = undefined;
  }
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    throw new InputError(`This line is no JSON object: ${line.slice(0, 100)}`);
  }
  return row as Record<string, unknown>;
}

function fieldOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return encoded(typeof value === "string" ? value : JSON.stringify(value));
}
