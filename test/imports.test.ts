import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { root } from "./support/repository.ts";
import { words } from "./support/words.ts";

interface Import {
  /** Path of the importing file from the repository's root. */
  readonly from: string;
  /** Path of the imported file from there, or the name of a package or Node module. */
  readonly to: string;
  readonly isRelative: boolean;
  /** Whether it is for types only, so that nothing is loaded. */
  readonly isType: boolean;
}

/** All imports of a file, static, dynamic, for types only, and by name through `require`. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");
  const patterns = [
    /^\s*(?:import|export)\s[^"';]*?from\s*"([^"]+)"/gm,
    /^\s*import\s*"([^"]+)"/gm,
    /\b(?:import|require)\(\s*"([^"]+)"/g,
    /import\.meta\.resolve\(\s*"([^"]+)"/g,
  ];
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([statement, target = ""]) => {
      const isRelative = target.startsWith(".");
      const to = isRelative ? relative(root, join(root, dirname(file), target)) : target;
      return { from: file, to, isRelative, isType: /^\s*(import|export) type\b/.test(statement) };
    }),
  );
}

const filesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file));
const files = ["src", "workers"].flatMap(filesOf);
const imports = files.flatMap(importsOf);

/** The layers from the domain outwards; a layer may import itself and what precedes it. */
const layers = words`
  banking contract client rows banks suggest checks kernel keys usage metrics console pool http service main
  cli build
`;
const leaves = ["settings", "settings-table", "process"];

/** `src/http/server.ts` belongs to `http`, `src/main.ts` to `main`, files of `workers/` to `workers`. */
function partOf(file: string): string {
  const [top = "", second = ""] = file.split("/");
  return top === "src" ? second.replace(/\.(d\.)?ts$/, "") : top;
}

function listed(wrong: readonly Import[]): string {
  return wrong.map(({ from, to }) => `${from} imports ${to}`).join("\n");
}

function expectNone(wrong: readonly Import[]): void {
  assert.equal(wrong.length, 0, listed(wrong));
}

/** The imports of the product's own files, by importing file. */
function byImporter(some: readonly Import[]): ReadonlyMap<string, readonly Import[]> {
  const found = new Map<string, Import[]>();
  for (const entry of some.filter(({ isRelative }) => isRelative)) {
    found.set(entry.from, [...(found.get(entry.from) ?? []), entry]);
  }
  return found;
}

/** Imports at run time, by file. */
const bySource = byImporter(imports.filter(({ isType }) => !isType));

const within = (part: string) => imports.filter(({ from }) => partOf(from) === part);
const isData = (to: string) => to.startsWith("data/") || to.startsWith("#data/");

test("the imports of all files are read", () => {
  assert.ok(files.length > 80, String(files.length));
  assert.ok(imports.length > 200, String(imports.length));
  const found = imports.map(({ from, to }) => `${from} ${to}`);
  for (const known of [
    "src/http/operations/operations.ts src/pool/check-pool.ts",
    "src/banking/bic.ts data/iban-registry.json",
    "src/banks/editions/data-folder.ts #data/blz.csv",
    "src/pool/check-pool.ts piscina",
  ]) {
    assert.ok(found.includes(known), known);
  }
});

test("imports run one way: from main to the domain, never back", () => {
  const known = new Set([...layers, ...leaves, "workers"]);
  for (const file of files) assert.ok(known.has(partOf(file)), `${file} belongs to no known layer`);
  const wrong = imports.filter(({ from, to, isRelative }) => {
    if (!isRelative || isData(to) || partOf(from) === "workers") return false;
    const [importer, imported] = [partOf(from), partOf(to)];
    if (importer === imported || leaves.includes(imported)) return false;
    return layers.indexOf(imported) < 0 || layers.indexOf(imported) > layers.indexOf(importer);
  });
  expectNone(wrong);
});

test("keys, usage and metrics are independent of each other, of the pool and of answers", () => {
  const beside = ["keys", "usage", "metrics"];
  const wrong = beside.flatMap(within).filter(({ from, to, isRelative }) => {
    const imported = partOf(to);
    return isRelative && imported !== partOf(from) && ![...leaves, "contract"].includes(imported);
  });
  expectNone(wrong);
});

test("the domain is pure: it imports itself, data, and nothing of Node or of packages", () => {
  const wrong = within("banking").filter(
    ({ to, isRelative }) => !isRelative || !(partOf(to) === "banking" || isData(to)),
  );
  expectNone(wrong);
});

test("the typed client is made for browsers too: it imports itself, the limits and types alone", () => {
  const outside = within("client").filter(({ to }) => partOf(to) !== "client");
  expectNone(
    outside.filter(
      ({ to, isType }) => to !== "src/contract/limits.ts" && !(isType && to === "src/contract/api-types.ts"),
    ),
  );
});

test("the domain asks for no clock, no randomness, no environment and no output", () => {
  const banned = /\b(process\.|Date\.now|new Date|performance\.|Math\.random|console\.|setTimeout|fetch\()/;
  for (const file of files.filter((candidate) => partOf(candidate) === "banking")) {
    const code = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    assert.ok(!banned.test(code), `${file}: ${banned.exec(code)?.[0]}`);
  }
});

test("workers see the domain, the banks, the suggestions, the answers, the kernel and the task modules of the pool only", () => {
  const taskModules = [
    "run-task",
    "slots",
    "tasks",
    "shared-memory",
    "clock",
    "queues",
    "run-loop",
    "adaptive-spin",
  ];
  const wrong = within("workers").filter(({ to, isRelative }) => {
    if (!isRelative) return to !== "piscina" && !to.startsWith("node:");
    const part = partOf(to);
    if (part === "pool") return !taskModules.some((module) => to === `src/pool/${module}.ts`);
    return !["banking", "contract", "banks", "suggest", "checks", "kernel", "workers"].includes(part);
  });
  expectNone(wrong);
});

test("what workers load never leads to the front end, the pool's wrapper or the settings", () => {
  const reached = new Set<string>();
  const follow = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { to, isRelative } of bySource.get(file) ?? [])
      if (isRelative && to.endsWith(".ts")) follow(to);
  };
  for (const file of files.filter((candidate) => partOf(candidate) === "workers")) follow(file);
  assert.ok(reached.has("src/checks/iban-check.ts"));
  const wrong = [...reached].filter((file) =>
    ["http", "keys", "settings", "service", "main"].includes(partOf(file)),
  );
  assert.deepEqual([...wrong, ...[...reached].filter((file) => file === "src/pool/check-pool.ts")], []);
});

test("only the binding loads the native module", () => {
  const native = /uWebSockets\.js|@uwsjs\/|uws-linux/;
  for (const file of files.filter((candidate) => candidate !== "src/http/binding.ts")) {
    for (const { to } of importsOf(file)) assert.ok(!native.test(to), file);
  }
  const requiring = files.filter((file) =>
    /createRequire|dlopen/.test(readFileSync(join(root, file), "utf8")),
  );
  const others = ["src/settings.ts", "src/build/bundles.ts"];
  assert.deepEqual(
    requiring.filter((file) => !others.includes(file)),
    ["src/http/binding.ts"],
    "beside package.json and what bundled packages require",
  );
});

test("relative imports name the file with its ending, and Node's modules have their prefix", () => {
  for (const { from, to, isRelative } of imports) {
    if (from.startsWith("src/kernel/assembly/")) continue;
    if (isRelative) assert.match(to, /\.(ts|json)$|^data\//, `${from} imports ${to}`);
    else assert.ok(!builtinModules.includes(to), `${from} imports ${to} without node:`);
  }
});

test("no two files import each other in a circle, not even for types", () => {
  const importsFrom = byImporter(imports);
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), [...path, file].join(" → "));
    if (finished.has(file)) return;
    for (const { to } of importsFrom.get(file) ?? []) visit(to, [...path, file]);
    finished.add(file);
  };
  for (const file of files) visit(file, []);
});

test("bench and tests share only test/support", () => {
  const isShared = (to: string) => to.startsWith("test/support/");
  const ofBench = filesOf("bench").flatMap(importsOf);
  expectNone(ofBench.filter(({ to }) => to.startsWith("test/") && !isShared(to)));
  const ofTests = filesOf("test").flatMap(importsOf);
  expectNone(ofTests.filter(({ from, to }) => to.startsWith("bench/") && !from.startsWith("test/bench/")));
});
