import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import type registry from "../../data/iban-registry.json";
import type iso3166 from "../../data/iso-3166.json";
import { codesEnd } from "../banking/reader/iban-forms.ts";
import { type PreparedEdition, preparedFile, preparedParts } from "../banks/editions/edition.ts";
import { bankBicsFile, formerCodesFile, loadEdition } from "../banks/editions/load.ts";
import { manifestFile, readEditions, sha256, shippedData } from "../banks/editions/manifest.ts";
import { packArrays } from "../banks/search/packed-arrays.ts";
import { openApiDocument } from "../contract/openapi/document.ts";
import { listName, type PageFile, pagesFolder, storedEncodings } from "../http/pages/serve.ts";
import { editionRoom } from "../pool/shared-memory.ts";
import { productVersion, settingsTable } from "../settings.ts";
import { exampleAnswers } from "./example-answers.ts";
import { endBuild } from "./sources.ts";

// Last step of the build, once all is compiled: the console's pages, the package of the client, and the service and the
// command in few files.

const root = fileURLToPath(new URL("../../../", import.meta.url));
const compiled = join(root, ".dist");

const { prepared, block } = await prepareEdition();
await buildPages(openApiDocument(await exampleAnswers(block)));
await buildClient();
// Last, since it overwrites the modules that this script is made of.
await bundleService(prepared);
endBuild();

/**
 * Bundles the console, names its files by their content, and stores everything that is served as a page compressed, so
 * that the running service needs neither the sources nor the libraries and compresses nothing.
 */
async function buildPages(interfaceDocument: object): Promise<void> {
  const target = fileURLToPath(pagesFolder);
  const sources = dirname(fileURLToPath(import.meta.resolve("#console/index.html")));
  const { processes, poolSize, poolQueue } = settingsTable;
  const maxima = {
    processes: processes.kind.max,
    poolSize: poolSize.kind.max,
    poolQueue: poolQueue.kind.max,
  };
  rmSync(target, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: [join(sources, "main.ts"), join(sources, "console.css")],
    outdir: target,
    define: { settingMaxima: JSON.stringify(maxima) },
    bundle: true,
    plugins: [packedInPlace(sources), withoutNode(), registryInBrief()],
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
  const files: PageFile[] = [];
  let page = readFileSync(join(sources, "index.html"), "utf8");
  const nameOf = (output: string) => output.slice(output.lastIndexOf("/") + 1);
  for (const [output, { entryPoint, imports }] of Object.entries(metafile.outputs)) {
    const name = nameOf(output);
    if (entryPoint === "console.css") page = page.replace('"console.css"', `"/service/console/${name}"`);
    if (entryPoint === "main.ts") {
      page = page.replace('"main.js"', `"/service/console/${name}"`);
      // Preload the imports of the script; otherwise they load only after it.
      const needed = imports
        .filter(({ kind }) => kind === "import-statement")
        .map(({ path }) => nameOf(path));
      const links = needed.map((file) => `<link rel="modulepreload" href="/service/console/${file}">`);
      page = page.replace("</head>", `${links.join("")}</head>`);
    }
    files.push(storePage(target, name, name, true));
  }
  writeFileSync(join(target, "index.html"), page.replace(/\n\s+/g, "\n"));
  // The reference reads it without a key; the interface itself asks for one.
  writeFileSync(join(target, "openapi.json"), JSON.stringify(interfaceDocument));
  files.push(
    storePage(target, "", "index.html", false),
    storePage(target, "openapi.json", "openapi.json", false),
  );
  writeJson(join(target, listName), files);
}

/** Workbooks are packed in the page's own worker: fflate would start further ones, which the pages' policy refuses. */
function packedInPlace(resolveDir: string): Plugin {
  const contents = `
    import { unzipSync, zipSync } from "fflate/browser";
    export * from "fflate/browser";
    export const unzip = (bytes, done) => done(null, unzipSync(bytes));
    export const zip = (files, done) => done(null, zipSync(files));`;
  return {
    name: "packed in place",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^fflate$/ }, () => ({ path: "fflate", namespace: "in place" }));
      onLoad({ filter: /./, namespace: "in place" }, () => ({ contents, resolveDir }));
    },
  };
}

/** Leaves out what the client has for Node alone, and its loops over many numbers, since the console sends rows by its own. */
function withoutNode(): Plugin {
  const contents = "export const fetchOverHttp = undefined, checkMany = undefined, accountMany = undefined;";
  return {
    name: "without Node",
    setup({ onLoad }) {
      onLoad({ filter: /\/client\/(fetch-over-http|many)\.ts$/ }, () => ({ contents }));
    },
  };
}

/** Leaves in the IBAN registry and in the list of countries what the reader of text needs. */
function registryInBrief(): Plugin {
  return {
    name: "registry in brief",
    setup({ onLoad }) {
      onLoad({ filter: /iban-registry\.json$/ }, ({ path }) => {
        const { countries, bicCountryAliases } = JSON.parse(readFileSync(path, "utf8")) as typeof registry;
        const forms = countries.map(({ code, ibanLength, bbanStructure, bank, branch }) =>
          [code, ibanLength, bbanStructure, codesEnd(bank, branch)].join(" "),
        );
        // Bank and branch code as one, which the account number follows. The names of the fields once, and not in every country.
        const contents = `const forms = ${JSON.stringify(forms.join())}.split(",").map((form) => form.split(" "));
          const countries = forms.map(([code, length, bbanStructure, end]) => ({
            code, ibanLength: +length, bbanStructure, bank: { start: 0, length: +end }, branch: null }));
          export default { countries, bicCountryAliases: ${JSON.stringify(bicCountryAliases)} };`;
        return { contents, loader: "js" };
      });
      onLoad({ filter: /iso-3166\.json$/ }, ({ path }) => {
        const { alpha2, bicOnly } = JSON.parse(readFileSync(path, "utf8")) as typeof iso3166;
        const listed = (codes: readonly string[]) => `"${codes.join("")}".match(/../g)`;
        return {
          contents: `export default { alpha2: ${listed(alpha2)}, bicOnly: ${listed(bicOnly)} };`,
          loader: "js",
        };
      });
    },
  };
}

/** Stores a file of the pages' folder compressed too, unless it fits one packet either way. */
function storePage(target: string, path: string, file: string, isImmutable: boolean): PageFile {
  const content = readFileSync(join(target, file));
  const isCompressed = content.length >= 1_024;
  const compressors = { br: brotliCompressSync, gzip: gzipSync };
  for (const { name, ending } of storedEncodings) {
    if (isCompressed) writeFileSync(join(target, file + ending), compressors[name](content));
  }
  const etag = `"${createHash("sha256").update(content).digest("base64url")}"`;
  const contentType = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
  }[extname(file)]!;
  return { path, file, contentType, etag, isImmutable, isCompressed };
}

/**
 * Makes the package of the typed client alone, one file of code for each kind of module and no dependency, so that
 * callers of the service need not install it.
 */
async function buildClient(): Promise<void> {
  const target = join(compiled, "client");
  rmSync(target, { recursive: true, force: true });
  for (const { format, type } of [
    { format: "esm", type: "module" },
    { format: "cjs", type: "commonjs" },
  ] as const) {
    const folder = join(target, format);
    await build({
      entryPoints: [join(compiled, "src/client/index.js")],
      outfile: join(folder, "index.js"),
      bundle: true,
      format,
      platform: "neutral",
      target: "es2022",
    });
    writeJson(join(folder, "package.json"), { type });
    copyTypes(join(compiled, "src/client/index.d.ts"), folder);
  }
  copyFileSync(join(root, "LICENSE"), join(target, "LICENSE"));
  writeFileSync(join(target, "README.md"), clientPage());
  const { license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { license: string };
  const entryOf = (folder: string) => ({
    types: `./${folder}/types/client/index.d.ts`,
    default: `./${folder}/index.js`,
  });
  writeJson(join(target, "package.json"), {
    name: "bankcheck-client",
    version: productVersion,
    description: "Typed client of the bankcheck service, for Node and browsers, without dependencies.",
    license,
    type: "module",
    sideEffects: false,
    main: "./cjs/index.js",
    module: "./esm/index.js",
    types: "./cjs/types/client/index.d.ts",
    exports: { ".": { import: entryOf("esm"), require: entryOf("cjs") }, "./package.json": "./package.json" },
  });
}

/** The page of the client without what refers to files of the repository. */
function clientPage(): string {
  const sections = readFileSync(join(root, "src/client/README.md"), "utf8").split(/^(?=## )/m);
  return sections.filter((section) => !/\]\(\.|^## Where do I read on/.test(section)).join("");
}

/** Copies declarations with all that they refer to, under names that every way of finding modules understands. */
function copyTypes(file: string, folder: string, done = new Set<string>()): void {
  if (done.has(file)) return;
  done.add(file);
  const referred: string[] = [];
  const text = readFileSync(file, "utf8").replace(
    /(from |import\()"(\.[^"]*?)\.(?:ts|js)"/g,
    (_, before: string, path: string) => {
      referred.push(join(dirname(file), `${path}.d.ts`));
      return `${before}"${path}.js"`;
    },
  );
  const copy = join(folder, "types", relative(join(compiled, "src"), file));
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, text.replace(/^\/\/# sourceMappingURL.*$/m, ""));
  for (const other of referred) copyTypes(other, folder, done);
}

function writeJson(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * Bundles the service, the command and their threads in place, since a start would spend most of its time on finding and
 * reading hundreds of modules.
 */
async function bundleService(prepared: PreparedEdition): Promise<void> {
  rmSync(join(compiled, "chunks"), { recursive: true, force: true });
  await build({
    entryPoints: [
      "src/main.js",
      "src/service/service.js",
      "src/cli/main.js",
      "workers/check.js",
      "workers/load.js",
    ].map((file) => join(compiled, file)),
    outdir: compiled,
    outbase: compiled,
    allowOverwrite: true,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    minifyWhitespace: true,
    define: { preparedEdition: JSON.stringify(JSON.stringify(prepared)) },
    plugins: [ownPlaces()],
    // Piscina starts a thread from a separate file; the others are loaded by few, or by no start.
    external: ["piscina", "@redis/client"],
    banner: {
      js: 'import{createRequire as requireFrom}from"node:module";const require=requireFrom(import.meta.url);',
    },
  });
}

/** Lets a module that is bundled find the files next to its own. */
function ownPlaces(): Plugin {
  return {
    name: "own places",
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        const text = path.startsWith(compiled) ? readFileSync(path, "utf8") : "";
        if (!text.includes("import.meta.url")) return undefined;
        const place = JSON.stringify(relative(root, path).replaceAll(sep, "/"));
        const url = `new URL(${place}, import.meta.resolve("#package.json")).href`;
        return { contents: text.replaceAll("import.meta.url", url) };
      });
    },
  };
}

/** Loads the shipped bank data into a file once for all starts; `block` is the edition itself. */
async function prepareEdition(): Promise<{ prepared: PreparedEdition; block: Uint8Array }> {
  const editions = await readEditions(shippedData);
  const firstDay = editions
    .map(({ validFrom }) => validFrom)
    .sort()
    .at(-1)!;
  const room = new Uint8Array(editionRoom);
  const loaded = await loadEdition({ dataFolder: shippedData, day: firstDay, room });
  const block = room.subarray(0, loaded.bytes);
  const content = packArrays(preparedParts, { loaded: Buffer.from(JSON.stringify(loaded)), block });
  writeFileSync(preparedFile, content);
  const files = [manifestFile, bankBicsFile, formerCodesFile, ...editions.map(({ file }) => file)];
  const sources = Object.fromEntries(
    files.map((file) => [file, sha256(readFileSync(join(shippedData, file)))]),
  );
  return { prepared: { digest: sha256(content), sources, firstDay }, block };
}
