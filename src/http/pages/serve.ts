import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { consoleAssets, consoleFolder } from "./console-assets.ts";
import { docsAssets, docsHeaders, type PageAsset } from "./docs-assets.ts";

/** A file of a page, ready to be sent. */
export interface ServedFile {
  readonly content: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Gives a file of a page by its name under the page's path, the page itself by the empty name; undefined for any other
 * name. Files are read when first asked for.
 */
type PageFiles = (name: string) => ServedFile | undefined;

function pageFiles(list: () => readonly PageAsset[], folder: URL): PageFiles {
  let assets: readonly PageAsset[] | undefined;
  const files = new Map<string, ServedFile>();
  return (name) => {
    const known = files.get(name);
    if (known !== undefined) return known;
    assets ??= list();
    const asset = assets.find((candidate) => candidate.name === name);
    if (asset === undefined) return undefined;
    const content = readFileSync(fileURLToPath(new URL(asset.file, folder)));
    const etag = `"${createHash("sha256").update(content).digest("base64url")}"`;
    const file = { content, headers: { ...docsHeaders, "Content-Type": asset.contentType, ETag: etag } };
    files.set(name, file);
    return file;
  };
}

/** The files under `/service/docs`. */
export const docsFile = pageFiles(() => docsAssets, new URL("docs/", consoleFolder));

/** The files under `/service/console`. */
export const consoleFile = pageFiles(consoleAssets, consoleFolder);
