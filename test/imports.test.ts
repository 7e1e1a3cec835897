import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { root } from "./support/repository.ts";
import { words } from "./support/words.ts";

// That no files import each other in a circle, and that imports name files with their endings, is a matter of the linter.

interface Import {
  /** Path of the importing file from the repository's root. */
  readonly from: string;
  /** Path of the imported file from there, or the name of a package or Node module. */
  readonly to: string;
  readonly isRelative: boolean;
  /** Whether it is for types only, so that nothing is loaded. */
  readonly isType: boolean;
}

/** The text of a file without its comments. */
const codeOf = (file: string) =>
  readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "");

/** All imports of a file, static, dynamic, for types only, and by name through `require`. */
function importsOf(file: string): Import[] {
  const text = codeOf(file);
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

const isData = (to: string) => to.startsWith("data/") || to.startsWith("#data/");
const isOwn = ({ from, to, isRelative }: Import) => isRelative && partOf(to) === partOf(from);

const taskModules = words`
  run-task slots tasks shared-memory clock queues run-loop adaptive-spin
`.map((name) => `src/pool/${name}.ts`);
const seenByWorkers = ["banking", "contract", "banks", "suggest", "checks", "kernel", "workers"];

/** What files of some parts may import, all of them where none are named. */
const rules: readonly (readonly [
  promise: string,
  parts: readonly string[] | undefined,
  mayImport: (one: Import) => boolean,
])[] = [
  [
    "imports run one way: from main to the domain, never back",
    [...layers, ...leaves],
    ({ from, to, isRelative }) => {
      const [importer, imported] = [partOf(from), partOf(to)];
      if (!isRelative || isData(to) || importer === imported || leaves.includes(imported)) return true;
      return layers.includes(imported) && layers.indexOf(imported) <= layers.indexOf(importer);
    },
  ],
  [
    "keys, usage and metrics are independent of each other, of the pool and of answers",
    ["keys", "usage", "metrics"],
    (one) => !one.isRelative || isOwn(one) || [...leaves, "contract"].includes(partOf(one.to)),
  ],
  [
    "the domain is pure: it imports itself, data, and nothing of Node or of packages",
    ["banking"],
    (one) => isOwn(one) || (one.isRelative && isData(one.to)),
  ],
  [
    "the typed client is made for browsers too: it imports itself, the limits and types alone",
    ["client"],
    (one) =>
      isOwn(one) ||
      one.to === "src/contract/limits.ts" ||
      (one.isType && one.to === "src/contract/api-types.ts"),
  ],
  [
    "workers see the domain, the banks, the suggestions, the answers, the kernel and the task modules of the pool only",
    ["workers"],
    ({ to, isRelative }) =>
      isRelative
        ? taskModules.includes(to) || seenByWorkers.includes(partOf(to))
        : to === "piscina" || to.startsWith("node:"),
  ],
  [
    "only the binding loads the native module",
    undefined,
    ({ from, to }) => from === "src/http/binding.ts" || !/uWebSockets\.js|@uwsjs\/|uws-linux/.test(to),
  ],
];

function expectNone(wrong: readonly Import[]): void {
  const found = wrong.map(({ from, to }) => `${from} imports ${to}`);
  assert.deepEqual(found, []);
}

for (const [promise, parts, mayImport] of rules) {
  test(promise, () => {
    const own = imports.filter(({ from }) => parts === undefined || parts.includes(partOf(from)));
    expectNone(own.filter((one) => !mayImport(one)));
  });
}

test("the imports of all files are read", () => {
  const known = new Set([...layers, ...leaves, "workers"]);
  for (const file of files) assert.ok(known.has(partOf(file)), `${file} belongs to no known layer`);
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

test("the domain asks for no clock, no randomness, no environment and no output", () => {
  const banned = /\b(process\.|Date\.now|new Date|performance\.|Math\.random|console\.|setTimeout|fetch\()/;
  for (const file of files.filter((each) => partOf(each) === "banking"))
    assert.doesNotMatch(codeOf(file), banned, file);
});

test("what workers load never leads to the front end, the pool's wrapper or the settings", () => {
  const reached = new Set(files.filter((file) => partOf(file) === "workers"));
  // A set that grows while it is read is read to its end.
  for (const file of reached)
    for (const { from, to, isType } of imports) if (from === file && !isType) reached.add(to);
  assert.ok(reached.has("src/checks/iban-check.ts"));
  const closed = words`http keys settings service main`;
  for (const file of reached)
    assert.ok(!closed.includes(partOf(file)) && file !== "src/pool/check-pool.ts", file);
});

test("only the binding, what reads package.json and what bundles packages may require", () => {
  const requiring = files.filter((file) => /createRequire|dlopen/.test(codeOf(file)));
  assert.deepEqual(requiring.sort(), ["src/build/bundles.ts", "src/http/binding.ts", "src/settings.ts"]);
});

test("bench and tests share only test/support", () => {
  const isShared = (to: string) => to.startsWith("test/support/");
  const ofBench = filesOf("bench").flatMap(importsOf);
  expectNone(ofBench.filter(({ to }) => to.startsWith("test/") && !isShared(to)));
  const ofTests = filesOf("test").flatMap(importsOf);
  expectNone(ofTests.filter(({ from, to }) => to.startsWith("bench/") && !from.startsWith("test/bench/")));
});
