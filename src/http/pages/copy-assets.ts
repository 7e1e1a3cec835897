import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { consoleFolder, consoleLibrary } from "./console-assets.ts";
import { docsAssets, type PageAsset } from "./docs-assets.ts";

// Last step of the build: puts the pages' files beside the compiled code, so that the running service needs neither the
// sources nor the libraries' packages.
const target = fileURLToPath(consoleFolder);
copyPages(dirname(fileURLToPath(import.meta.resolve("#console/index.html"))));
addLibraries(target, consoleLibrary);
addLibraries(join(target, "docs"), docsAssets);

/** Copies the pages' own files, but for what the compiler makes of them. */
function copyPages(folder: string): void {
  cpSync(folder, target, { recursive: true, filter: (file) => !/\.ts$|tsconfig\.json$/.test(file) });
}

/** Copies the files that libraries lend a page. */
function addLibraries(folder: string, assets: readonly PageAsset[]): void {
  for (const { file, library } of assets) {
    if (library === undefined) continue;
    const name = `${library.package}/${library.file}`;
    const origin = dirname(createRequire(import.meta.url).resolve(`${library.package}/package.json`));
    const content = readFileSync(join(origin, library.file));
    if (createHash("sha256").update(content).digest("hex") !== library.sha256) {
      throw new Error(`${name} is not the file whose SHA-256 its list of assets names.`);
    }
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}
