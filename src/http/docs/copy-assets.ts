import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { consoleAssets } from "../console/assets.ts";
import { docsAssets, docsLibrary } from "./assets.ts";

// Last step of the build: puts the documentation page's files beside the compiled code, so that the running service
// needs neither the sources nor the library's package.
const compiled = fileURLToPath(new URL(".", import.meta.url));
const sources = fileURLToPath(import.meta.resolve("#docs/index.html"));
const library = dirname(createRequire(import.meta.url).resolve(`${docsLibrary}/package.json`));

for (const { file, sha256 } of docsAssets) {
  const content = readFileSync(
    sha256 === undefined ? join(dirname(dirname(sources)), file) : join(library, file),
  );
  if (sha256 !== undefined && createHash("sha256").update(content).digest("hex") !== sha256) {
    throw new Error(`${docsLibrary}/${file} is not the file whose SHA-256 assets.ts names.`);
  }
  const target = join(compiled, file);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
}

const consoleSources = fileURLToPath(import.meta.resolve("#console/index.html"));
for (const { file } of consoleAssets.filter((asset) => !asset.file.endsWith(".js"))) {
  const target = join(compiled, "../console", file);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, readFileSync(join(dirname(dirname(consoleSources)), file)));
}
