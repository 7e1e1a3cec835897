import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { ibanCountries } from "../../banking/iban/registry.ts";
import { openApiDocument } from "../../contract/openapi/document.ts";
import { settingsTable } from "../../settings.ts";
import { listName, type PageFile, pagesFolder, storedEncodings } from "./serve.ts";

// Last step of the build: bundles the console, names its files by their content, and stores everything that is served as
// a page compressed, so that the running service needs neither the sources nor the libraries and compresses nothing.

const target = fileURLToPath(pagesFolder);
const sources = dirname(fileURLToPath(import.meta.resolve("#console/index.html")));
const compressors = { br: brotliCompressSync, gzip: gzipSync };
/** Smaller files fit one packet either way. */
const minCompressedBytes = 1_024;
const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
};
const ibanLengths = Object.fromEntries(ibanCountries.map(({ code, ibanLength }) => [code, ibanLength]));
const { processes, poolSize, poolQueue } = settingsTable;
const settingMaxima = {
  processes: processes.kind.max,
  poolSize: poolSize.kind.max,
  poolQueue: poolQueue.kind.max,
};
const files: PageFile[] = [];

rmSync(target, { recursive: true, force: true });
await bundleConsole();
// The reference reads it without a key; the interface itself asks for one.
writeFileSync(join(target, "openapi.json"), JSON.stringify(openApiDocument()));
add("openapi.json", "openapi.json", false);
writeFileSync(join(target, listName), JSON.stringify(files));

async function bundleConsole(): Promise<void> {
  const { metafile } = await build({
    entryPoints: [join(sources, "main.ts"), join(sources, "console.css")],
    outdir: target,
    define: { ibanLengths: JSON.stringify(ibanLengths), settingMaxima: JSON.stringify(settingMaxima) },
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2023",
    minify: true,
    legalComments: "eof",
    charset: "utf8",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    metafile: true,
    absWorkingDir: sources,
  });
  let page = readFileSync(join(sources, "index.html"), "utf8");
  const nameOf = (output: string) => output.slice(output.lastIndexOf("/") + 1);
  for (const [output, { entryPoint, imports }] of Object.entries(metafile.outputs)) {
    const name = nameOf(output);
    if (entryPoint === "console.css") page = page.replace('"console.css"', `"/service/console/${name}"`);
    if (entryPoint === "main.ts") {
      page = page.replace('"main.js"', `"/service/console/${name}"`);
      // What the script imports loads with it, and not after it.
      const needed = imports
        .filter(({ kind }) => kind === "import-statement")
        .map(({ path }) => nameOf(path));
      const links = needed.map((file) => `<link rel="modulepreload" href="/service/console/${file}">`);
      page = page.replace("</head>", `${links.join("")}</head>`);
    }
    add(name, name, true);
  }
  writeFileSync(join(target, "index.html"), page);
  add("", "index.html", false);
}

function add(path: string, file: string, isImmutable: boolean): void {
  const content = readFileSync(join(target, file));
  const isCompressed = content.length >= minCompressedBytes;
  for (const { name, ending } of storedEncodings) {
    const stored = join(target, file + ending);
    mkdirSync(dirname(stored), { recursive: true });
    if (isCompressed) writeFileSync(stored, compressors[name](content));
  }
  const etag = `"${createHash("sha256").update(content).digest("base64url")}"`;
  files.push({ path, file, contentType: contentTypes[extname(file)]!, etag, isImmutable, isCompressed });
}
