import { InputError } from "../../rows/rows.ts";

const [openBracket, closeBracket, openBrace, closeBrace] = Buffer.from("[]{}");
const [quote, backslash, comma, lineFeed, carriageReturn, space] = Buffer.from('"\\,\n\r ');
const byteOrderMark = Buffer.from("\ufeff");

/**
 * Turns a JSON array into NDJSON, a line for each element. Elements are found without being parsed: an error in one is reported
 * where its line is read.
 *
 * A text becomes an object with the field `iban`, so that a plain list of IBANs is rows like any other.
 */
export async function* arrayElements(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  /** The first byte of the element that is being read; 0 between elements. */
  let first = 0;
  for await (const piece of bytes) {
    const lines: Buffer[] = [];
    // Where the element begins that is being read, or what of it is in this piece.
    let begin = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isText = false;
        continue;
      }
      const isInside = depth > 1 || (depth === 1 && byte !== comma && byte !== closeBracket);
      if (!isInside) {
        if (first !== 0) lines.push(piece.subarray(begin, at), endOf(first));
        first = 0;
        if (byte === openBracket) depth = 1;
        else if (byte === closeBracket) depth = 0;
        else if (depth === 0 && byte > space! && !byteOrderMark.includes(byte)) {
          throw new InputError("Something follows the end of the JSON array.");
        }
        continue;
      }
      if (first === 0) {
        if (byte <= space!) continue;
        first = byte;
        begin = at;
        if (byte === quote) lines.push(Buffer.from('{"iban":'));
      }
      if (byte === quote) isText = true;
      else if (byte === openBrace || byte === openBracket) depth++;
      else if (byte === closeBrace || byte === closeBracket) depth--;
      else if (byte === lineFeed || byte === carriageReturn) piece[at] = space!;
    }
    if (first !== 0) lines.push(piece.subarray(begin));
    yield Buffer.concat(lines);
  }
  // An element without an end becomes a line too, which is then reported as broken.
  if (first !== 0) yield endOf(first);
}

/** Returns what is put after an element that begins with this byte. */
const endOf = (first: number) => Buffer.from(first === quote ? "}\n" : "\n");
