import { isUtf8 } from "node:buffer";
import { normaliseBic } from "../../banking/bic.ts";
import { RequestError } from "../../contract/errors.ts";
import { maxStreamNumberLength } from "../../contract/limits.ts";
import { message } from "../../contract/message.ts";
import { validate } from "../../contract/schema/validate.ts";
import type { StreamInput } from "./stream-task.ts";

/** What one line asks. */
export type LineQuestion =
  | { readonly kind: "iban"; readonly iban: string; readonly bic: string }
  | { readonly kind: "account"; readonly kontonummer: string; readonly bankleitzahl: string }
  | { readonly kind: "error"; readonly error: RequestError };

/** One line that is to be answered. */
export interface StreamLine {
  readonly question: LineQuestion;
  /** Its id as JSON; empty where it has none. */
  readonly id: string;
}

const beyondAscii = /[\u0080-\u00ff]/;

/**
 * Reads a line whose characters stand for bytes; it is not empty.
 *
 * NDJSON: a string, or an object with `iban` and perhaps `bic`, or with `kontonummer` and `bankleitzahl`, and perhaps
 * an `id`. Text: the IBAN.
 */
export function readLine(line: string, input: StreamInput): StreamLine {
  let text = line;
  if (beyondAscii.test(line)) {
    const bytes = Buffer.from(line, "latin1");
    if (!isUtf8(bytes))
      return faulty(new RequestError("invalid_request", { message: message("stream_utf8") }));
    text = bytes.toString("utf8");
  }
  if (input === "text") return { question: ibanQuestion(text, ""), id: "" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return faulty(new RequestError("invalid_json"));
  }
  if (typeof value === "string") return { question: ibanQuestion(value, ""), id: "" };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return faulty(wrongLine());
  return readObject(value as Readonly<Record<string, unknown>>);
}

function faulty(error: RequestError, id = ""): StreamLine {
  return { question: { kind: "error", error }, id };
}

function wrongLine(): RequestError {
  return new RequestError("invalid_request", { message: message("stream_line") });
}

function readObject(object: Readonly<Record<string, unknown>>): StreamLine {
  const given = object["id"];
  const hasId = typeof given === "string" || typeof given === "number";
  const id = hasId ? JSON.stringify(given) : "";
  try {
    if (given !== undefined && given !== null && !hasId) {
      throw new RequestError("invalid_request", { field: "id" });
    }
    return { question: questionOf(object), id };
  } catch (error) {
    if (error instanceof RequestError) return faulty(error, id);
    throw error;
  }
}

function questionOf(object: Readonly<Record<string, unknown>>): LineQuestion {
  if (Object.hasOwn(object, "iban")) {
    validate("streamIbanLine", object);
    return ibanQuestion(object.iban, normaliseBic(object.bic ?? ""));
  }
  if (!Object.hasOwn(object, "kontonummer") && !Object.hasOwn(object, "bankleitzahl")) throw wrongLine();
  const { kontonummer, bankleitzahl } = object;
  const account = { kontonummer, bankleitzahl };
  validate("accountBody", account);
  if (account.kontonummer.length > maxStreamNumberLength) throw new RequestError("invalid_kontonummer");
  if (account.bankleitzahl.length > maxStreamNumberLength) throw new RequestError("invalid_blz");
  return { kind: "account", kontonummer: account.kontonummer, bankleitzahl: account.bankleitzahl };
}

function ibanQuestion(iban: string, bic: string): LineQuestion {
  return iban.length > maxStreamNumberLength
    ? { kind: "error", error: new RequestError("invalid_iban") }
    : { kind: "iban", iban, bic };
}
