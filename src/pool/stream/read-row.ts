import { isUtf8 } from "node:buffer";
import { normaliseBic } from "../../banking/bic.ts";
import { RequestError } from "../../contract/errors.ts";
import { maxStreamNumberLength } from "../../contract/limits.ts";
import { message } from "../../contract/message.ts";
import { validate } from "../../contract/schema/validate.ts";
import type { CheckedNumber } from "../../rows/columns.ts";
import { decoded } from "../../rows/encoding.ts";
import { isObject } from "../../rows/json-values.ts";
import { type AskedAccount, readNumber } from "../../rows/read-number.ts";
import type { Row } from "../../rows/rows.ts";
import type { StreamInput } from "./stream-task.ts";

/** The check of a number in a row. */
export type NumberQuestion =
  | {
      readonly iban: string;
      readonly bic: string;
      /** In normal form, for an IBAN that is valid; not yet looked at. */
      readonly bicIfValid?: string | undefined;
    }
  | AskedAccount;

/** A number of a row: its check, or the error in it. */
export interface ReadNumber {
  readonly question: NumberQuestion | RequestError;
  /** How a field was read that is not written as it should be; otherwise empty. */
  readonly note: string;
  /** Whether a scan has copied it to be judged. */
  isCopied?: boolean;
}

/** A row that was read field by field. */
export interface ReadRow {
  /** Its id as JSON; empty if it has none. */
  readonly id: string;
  /** None if it is empty. */
  readonly numbers: readonly ReadNumber[];
  /** Of CSV: the row itself. */
  readonly row?: Row;
}

const blank = /^[\t\r ]*$/;
const beyondAscii = /[\u0080-\u00ff]/;

/**
 * Reads a line whose characters stand for bytes.
 *
 * NDJSON: a string, or an object with `iban` and perhaps `bic`, or with `kontonummer` and `bankleitzahl`, and perhaps
 * an `id`. Text: the IBAN.
 */
export function readLine(line: string, input: StreamInput): ReadRow {
  if (blank.test(line)) return { id: "", numbers: [] };
  let id = "";
  const question = orError(() => {
    const text = textOf(line, input);
    if (input === "text") return ibanQuestion(text, "");
    const value: unknown = JSON.parse(text);
    if (typeof value === "string") return ibanQuestion(value, "");
    if (!isObject(value)) throw new RequestError("invalid_json", { message: message("stream_line") });
    const given = value["id"];
    if (typeof given === "number") id = writtenId(given, text);
    else if (typeof given === "string") id = JSON.stringify(given);
    else if (given !== undefined && given !== null)
      throw new RequestError("invalid_request", { field: "id", message: message("stream_id") });
    return questionOf(value);
  });
  return rowOf(question, id);
}

function rowOf(question: ReadNumber["question"], id = ""): ReadRow {
  return { id, numbers: [{ question, note: "" }] };
}

function textOf(line: string, input: StreamInput): string {
  const bytes = beyondAscii.test(line) ? Buffer.from(line, "latin1") : undefined;
  const isText = bytes === undefined || isUtf8(bytes);
  if (isText && !(input === "text" && line.includes("\0"))) return bytes?.toString("utf8") ?? line;
  throw new RequestError("invalid_request", { message: message("stream_utf8") });
}

/** What is read of a number, or the error that reading it throws. */
function orError(read: () => ReadNumber["question"]): ReadNumber["question"] {
  try {
    return read();
  } catch (error) {
    if (error instanceof RequestError) return error;
    if (error instanceof SyntaxError)
      return new RequestError("invalid_request", { message: message("stream_json") });
    throw error;
  }
}

/** A number as it is in the line: JavaScript rounds a long one. */
function writtenId(id: number, text: string): string {
  const numbers = [...text.matchAll(/"id"\s*:\s*(-?\d[\d.eE+-]*)/g)].map(([, number = ""]) => number);
  return numbers.findLast((number) => Number(number) === id) ?? JSON.stringify(id);
}

function questionOf(object: Readonly<Record<string, unknown>>): ReadNumber["question"] {
  if (Object.hasOwn(object, "iban")) {
    validate("anyIbanBody", object);
    return ibanQuestion(object.iban, normaliseBic(object.bic ?? ""));
  }
  if (!Object.hasOwn(object, "kontonummer") && !Object.hasOwn(object, "bankleitzahl")) {
    throw new RequestError("invalid_iban", { message: message("stream_line") });
  }
  const { kontonummer, bankleitzahl } = object;
  return accountQuestion({ kontonummer, bankleitzahl });
}

function accountQuestion(account: Readonly<Record<"kontonummer" | "bankleitzahl", unknown>>): AskedAccount {
  validate("accountBody", account);
  if (account.kontonummer.length > maxStreamNumberLength) throw new RequestError("invalid_kontonummer");
  if (account.bankleitzahl.length > maxStreamNumberLength) throw new RequestError("invalid_blz");
  return { kontonummer: account.kontonummer, bankleitzahl: account.bankleitzahl };
}

/** The question of an IBAN, perhaps with a BIC; an error for a text that is far too long. */
function ibanQuestion(iban: string, bic: string): ReadNumber["question"] {
  return iban.length > maxStreamNumberLength ? new RequestError("invalid_iban") : { iban, bic };
}

/** Reads a row of CSV that was found, and the numbers to check in it. */
export function readCsvRow(row: Row, checked: readonly CheckedNumber[]): ReadRow {
  const { fields, fault } = row;
  if (fault !== undefined) return { ...rowOf(new RequestError("invalid_request", { message: fault })), row };
  const numbers = fields.length === 0 ? [] : checked.map((number) => numberIn(fields, number));
  return { id: "", numbers, row };
}

function numberIn(fields: readonly string[], checked: CheckedNumber): ReadNumber {
  const { number, note } = readNumber(checked, (column) => decoded(fields[column] ?? "", undefined));
  if ("kontonummer" in number) return { question: orError(() => accountQuestion({ ...number })), note };
  const { iban, bic } = number;
  return { question: { iban, bic: "", bicIfValid: bic && normaliseBic(bic) }, note };
}
