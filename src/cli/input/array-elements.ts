import { InputError } from "../../rows/rows.ts";

const [openBracket, closeBracket, openBrace, closeBrace] = Buffer.from("[]{}");
const [quote, backslash, comma, lineFeed, carriageReturn, space] = Buffer.from('"\\,\n\r ');
const byteOrderMark = Buffer.from("\ufeff");

/** Turns a JSON array into NDJSON, a line for each element. */
export async function* arrayElements(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  const splitter = new ElementSplitter();
  for await (const piece of bytes) yield splitter.split(piece);
  yield splitter.end();
}

/**
 * Finds the elements of an array without parsing them: an error in one is reported where its line is read.
 *
 * A text becomes an object with the field `iban`, so that a plain list of IBANs is rows like any other.
 */
class ElementSplitter {
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** The first byte of the element that is being read; 0 between elements. */
  #first = 0;

  split(piece: Buffer): Buffer {
    const lines: Buffer[] = [];
    // Where the element begins that is being read, or what of it is in this piece.
    let begin = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#isText = false;
        continue;
      }
      const isInside = this.#depth > 1 || (this.#depth === 1 && byte !== comma && byte !== closeBracket);
      if (!isInside) {
        if (this.#first !== 0) lines.push(piece.subarray(begin, at), this.#endOfElement());
        if (byte === openBracket) this.#depth = 1;
        else if (byte === closeBracket) this.#depth = 0;
        else if (this.#depth === 0 && byte > space! && !byteOrderMark.includes(byte)) {
          throw new InputError("Something follows the end of the JSON array.");
        }
        continue;
      }
      if (this.#first === 0) {
        if (byte <= space!) continue;
        this.#begin(byte, lines);
        begin = at;
      }
      if (byte === quote) this.#isText = true;
      else if (byte === openBrace || byte === openBracket) this.#depth++;
      else if (byte === closeBrace || byte === closeBracket) this.#depth--;
      else if (byte === lineFeed || byte === carriageReturn) piece[at] = space!;
    }
    if (this.#first !== 0) lines.push(piece.subarray(begin));
    return Buffer.concat(lines);
  }

  /** An element without an end becomes a line too, which is then reported as broken. */
  end(): Buffer {
    return this.#first === 0 ? Buffer.alloc(0) : this.#endOfElement();
  }

  #begin(byte: number, lines: Buffer[]): void {
    this.#first = byte;
    if (byte === quote) lines.push(Buffer.from('{"iban":'));
  }

  #endOfElement(): Buffer {
    const isText = this.#first === quote;
    this.#first = 0;
    return Buffer.from(isText ? "}\n" : "\n");
  }
}
