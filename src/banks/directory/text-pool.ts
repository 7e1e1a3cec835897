/** Collects UTF-8 texts one after the other, in the form that the directory's text references lead to. */
export class TextPool {
  readonly texts: Buffer[] = [];
  /** Offset in the directory at which the next text begins; above 0. */
  end: number;
  readonly #references = new Map<string, number>();

  constructor(start: number) {
    this.end = start;
  }

  /** Appends a text and returns its length in bytes. */
  append(text: string): number {
    const bytes = Buffer.from(text);
    this.texts.push(bytes);
    this.end += bytes.length;
    return bytes.length;
  }

  /** Returns the reference of a text below 65,536 bytes, which is added after its length when it is new; 0 for null. */
  reference(text: string | null): number {
    if (text === null) return 0;
    const known = this.#references.get(text);
    if (known !== undefined) return known;
    const reference = this.end;
    this.#references.set(text, reference);
    const length = this.append(`\0\0${text}`) - 2;
    this.texts.at(-1)!.writeUInt16LE(length);
    return reference;
  }
}
