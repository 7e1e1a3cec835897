import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { readEditions, sha256, shippedData } from "../banks/editions/data-folder.ts";
import { type PreparedEdition, type PreparedParts, preparedFile } from "../banks/editions/edition.ts";
import { loadEdition } from "../banks/editions/load.ts";
import { manifestFile } from "../banks/editions/manifest.ts";
import { bankBicsFile, formerCodesFile } from "../banks/files/shipped-facts.ts";
import { packArrays } from "../banks/search/packed-arrays.ts";
import { openApiDocument } from "../contract/openapi/document.ts";
import { editionRoom } from "../pool/shared-memory.ts";
import { productVersion } from "../settings.ts";
import { exampleAnswers } from "./example-answers.ts";
import { buildPages } from "./pages.ts";
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
 * Makes the package of the typed client alone, one file of code for each kind of module and no dependency, so that
 * callers of the service need not install it.
 */
async function buildClient(): Promise<void> {
  const target = join(compiled, "client");
  rmSync(target, { recursive: true, force: true });
  for (const format of ["esm", "cjs"] as const) {
    const folder = join(target, format);
    await build({
      entryPoints: [join(compiled, "src/client/index.js")],
      outfile: join(folder, "index.js"),
      bundle: true,
      format,
      platform: "neutral",
      target: "es2022",
    });
    writeJson(join(folder, "package.json"), { type: format === "esm" ? "module" : "commonjs" });
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
  const firstDay = editions.reduce((last, { validFrom }) => (validFrom > last ? validFrom : last), "");
  const room = new Uint8Array(editionRoom);
  const loaded = await loadEdition({ dataFolder: shippedData, day: firstDay, room });
  const block = room.subarray(0, loaded.bytes);
  const content = packArrays({ loaded, block } satisfies PreparedParts);
  writeFileSync(preparedFile, content);
  const files = [manifestFile, bankBicsFile, formerCodesFile, ...editions.map(({ file }) => file)];
  const sources = Object.fromEntries(
    files.map((file) => [file, sha256(readFileSync(join(shippedData, file)))]),
  );
  return { prepared: { digest: sha256(content), sources, firstDay }, block };
}
