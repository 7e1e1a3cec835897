import { isUtf8 } from "node:buffer";
import { normaliseBic } from "../../banking/bic.ts";
import { RequestError } from "../../contract/errors.ts";
import { maxStreamNumberLength } from "../../contract/limits.ts";
import { message } from "../../contract/message.ts";
import { validate } from "../../contract/schema/validate.ts";
import type { Row } from "../../rows/rows.ts";
import type { StreamInput } from "./stream-task.ts";

/** The check that one line requests, or the error in the line. */
export type LineQuestion =
  | {
      readonly kind: "iban";
      readonly iban: string;
      readonly bic: string;
      /** In normal form, for an IBAN that is valid; not yet looked at. */
      readonly bicIfValid?: string;
    }
  | { readonly kind: "account"; readonly kontonummer: string; readonly bankleitzahl: string }
  | { readonly kind: "error"; readonly error: RequestError };

/** A line of NDJSON or text, parsed. */
interface StreamLine {
  readonly question: LineQuestion;
  /** Its id as JSON; empty if it has none. */
  readonly id: string;
}

/** One line, or row of CSV, of a stream. */
export interface StreamRow {
  /** Its number. */
  readonly line: number;
  /** Where the next one begins in the text. */
  readonly next: number;
  readonly id: string;
  /** One for each number; none if it is empty. */
  readonly questions: readonly LineQuestion[];
  /** Of CSV: the row, how its fields were read, and the columns of its numbers where there are several. */
  readonly row?: Row;
  readonly notes?: readonly (string | undefined)[];
  readonly columns?: readonly string[] | undefined;
}

const blank = /^[\t\r ]*$/;
/** UTF-8's byte order mark, as characters that stand for bytes. */
const byteOrderMark = "\u00ef\u00bb\u00bf";

/** Rows that were read together. */
export interface RowGroup {
  readonly rows: readonly StreamRow[];
  /** Where what follows them begins, and the number of its line. */
  readonly next: number;
  readonly nextLine: number;
}

/** Reads at most `maxRows` lines of NDJSON or text. */
export function readLines(
  text: string,
  maxRows: number,
  firstLine: number,
  isLast: boolean,
  input: StreamInput,
): RowGroup {
  const rows: StreamRow[] = [];
  let next = 0;
  let number = firstLine;
  while (rows.length < maxRows && next < text.length) {
    const found = text.indexOf("\n", next);
    if (found < 0 && !isLast) break;
    const end = found < 0 ? text.length : found;
    const from = number === 1 && text.startsWith(byteOrderMark) ? byteOrderMark.length : next;
    const line = text.slice(from, text[end - 1] === "\r" ? Math.max(from, end - 1) : end);
    next = found < 0 ? end : end + 1;
    if (blank.test(line)) rows.push({ line: number, next, id: "", questions: [] });
    else {
      const { question, id } = readLine(line, input);
      rows.push({ line: number, next, id, questions: [question] });
    }
    number++;
  }
  return { rows, next, nextLine: number };
}

const beyondAscii = /[\u0080-\u00ff]/;

/**
 * Reads a line whose characters stand for bytes; it is not empty.
 *
 * NDJSON: a string, or an object with `iban` and perhaps `bic`, or with `kontonummer` and `bankleitzahl`, and perhaps
 * an `id`. Text: the IBAN.
 */
function readLine(line: string, input: StreamInput): StreamLine {
  let text = line;
  let isText = input !== "text" || !line.includes("\0");
  if (beyondAscii.test(line)) {
    const bytes = Buffer.from(line, "latin1");
    isText &&= isUtf8(bytes);
    text = bytes.toString("utf8");
  }
  if (!isText) return faulty(new RequestError("invalid_request", { message: message("stream_utf8") }));
  if (input === "text") return { question: ibanQuestion(text, ""), id: "" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return faulty(new RequestError("invalid_request", { message: message("stream_json") }));
  }
  if (typeof value === "string") return { question: ibanQuestion(value, ""), id: "" };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return faulty(new RequestError("invalid_json", { message: message("stream_line") }));
  }
  return readObject(value as Readonly<Record<string, unknown>>, text);
}

function faulty(error: RequestError, id = ""): StreamLine {
  return { question: { kind: "error", error }, id };
}

function readObject(object: Readonly<Record<string, unknown>>, text: string): StreamLine {
  const given = object["id"];
  const hasId = typeof given === "string" || typeof given === "number";
  const id = typeof given === "number" ? writtenId(given, text) : hasId ? JSON.stringify(given) : "";
  try {
    if (given !== undefined && given !== null && !hasId) {
      throw new RequestError("invalid_request", { field: "id", message: message("stream_id") });
    }
    return { question: questionOf(object), id };
  } catch (error) {
    if (error instanceof RequestError) return faulty(error, id);
    throw error;
  }
}

/** A number as it is in the line: JavaScript rounds a long one. */
function writtenId(id: number, text: string): string {
  const numbers = [...text.matchAll(/"id"\s*:\s*(-?\d[\d.eE+-]*)/g)].map(([, number = ""]) => number);
  return numbers.findLast((number) => Number(number) === id) ?? JSON.stringify(id);
}

function questionOf(object: Readonly<Record<string, unknown>>): LineQuestion {
  if (Object.hasOwn(object, "iban")) {
    validate("streamIbanLine", object);
    return ibanQuestion(object.iban, normaliseBic(object.bic ?? ""));
  }
  if (!Object.hasOwn(object, "kontonummer") && !Object.hasOwn(object, "bankleitzahl")) {
    throw new RequestError("invalid_iban", { message: message("stream_line") });
  }
  const { kontonummer, bankleitzahl } = object;
  const account = { kontonummer, bankleitzahl };
  validate("accountBody", account);
  if (account.kontonummer.length > maxStreamNumberLength) throw new RequestError("invalid_kontonummer");
  if (account.bankleitzahl.length > maxStreamNumberLength) throw new RequestError("invalid_blz");
  return { kind: "account", kontonummer: account.kontonummer, bankleitzahl: account.bankleitzahl };
}

/** The question of an IBAN, perhaps with a BIC; an error for a text that is far too long. */
export function ibanQuestion(iban: string, bic: string): LineQuestion {
  return iban.length > maxStreamNumberLength
    ? { kind: "error", error: new RequestError("invalid_iban") }
    : { kind: "iban", iban, bic };
}
