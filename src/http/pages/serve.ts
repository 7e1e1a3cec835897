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

/** The files, ready to be sent, by path and encoding; the empty one is that of their own bytes. */
let pages: ReturnType<typeof readPages> | undefined;

/**
 * Returns a file by its name under `/service/console/`, empty for the page itself, in the smallest encoding that
 * `acceptEncoding` names; undefined for any other path. All files are read when the first is asked for: a build that
 * replaces them would leave a page without its script.
 */
export function pageFile(path: string, acceptEncoding: string) {
  pages ??= readPages();
  const smallest = storedEncodings.find(
    ({ name }) => pages?.has(keyOf(path, name)) && qualityOf(acceptEncoding, [name]) > 0,
  );
  return pages.get(keyOf(path, smallest?.name));
}

/** A path has no space: none is taken for the key of another. */
const keyOf = (path: string, encoding = "") => `${path} ${encoding}`;

function readPages() {
  const files = readdirSync(pagesFolder).map((stored) => {
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
    return [keyOf(path, encoding?.name), { content, headers }] as const;
  });
  return new Map(files);
}
