import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { consoleLibrary } from "../console/assets.ts";
import { docsAssets, type PageAsset } from "./assets.ts";

// Last step of the build: puts the pages' files beside the compiled code, so that the running service needs neither the
// sources nor the libraries' packages.
copyPage("#docs/index.html", new URL(".", import.meta.url), docsAssets);
copyPage("#console/index.html", new URL("../console/", import.meta.url), consoleLibrary);

/** Copies a page's own files, but for what the compiler makes of them, and those that libraries lend it. */
function copyPage(index: string, beside: URL, assets: readonly PageAsset[]): void {
  const target = fileURLToPath(beside);
  cpSync(dirname(fileURLToPath(import.meta.resolve(index))), join(target, "page"), {
    recursive: true,
    filter: (file) => !/\.ts$|tsconfig\.json$/.test(file),
  });
  for (const { file, library } of assets) {
    if (library === undefined) continue;
    const name = `${library.package}/${library.file}`;
    const folder = dirname(createRequire(import.meta.url).resolve(`${library.package}/package.json`));
    const content = readFileSync(join(folder, library.file));
    if (createHash("sha256").update(content).digest("hex") !== library.sha256) {
      throw new Error(`${name} is not the file whose SHA-256 assets.ts names.`);
    }
    mkdirSync(dirname(join(target, file)), { recursive: true });
    writeFileSync(join(target, file), content);
  }
}
