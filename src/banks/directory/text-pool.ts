/** Collects UTF-8 texts one after the other, in the form that the directory's text references lead to. */
export class TextPool {
  readonly #references = new Map<string, number>();
  readonly #texts: Buffer[] = [];
  #end: number;

  /** @param start offset of the first text in the directory; above 0. */
  constructor(start: number) {
    this.#end = start;
  }

  /** Offset in the directory at which the next text begins. */
  get end(): number {
    return this.#end;
  }

  /** Everything collected. */
  get bytes(): Uint8Array {
    return Buffer.concat(this.#texts);
  }

  /** Appends a text and returns its length in bytes. */
  append(text: string): number {
    return this.#push(Buffer.from(text));
  }

  /** Returns the reference of a text below 65,536 bytes, which is added with its length when it is new; 0 for null. */
  reference(text: string | null): number {
    if (text === null) return 0;
    const known = this.#references.get(text);
    if (known !== undefined) return known;
    const reference = this.#end;
    this.#references.set(text, reference);
    const bytes = Buffer.from(`\0\0${text}`);
    bytes.writeUInt16LE(bytes.length - 2);
    this.#push(bytes);
    return reference;
  }

  #push(bytes: Buffer): number {
    this.#texts.push(bytes);
    this.#end += bytes.length;
    return bytes.length;
  }
}
