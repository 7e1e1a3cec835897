import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { loadEdition } from "../banks/editions/load-edition.ts";
import { type PreparedEdition, preparedFile } from "../banks/editions/loaded-edition.ts";
import { manifestFile, readEditions, sha256, shippedData } from "../banks/editions/manifest.ts";
import { joinBlocks } from "../banks/search/packed-arrays.ts";
import { editionRoom } from "../pool/shared-memory.ts";

// A step of the build: loads the shipped bank data once for all starts, and bundles the service, the command and their
// threads in place, since a start would spend most of its time on finding and reading some hundred modules.

const root = fileURLToPath(new URL("../../../", import.meta.url));
const compiled = join(root, ".dist");
const chunks = join(compiled, "chunks");

/** A module that is bundled still finds what is beside its file. */
const ownPlaces: Plugin = {
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

rmSync(chunks, { recursive: true, force: true });
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
  define: { preparedEdition: JSON.stringify(JSON.stringify(await prepareEdition())) },
  plugins: [ownPlaces],
  // Piscina starts a thread from a file of its own; the others are loaded by few, or by no start.
  external: ["piscina", "@redis/client"],
  banner: {
    js: 'import{createRequire as requireFrom}from"node:module";const require=requireFrom(import.meta.url);',
  },
});

/** Loads the shipped data into a file, in the words of `preparedEdition`. */
async function prepareEdition(): Promise<PreparedEdition> {
  const editions = await readEditions(shippedData);
  const firstDay = editions
    .map(({ validFrom }) => validFrom)
    .sort()
    .at(-1)!;
  const room = new Uint8Array(editionRoom);
  const loaded = await loadEdition({ dataFolder: shippedData, day: firstDay, room });
  const content = joinBlocks([Buffer.from(JSON.stringify(loaded)), room.subarray(0, loaded.bytes)]);
  writeFileSync(preparedFile, content);
  const files = [manifestFile, ...editions.map(({ file }) => file)];
  return {
    digest: sha256(content),
    sources: Object.fromEntries(files.map((file) => [file, sha256(readFileSync(join(shippedData, file)))])),
    firstDay,
  };
}
