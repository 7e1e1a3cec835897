import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { qualityOf } from "../../contract/language.ts";

/** Where the build puts the pages' files. */
export const pagesFolder = new URL(".dist/pages/", import.meta.resolve("#package.json"));

/** Encodings that all but small files are stored in besides their own bytes, the smallest first, with the endings of their names. */
export const storedEncodings = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
};

/** The build names files by their content where browsers need not ask again. */
const namedByContent = /-[A-Z\d]{8}\.\w+$/;

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
 * Returns a file by its name under `/service/console/`, empty for the page itself, in the smallest encoding that
 * `acceptEncoding` names; undefined for any other path. All files are read when the first is asked for: a build that
 * replaces them would leave a page without its script.
 */
export function pageFile(path: string, acceptEncoding: string): ServedFile | undefined {
  pages ??= readPages();
  const encodings = pages.get(path);
  const smallest = storedEncodings.find(
    ({ name }) => encodings?.has(name) && qualityOf(acceptEncoding, [name]) > 0,
  );
  return encodings?.get(smallest?.name ?? "");
}

function readPages(): NonNullable<typeof pages> {
  const files = new Map<string, Map<string, ServedFile>>();
  for (const stored of readdirSync(pagesFolder)) {
    const encoding = storedEncodings.find(({ ending }) => stored.endsWith(ending));
    const file = stored.slice(0, stored.length - (encoding?.ending.length ?? 0));
    const path = file === "index.html" ? "" : file;
    const content = readFileSync(new URL(stored, pagesFolder));
    const headers = {
      ...pageHeaders,
      "Content-Type": contentTypes[extname(file)]!,
      "Cache-Control": namedByContent.test(file)
        ? `public, max-age=${yearSeconds}, immutable`
        : `private, max-age=${pageSeconds}`,
      ETag: `"${createHash("sha256").update(content).digest("base64url")}"`,
      ...(encoding && { "Content-Encoding": encoding.name }),
    };
    files.set(path, (files.get(path) ?? new Map()).set(encoding?.name ?? "", { content, headers }));
  }
  return files;
}
