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

export type XmlReader = ReturnType<typeof xmlReader>;

/**
 * Returns what reads XML as it comes. A document type is refused, so that no entity expands.
 *
 * `fault` returns what is thrown for a document that is damaged or refused; its reason is half a sentence.
 */
export function xmlReader({ open, close }: ElementHandlers, fault: (reason: string) => Error) {
  const parser = new SaxesParser();
  let untagged = 0;
  let text = "";
  const local = (name: string) => name.slice(name.indexOf(":") + 1);
  const add = (piece: string) => {
    text += piece;
  };
  const passTag = () => {
    untagged = 0;
    text = "";
  };
  parser.on("error", ({ message }) => {
    throw fault(message.replace(/\.$/, ""));
  });
  parser.on("doctype", () => {
    throw fault("it has a document type, which is refused");
  });
  parser.on("opentag", ({ name, attributes }) => {
    passTag();
    open(local(name), attributes as Attributes);
  });
  parser.on("closetag", ({ name }) => {
    close?.(local(name), text);
    passTag();
  });
  parser.on("text", add);
  parser.on("cdata", add);
  return {
    /** The line that is being read, from 1. */
    get line() {
      return parser.line;
    },
    read: (piece: string) => {
      for (let at = 0; at < piece.length; at += pieceLength) {
        const part = piece.slice(at, at + pieceLength);
        parser.write(part);
        untagged += part.length;
        if (untagged > maxUntagged) throw fault("it has more than a million characters without a tag");
      }
    },
    /** Expects the end of the document. */
    close: () => void parser.close(),
  };
}
