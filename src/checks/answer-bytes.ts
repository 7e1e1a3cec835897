const quote = 34;
const backslash = 92;
const hexDigits = Buffer.from("0123456789abcdef");
const shortEscapes: ReadonlyMap<number, number> = new Map([
  [8, 98],
  [9, 116],
  [10, 110],
  [12, 102],
  [13, 114],
]);

/** Turns a constant piece of JSON into the bytes an answer copies. */
export function piece(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "utf8"));
}

/**
 * Writes an answer's bytes one behind the other into shared memory.
 *
 * There is no bounds check: whoever points it at a buffer has sized it for the largest answer.
 */
export class AnswerBytes {
  bytes: Uint8Array = new Uint8Array(0);
  position = 0;

  /** Starts a new answer at the beginning of `bytes`. */
  open(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.position = 0;
  }

  /** Writes a prepared piece. */
  put(constant: Uint8Array): void {
    this.bytes.set(constant, this.position);
    this.position += constant.length;
  }

  /** Copies `length` bytes of `source` as they are. */
  copy(source: Uint8Array, start: number, length: number): void {
    const { bytes, position } = this;
    // Below about this length a loop is cheaper than making a view of the source.
    if (length <= 40) {
      for (let index = 0; index < length; index++) bytes[position + index] = source[start + index]!;
    } else {
      bytes.set(source.subarray(start, start + length), position);
    }
    this.position += length;
  }

  /** Copies UTF-8 text as the inside of a JSON string: quotes, backslashes and control characters are escaped. */
  copyEscaped(source: Uint8Array, start: number, length: number): void {
    for (let index = start; index < start + length; index++) this.#escaped(source[index]!);
  }

  /** Writes text as UTF-8. */
  text(text: string): void {
    this.put(Buffer.from(text, "utf8"));
  }

  #escaped(byte: number): void {
    const { bytes } = this;
    if (byte === quote || byte === backslash) {
      bytes[this.position++] = backslash;
      bytes[this.position++] = byte;
      return;
    }
    if (byte >= 32) {
      bytes[this.position++] = byte;
      return;
    }
    bytes[this.position++] = backslash;
    const short = shortEscapes.get(byte);
    if (short !== undefined) {
      bytes[this.position++] = short;
      return;
    }
    bytes[this.position++] = 117;
    bytes[this.position++] = 48;
    bytes[this.position++] = 48;
    bytes[this.position++] = hexDigits[byte >> 4]!;
    bytes[this.position++] = hexDigits[byte & 15]!;
  }
}
