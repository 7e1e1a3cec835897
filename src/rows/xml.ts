import { SaxesParser } from "saxes";

export type Attributes = Readonly<Record<string, string>>;

/** Receives the elements of a document, whose names have no prefix. */
export interface ElementHandlers {
  open(name: string, attributes: Attributes): void;
  /** `text` is what there is since the last tag. */
  close?(name: string, text: string): void;
}

/** Maximum length of text without a tag, which the parser holds in memory; no document that is read has as much. */
const maxUntagged = 1_048_576;
/** How much is parsed before the text without a tag is measured. */
const pieceLength = 65_536;

/** Reads XML as it comes. A document type is refused, so that no entity expands. */
export class XmlReader {
  readonly #parser = new SaxesParser();
  readonly #fault: (reason: string) => Error;
  #untagged = 0;
  #text = "";

  /** `fault` returns what is thrown for a document that is damaged or refused; its reason is half a sentence. */
  constructor(handlers: ElementHandlers, fault: (reason: string) => Error) {
    this.#fault = fault;
    const local = (name: string) => name.slice(name.indexOf(":") + 1);
    this.#parser.on("error", ({ message }) => {
      throw fault(message.replace(/\.$/, ""));
    });
    this.#parser.on("doctype", () => {
      throw fault("it has a document type, which is refused");
    });
    this.#parser.on("opentag", ({ name, attributes }) => {
      this.#takeText();
      handlers.open(local(name), attributes as Attributes);
    });
    this.#parser.on("closetag", ({ name }) => {
      const text = this.#takeText();
      handlers.close?.(local(name), text);
    });
    for (const event of ["text", "cdata"] as const)
      this.#parser.on(event, (text) => {
        this.#text += text;
      });
  }

  /** The line that is being read, from 1. */
  get line(): number {
    return this.#parser.line;
  }

  read(text: string): void {
    for (let at = 0; at < text.length; at += pieceLength) {
      const piece = text.slice(at, at + pieceLength);
      this.#parser.write(piece);
      this.#untagged += piece.length;
      if (this.#untagged > maxUntagged)
        throw this.#fault("it has more than a million characters without a tag");
    }
  }

  /** Expects the end of the document. */
  close(): void {
    this.#parser.close();
  }

  #takeText(): string {
    const text = this.#text;
    this.#untagged = 0;
    this.#text = "";
    return text;
  }
}
