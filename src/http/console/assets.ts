import { readdirSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageAsset } from "../docs/assets.ts";

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** The library that draws the charts; the build copies it to the page's own files. Its licence is served beside it. */
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
];

/** Everything under `/service/console`: what the build has put into the folder `page` beside this module. */
export function consoleAssets(): readonly PageAsset[] {
  return readdirSync(fileURLToPath(new URL("page", import.meta.url)), { recursive: true, encoding: "utf8" })
    .filter((file) => extname(file) in contentTypes)
    .map(pageFile);
}

function pageFile(file: string): PageAsset {
  const name = file === "index.html" ? "" : file;
  return { name, contentType: contentTypes[extname(file)]!, file: `page/${file}` };
}
