import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import type registry from "../../data/iban-registry.json";
import type iso3166 from "../../data/iso-3166.json";
import { codesEnd } from "../banking/reader/iban-forms.ts";
import { pagesFolder, storedEncodings } from "../http/pages/serve.ts";
import { settingsTable } from "../settings-table.ts";

/**
 * Bundles the console, names its files by their content, and stores everything that is served as a page compressed, so
 * that the running service needs neither the sources nor the libraries and compresses nothing.
 */
export async function buildPages(interfaceDocument: object): Promise<void> {
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
    define: { settingMaxima: JSON.stringify(JSON.stringify(maxima)) },
    bundle: true,
    plugins: [packedInPlace(sources), withoutNode, registryInBrief, countriesInBrief],
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
  const outputs = Object.entries(metafile.outputs);
  const [style] = outputs.find(([, { entryPoint }]) => entryPoint === "console.css")!;
  const [script, { imports }] = outputs.find(([, { entryPoint }]) => entryPoint === "main.ts")!;
  const addressOf = (output: string) => `/service/console/${basename(output)}`;
  // Preload the imports of the script; otherwise they load only after it.
  const links = imports
    .filter(({ kind }) => kind === "import-statement")
    .map(({ path }) => `<link rel="modulepreload" href="${addressOf(path)}">`);
  const page = readFileSync(join(sources, "index.html"), "utf8")
    .replace("console.css", addressOf(style))
    .replace("main.js", addressOf(script))
    .replace("</head>", `${links.join("")}</head>`);
  writeFileSync(join(target, "index.html"), page.replace(/\n\s+/g, "\n"));
  // The reference reads it without a key; the interface itself asks for one.
  writeFileSync(join(target, "openapi.json"), JSON.stringify(interfaceDocument));
  const compressors = { br: brotliCompressSync, gzip: gzipSync };
  for (const file of readdirSync(target)) {
    const content = readFileSync(join(target, file));
    // Others fit one packet either way.
    if (content.length >= 1_024)
      for (const { name, ending } of storedEncodings)
        writeFileSync(join(target, file + ending), compressors[name](content));
  }
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

/** Takes contents made from the path of a module in place of the module. */
function inPlaceOf(filter: RegExp, contentsFor: (path: string) => string): Plugin {
  return {
    name: `in place of ${filter.source}`,
    setup: ({ onLoad }) => onLoad({ filter }, ({ path }) => ({ contents: contentsFor(path), loader: "js" })),
  };
}

/** Leaves out what the client has for Node alone, and its loops over many numbers, since the console sends rows by its own. */
const withoutNode = inPlaceOf(
  /\/client\/(fetch-over-http|many)\.ts$/,
  () => "export const fetchOverHttp = undefined, checkMany = undefined, accountMany = undefined;",
);

/** Leaves in the IBAN registry what the reader of text needs. */
const registryInBrief = inPlaceOf(/iban-registry\.json$/, (path) => {
  const { countries, bicCountryAliases } = JSON.parse(readFileSync(path, "utf8")) as typeof registry;
  const forms = countries.map(
    ({ code, bbanStructure, bank, branch }) =>
      `${code}${bbanStructure.replaceAll("!", "")}${codesEnd(bank, branch)}`,
  );
  // "AT5n11n5": bank and branch code as one, which the account number follows. The names of the fields once, and not in
  // every country.
  return `const countries = ${JSON.stringify(forms.join())}.split(",").map((form) => {
      const [, code, structure, end] = /^(..)(.*\\D)(\\d+)$/.exec(form);
      return { code, bbanStructure: structure.replace(/\\d+/g, "$&!"), bank: { start: 0, length: +end }, branch: null };
    });
    export default { countries, bicCountryAliases: ${JSON.stringify(bicCountryAliases)} };`;
});

const countriesInBrief = inPlaceOf(/iso-3166\.json$/, (path) => {
  const { alpha2, bicOnly } = JSON.parse(readFileSync(path, "utf8")) as typeof iso3166;
  const listed = (codes: readonly string[]) => `"${codes.join("")}".match(/../g)`;
  return `export default { alpha2: ${listed(alpha2)}, bicOnly: ${listed(bicOnly)} };`;
});
