import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { type ErrorCode, errorBody, errorCatalogue } from "../contract/errors.ts";
import { type Language, languages } from "../contract/language.ts";

function inEachLanguage<Part>(of: (language: Language, index: number) => Part): Record<Language, Part> {
  const parts = languages.map((language, index) => [language, of(language, index)]);
  return Object.fromEntries(parts) as Record<Language, Part>;
}

/**
 * Headers of every answer, in the form they follow a header's value on the wire: each call into the native layer costs
 * about as much as routing a request, so they are written together with the one that varies.
 */
export const everyHeader = "\r\nX-Content-Type-Options: nosniff";
export const commonHeaders = `${everyHeader}\r\nCache-Control: no-store`;
export const jsonHeaders = inEachLanguage((language, index) => {
  const named = index === 0 ? "" : `\r\nContent-Language: ${language}`;
  return `${named}\r\nContent-Type: application/json${commonHeaders}`;
});

/** For every answer that leaves its connection open: the native layer closes it after 8 to 12 idle seconds. */
export const keepAlive = "\r\nKeep-Alive: timeout=7";

/** For an answer after which the connection is closed, where the native layer does not say so. */
export const closing = "\r\nConnection: close";

export const statusLines: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(STATUS_CODES).map(([status, reason]) => [status, `${status} ${reason}`]),
);

const codes = Object.keys(errorCatalogue) as ErrorCode[];

/** Bodies of errors without details, made in advance: a refusal under load must cost next to nothing. */
export const errorTexts = inEachLanguage((language) => {
  const textOf = (code: ErrorCode) =>
    JSON.stringify(errorBody(code, undefined, { language, explain: false }));
  return Object.fromEntries(codes.map((code) => [code, textOf(code)])) as Record<ErrorCode, string>;
});

/** Headers after the allowed origin: caches keep the answer for that origin only, and scripts may read those listed. */
export const corsHeaders =
  "\r\nVary: Origin\r\nAccess-Control-Expose-Headers: X-Request-Id, X-Data-Edition, Retry-After, ETag";

/** Prefix of the request ids of this process, unique among all processes; the number after it has nine digits of five bits. */
const processPart = `${randomBytes(6).toString("base64url")}-`;
const digits = Buffer.from("0123456789abcdefghijklmnopqrstuv");
const idLength = processPart.length + 9;
let last = 0;

export function newRequestNumber(): number {
  return ++last;
}

export function requestIdOfNumber(number: number): string {
  const id = Buffer.alloc(idLength, processPart);
  writeNumber(id, number);
  return id.toString("latin1");
}

function writeNumber(id: Uint8Array, number: number): void {
  let rest = number;
  for (let at = idLength - 1; at >= processPart.length; at--) {
    // Right for numbers above 32 bits too, of which it takes the lowest.
    const digit = rest & 31;
    id[at] = digits[digit]!;
    rest = (rest - digit) / 32;
  }
}

const beforeId = `${statusLines[200]}\r\nX-Request-Id: `;

export type DataHead = ReturnType<typeof dataHead>;

/**
 * Returns what makes the head of an answer from the bank data of one edition: status and headers for the number of a request
 * that sent no id, in place of a status. They last until the next call.
 */
export function dataHead(edition: string, language: Language) {
  const rest = `\r\nX-Data-Edition: ${edition}${jsonHeaders[language]}${keepAlive}`;
  const bytes = Buffer.from(`${beforeId}${requestIdOfNumber(0)}${rest}`, "latin1");
  const id = bytes.subarray(beforeId.length);
  return (number: number): Uint8Array => {
    writeNumber(id, number);
    return bytes;
  };
}

/** Heads of the last answers from bank data, by the edition they name: one edition answers nearly all requests. */
const lastHeads = { edition: "", heads: {} as Record<Language, DataHead> };

export function dataHeadOf(edition: string, language: Language): DataHead {
  if (edition !== lastHeads.edition) {
    lastHeads.edition = edition;
    lastHeads.heads = inEachLanguage((each) => dataHead(edition, each));
  }
  return lastHeads.heads[language];
}
