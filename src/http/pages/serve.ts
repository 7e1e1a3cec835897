import { readFileSync } from "node:fs";
import { qualityOf } from "../../contract/language.ts";

/** Where the build puts the pages' files and the list of them. */
export const pagesFolder = new URL(".dist/pages/", import.meta.resolve("#package.json"));

/** Name of the list of files in that folder. */
export const listName = "files.json";

/** Encodings that files are stored in besides their own bytes, the smallest first, with the endings of their names. */
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
  /** Whether it is stored in the encodings too; small and compressed files are not. */
  readonly isCompressed: boolean;
}

/** A file of a page, ready to be sent. */
interface ServedFile {
  readonly content: Uint8Array;
  readonly headers: Readonly<Record<string, string>> & { readonly ETag: string };
}

/** Headers of the pages and their files: nothing but the service itself may be loaded, framed or sent to. */
const pageHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  Vary: "Accept-Encoding",
} as const;

const yearSeconds = 31_536_000;
/** A page that is opened again soon shows without a request; its files are named by their content and fit it. */
const pageSeconds = 300;

/** The files by path, each in its encodings; the empty name is that of its own bytes. */
let pages: ReadonlyMap<string, ReadonlyMap<string, ServedFile>> | undefined;

/**
 * Returns a file by its name under `/service/console/`, in the smallest encoding that `acceptEncoding` names; undefined for any
 * other path. All files are read when the first is asked for: a build that replaces them would leave a page without its script.
 */
export function pageFile(path: string, acceptEncoding: string): ServedFile | undefined {
  pages ??= new Map(
    (JSON.parse(readFileSync(new URL(listName, pagesFolder), "utf8")) as PageFile[]).map((file) => [
      file.path,
      encodingsOf(file),
    ]),
  );
  const encodings = pages.get(path);
  const smallest = storedEncodings.find(
    ({ name }) => encodings?.has(name) && qualityOf(acceptEncoding, [name]) > 0,
  );
  return encodings?.get(smallest?.name ?? "");
}

function encodingsOf(file: PageFile): ReadonlyMap<string, ServedFile> {
  const encodings = [{ name: "", ending: "" }, ...(file.isCompressed ? storedEncodings : [])];
  return new Map(
    encodings.map(({ name, ending }) => [
      name,
      {
        content: readFileSync(new URL(file.file + ending, pagesFolder)),
        headers: {
          ...pageHeaders,
          "Content-Type": file.contentType,
          "Cache-Control": file.isImmutable
            ? `public, max-age=${yearSeconds}, immutable`
            : `private, max-age=${pageSeconds}`,
          // The tag is of the bytes sent, which differ by encoding.
          ETag: name === "" ? file.etag : file.etag.replace(/"$/, `-${name}"`),
          ...(name !== "" && { "Content-Encoding": name }),
        },
      },
    ]),
  );
}
