import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type BindingPlatform,
  bindingPackages,
  currentPlatform,
  fittingPackages,
  loadBinding,
} from "../../src/http/binding.ts";
import { pluck } from "../support/pluck.ts";

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("../..", import.meta.url));
const here: BindingPlatform = { platform: "linux", arch: "x64", nodeMajor: 20, glibc: "2.36" };

/** The version of each package that was looked at, and the SHA-256 of its `uws.node`. */
const lookedAt: Readonly<Record<string, readonly [version: string, sha256: string]>> = {
  "@uwsjs/linux-x64-20": ["20.51.4", "4d482084b665c225892917ee0e9b9572d89eaa6f3dc200ff5e536293d3456c89"],
  "@uwsjs/linux-x64-22": ["20.69.0", "34d235864db874fbf3aeafd48b63f6fb80f61fb584a86f1e5f7b0291dbd7a3d4"],
  "uws-linux-x64-22-glibc227": [
    "20.51.4",
    "f687e7c3666b5cca9d355184bbf07bb0550f5ba0d3ffd453248ccfec552dde6c",
  ],
  "@uwsjs/linux-x64-24": ["20.69.0", "177efdc682425d754474bd30f9586c487fa6694f790f3406a23885d0e61c07a0"],
  "@uwsjs/linux-x64-26": ["20.69.0", "604375741bf77780b34e7e299af9274cb1f56d73732201d19e3d8d8448176795"],
};

const jsonOf = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));

type Choice = readonly [nodeMajor: number, glibcs: readonly (string | undefined)[], ...names: string[]];
/** Versions of the C library on which each list of binaries, best first, is expected for a Node major. */
const choices: readonly Choice[] = [
  [18, ["2.40"]],
  [20, [undefined, "2.26"]],
  [20, ["2.27", "2.41"], "@uwsjs/linux-x64-20"],
  [21, ["2.40"]],
  [22, ["2.27", "2.37"], "uws-linux-x64-22-glibc227"],
  [22, ["2.38", "2.100", "3.0"], "@uwsjs/linux-x64-22", "uws-linux-x64-22-glibc227"],
  [24, ["2.36"]],
  [24, ["2.38"], "@uwsjs/linux-x64-24"],
  [26, ["2.40"], "@uwsjs/linux-x64-26"],
];

test("the package for a Node major and a C library is chosen by a table, and none fits another system or processor", () => {
  for (const [nodeMajor, glibcs, ...names] of choices)
    for (const glibc of glibcs) {
      const found = fittingPackages({ ...here, nodeMajor, glibc });
      assert.deepEqual(pluck(found, "name"), names, `Node ${nodeMajor} with glibc ${glibc}`);
    }
  for (const other of [{ platform: "darwin" }, { platform: "win32" }, { arch: "arm64" }] as const) {
    assert.deepEqual(fittingPackages({ ...here, ...other }), []);
  }
});

test("the packages are those of the lock file: exact versions, optional, without install scripts", () => {
  const { packages } = jsonOf("package-lock.json");
  const { optionalDependencies } = jsonOf("package.json");
  const names = pluck(bindingPackages, "name").sort();
  assert.deepEqual(Object.keys(optionalDependencies).sort(), names);
  assert.deepEqual(Object.keys(lookedAt).sort(), names);
  for (const [name, [version]] of Object.entries(lookedAt)) {
    const locked = packages[`node_modules/${name}`];
    assert.deepEqual([locked?.version, locked?.optional], [version, true], name);
    assert.equal(locked?.hasInstallScript, undefined, name);
    assert.match(optionalDependencies[name], new RegExp(`(^|@)${version.replaceAll(".", "\\.")}$`));
  }
});

function binaryOf(name: string): string | undefined {
  for (const path of [`${name}/uws.node`, name])
    try {
      return require.resolve(path);
    } catch {}
  return undefined;
}

const fitting = fittingPackages(currentPlatform());
const noneFits = fitting.length === 0 ? "no package fits this machine" : false;

for (const [name, [, sha256]] of Object.entries(lookedAt)) {
  const binary = binaryOf(name);
  const skip = binary === undefined ? "not installed on this machine" : false;

  test(`the binary of ${name} is the one that was looked at`, { skip }, () => {
    assert.match(binary!, /\.node$/);
    assert.equal(createHash("sha256").update(readFileSync(binary!)).digest("hex"), sha256);
  });
}

type Unserved = readonly [Partial<BindingPlatform>, name: string, version: string, first?: string];
/** Machines on which nothing loads, how each is named, and what would help there. */
const unserved: readonly Unserved[] = [
  [{ arch: "riscv64", glibc: undefined }, "Node 20 on linux-riscv64, no glibc", "v20.51.0"],
  [{ nodeMajor: 24 }, "Node 24 on linux-x64, glibc 2.36", "v20.52.0", "use Node 22, or "],
  [{ nodeMajor: 26 }, "Node 26 on linux-x64, glibc 2.36", "v20.69.0", "use Node 22, or "],
  [{ platform: "win32", nodeMajor: 24, glibc: undefined }, "Node 24 on win32-x64", "v20.69.0"],
  [{ arch: "arm64", nodeMajor: 26 }, "Node 26 on linux-arm64, glibc 2.36", "v20.69.0"],
];

test("where nothing loads one sentence says what would: another Node, the official release, or another install", () => {
  for (const [machine, name, version, first = ""] of unserved) {
    const official = `install the official one with: npm install --no-save uNetworking/uWebSockets.js#${version}`;
    const message = `No uWebSockets.js binary fits this machine (${name}): ${first}${official}`;
    assert.throws(() => loadBinding("", { ...here, ...machine }), { name: "StartError", message });
  }
  const path = /UWS_BINDING \(\/nowhere\/uws\.node\) could not be loaded/;
  assert.throws(() => loadBinding("/nowhere/uws.node", { ...here, arch: "riscv64" }), path);
  const packages = new Map<number, string>(bindingPackages.map(({ name, nodeMajor }) => [nodeMajor, name]));
  const absent = [22, 24, 26].find((nodeMajor) => binaryOf(packages.get(nodeMajor)!) === undefined)!;
  assert.throws(() => loadBinding("", { ...here, nodeMajor: absent, glibc: "2.40" }), {
    message: `The uWebSockets.js binary for Node ${absent} is not installed: run npm install again, under this Node.`,
  });
});

test("npm start says that no binary fits before it builds anything", () => {
  const { scripts } = jsonOf("package.json");
  const [first = "", second] = scripts.start.split(" && ");
  assert.equal(second, "npm run --silent build");
  const arm = "data:text/javascript,Object.defineProperty(process,'arch',{value:'riscv64'})";
  const run = (...options: readonly string[]) =>
    spawnSync(process.execPath, [...options, ...first.split(" ").slice(1)], { cwd: root, encoding: "utf8" });
  const refused = run("--import", arm);
  assert.deepEqual([refused.status, refused.stdout], [1, ""]);
  const says = /^No uWebSockets\.js binary fits this machine \(Node \d+ on linux-riscv64.*\n$/;
  assert.match(refused.stderr, says);
  if (noneFits === false) assert.deepEqual([run().status, run().stderr], [0, ""]);
});

test("UWS_BINDING leads to a binary where no package fits", { skip: noneFits }, () => {
  const path = binaryOf(fitting[0]!.name)!;
  const native = loadBinding(path, { ...here, arch: "riscv64" });
  assert.equal(typeof native.App, "function");
});
