/** Where the build puts the pages' files and the list of them, beside the compiled code. */
export const pagesFolder = new URL("../../pages/", import.meta.url);

/** Name of the list of files in that folder. */
export const listName = "files.json";

/** Encodings that files are stored in beside their own bytes, the smallest first, with the endings of their names. */
export const storedEncodings = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;

/** One file of a page. */
export interface PageFile {
  /** Name under `/service/console/`; empty for the page itself. */
  readonly path: string;
  /** File in the pages' folder. */
  readonly file: string;
  readonly contentType: string;
  readonly etag: string;
  /** Whether its name changes with its content, so that browsers need not ask again. */
  readonly isImmutable: boolean;
  /** Whether it is stored in the encodings too; what is small or compressed already is not. */
  readonly isCompressed: boolean;
}
