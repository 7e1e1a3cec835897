import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { docsAssets, docsHeaders } from "./assets.ts";

/** A file of the documentation page, ready to be sent. */
export interface ServedFile {
  readonly content: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

const files = new Map<string, ServedFile>();

/**
 * Gives a file of the documentation page by its name under `/service/docs/`, the page itself by the empty name;
 * undefined for any other name. Files are read when first asked for.
 */
export function docsFile(name: string): ServedFile | undefined {
  const known = files.get(name);
  if (known !== undefined) return known;
  const asset = docsAssets.find((candidate) => candidate.name === name);
  if (asset === undefined) return undefined;
  const content = readFileSync(fileURLToPath(new URL(asset.file, import.meta.url)));
  const etag = `"${createHash("sha256").update(content).digest("base64url")}"`;
  const file = { content, headers: { ...docsHeaders, "Content-Type": asset.contentType, ETag: etag } };
  files.set(name, file);
  return file;
}
