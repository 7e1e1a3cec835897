import { readdirSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageAsset } from "./docs-assets.ts";

/** Where the build puts the console. */
export const consoleFolder = new URL("../../console/", import.meta.url);

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** The libraries that draw charts and read CSV; the build copies them to the page's own files, their licences beside them. */
export const consoleLibrary: readonly PageAsset[] = [
  {
    ...pageFile("uplot/uplot.js"),
    library: {
      package: "uplot",
      file: "dist/uPlot.iife.min.js",
      sha256: "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
    },
  },
  {
    ...pageFile("uplot/uplot.css"),
    library: {
      package: "uplot",
      file: "dist/uPlot.min.css",
      sha256: "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
    },
  },
  {
    ...pageFile("uplot/LICENSE.txt"),
    library: {
      package: "uplot",
      file: "LICENSE",
      sha256: "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
    },
  },
  {
    ...pageFile("papaparse/papaparse.js"),
    library: {
      package: "papaparse",
      file: "papaparse.min.js",
      sha256: "e032656b2c709e9a756d5be817da9885d58b2313c43d432c414eb8534a752685",
    },
  },
  {
    ...pageFile("papaparse/LICENSE.txt"),
    library: {
      package: "papaparse",
      file: "LICENSE",
      sha256: "99aa68e4b42758b09828a46515f70369e5463458ab7a990189f641af2b8d9b4e",
    },
  },
];

/** Everything under `/service/console`: what the build has put into its folder, but for the reference page. */
export function consoleAssets(): readonly PageAsset[] {
  return readdirSync(fileURLToPath(consoleFolder), { recursive: true, encoding: "utf8" })
    .filter((file) => extname(file) in contentTypes && !file.startsWith("docs/"))
    .map(pageFile);
}

function pageFile(file: string): PageAsset {
  const name = file === "index.html" ? "" : file;
  return { name, contentType: contentTypes[extname(file)]!, file };
}
