import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { productVersion } from "./facts.ts";

// A step of the build: makes the package of the typed client alone, `.dist/client`, one file of code for each kind of
// module and no dependency, so that whoever calls the service need not install it.

const compiled = fileURLToPath(new URL("..", import.meta.url));
const target = fileURLToPath(new URL("../../client/", import.meta.url));
const entry = join(compiled, "client/index.js");

rmSync(target, { recursive: true, force: true });
for (const [folder, format, type] of [
  ["esm", "esm", "module"],
  ["cjs", "cjs", "commonjs"],
] as const) {
  const outfile = join(target, folder, "index.js");
  await build({ entryPoints: [entry], outfile, bundle: true, format, platform: "neutral", target: "es2022" });
  writeJson(join(target, folder, "package.json"), { type });
  copyTypes(join(compiled, "client/index.d.ts"), join(target, folder));
}

const { license } = JSON.parse(readFileSync(join(compiled, "../../package.json"), "utf8")) as {
  license: string;
};
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
  const copy = join(folder, "types", relative(compiled, file));
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, text.replace(/^\/\/# sourceMappingURL.*$/m, ""));
  for (const other of referred) copyTypes(other, folder, done);
}

function writeJson(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
