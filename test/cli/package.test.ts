import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ts } from "@ts-morph/common";
import { newFolder } from "../support/folders.ts";
import { words } from "../support/words.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder: string;
let packed: Packed;
let packedClient: Packed;
before(() => {
  folder = newFolder();
  [packed, packedClient] = pack(root, join(root, ".dist/client")) as [Packed, Packed];
});

interface Packed {
  readonly filename: string;
  /** In bytes, packed. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs packages as they are built. */
function pack(...sources: readonly string[]): readonly Packed[] {
  const args = ["pack", ...sources, "--ignore-scripts", "--json", "--pack-destination", folder];
  return JSON.parse(execFileSync("npm", args, { encoding: "utf8", cwd: root })) as Packed[];
}

/** Unpacks a package as an empty folder's only dependency, and returns its files. */
function install({ filename, files }: Packed, name: string, into: string): readonly string[] {
  const target = join(folder, into, "node_modules", name);
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["xzf", join(folder, filename), "--strip-components=1", "-C", target]);
  return files.map(({ path }) => path);
}

const { PATH = "" } = process.env;

/** Runs Node, which ends with 0, and returns what it prints. */
function node(...args: readonly string[]): string {
  const options = { cwd: folder, encoding: "utf8", env: { PATH } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

test("the package holds compiled code and data, and its command works where it is installed", async () => {
  const files = install(packed, "bankcheck", "service");
  assert.ok(packed.size < 5_000_000, `${packed.size} bytes`);
  for (const needed of words`
    .dist/src/cli/main.js .dist/src/main.js .dist/workers/check.js data/blz.csv LICENSE NOTICE
  `) {
    assert.ok(files.includes(needed), needed);
  }
  assert.deepEqual(
    files.filter((path) => /^(test|bench|src)\/|official|\.map$|^\.dist\/(?!client\/).*\.d\.ts$/.test(path)),
    [],
  );
  const installed = join(folder, "service/node_modules/bankcheck");
  const { stdout: machinePaths } = spawnSync("grep", ["-rlF", root, installed], { encoding: "utf8" });
  assert.equal(machinePaths, "");
  // Packages that npm would fetch from a registry.
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"));
  const command = join(installed, ".dist/src/cli/main.js");
  assert.match(node(command, "iban", "DE89370400440532013000", "--offline"), /Commerzbank/);
  const state = join(folder, "state");
  const args = [command, "serve", "--port", "0", "--state-dir", state];
  const service = spawn(process.execPath, args, { env: { PATH, POOL_SIZE: "1" }, detached: true });
  let log = "";
  service.stderr.on("data", (piece) => {
    log += piece;
  });
  while (!log.includes('"listening"') && service.exitCode === null) await once(service.stderr, "data");
  // To all of its group, as a terminal does on Ctrl-C.
  process.kill(-service.pid!, "SIGINT");
  const [code] = await once(service, "exit");
  assert.equal(code, 0, log);
  assert.match(node(command, "serve", "--help"), /--pool-size/);
});

/** Each way of finding modules, with the files that try it: a module, and one of CommonJS. */
const resolutions = [
  ["bundler", "esnext", ["use.ts"]],
  ["node16", "node16", ["use.ts", "use.cts"]],
  ["nodenext", "nodenext", ["use.ts", "use.cts"]],
] as const;

/** Returns the compiler's errors for a file under the resolution of Node 10, which newer compilers lack. */
function faultsByNode10(file: string): readonly string[] {
  const options = {
    ...{ strict: true, noEmit: true, types: [], ignoreDeprecations: "6.0", skipDefaultLibCheck: true },
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
  };
  const host = ts.createCompilerHost(options);
  // Its own package has no declarations of the language; those of the compiler in use serve as well.
  const compiler = `node_modules/@typescript/typescript-${process.platform}-${process.arch}`;
  host.getDefaultLibLocation = () => join(root, compiler, "lib");
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("the client is found with its types by every resolution of modules, alone and in the service's package", () => {
  const place = join(folder, "user");
  const files = install(packedClient, "bankcheck-client", "user");
  for (const needed of ["README.md", "LICENSE"]) assert.ok(files.includes(needed), needed);
  assert.ok(files.includes("esm/index.js"));
  // Compilers before TypeScript 5.7 know Uint8Array without a parameter alone.
  const types = spawnSync("grep", ["-rlE", "Uint8Array<", join(place, "node_modules/bankcheck-client")]);
  assert.equal(types.stdout.toString(), "");
  install(packed, "bankcheck", "user");
  writeFileSync(join(place, "package.json"), '{ "type": "module" }');
  for (const entry of ["bankcheck-client", "bankcheck/client"]) {
    for (const [file, text] of [
      ["use.mjs", `import { BankcheckClient } from "${entry}"`],
      ["use.cjs", `const { BankcheckClient } = require("${entry}")`],
    ] as const) {
      writeFileSync(join(place, file), `${text}; new BankcheckClient({ baseUrl: "http://x", apiKey: "k" });`);
      node(join(place, file));
    }
  }
  const typed = `import { BankcheckClient, type IbanCheckAnswer } from "bankcheck-client";
    import { BankcheckClient as Same } from "bankcheck/client";
    const options = { baseUrl: "http://x", apiKey: "k" };
    export const answer: Promise<IbanCheckAnswer> = new BankcheckClient(options).check("x");
    export const other: Promise<IbanCheckAnswer> = new Same(options).check("x");
    // @ts-expect-error: its types are found
    new BankcheckClient(options).check(1);
    // @ts-expect-error: and so are those of the other package
    new Same(options).check(1);\n`;
  for (const file of ["use.ts", "use.cts"]) writeFileSync(join(place, file), typed);
  for (const [moduleResolution, module, use] of resolutions) {
    const compilerOptions = {
      ...{ module, moduleResolution, target: "es2022", lib: ["es2022", "dom"] },
      ...{ types: [], strict: true, noEmit: true, skipDefaultLibCheck: true },
    };
    writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, files: use }));
    node(join(root, "node_modules/typescript/bin/tsc"), "-p", place);
  }
  assert.deepEqual(faultsByNode10(join(place, "use.cts")), []);
});
