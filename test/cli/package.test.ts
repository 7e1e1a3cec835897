import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "bankcheck-package-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs a package as it is built, and unpacks it as an empty folder's only dependency. */
function install(source: string, name: string, into: string): readonly string[] {
  const packed = execFileSync(
    "npm",
    ["pack", source, "--ignore-scripts", "--json", "--pack-destination", folder],
    {
      encoding: "utf8",
      cwd: root,
    },
  );
  const [{ filename, files }] = JSON.parse(packed) as [Packed];
  const target = join(folder, into, "node_modules", name);
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["xzf", join(folder, filename), "--strip-components=1", "-C", target]);
  return files.map(({ path }) => path);
}

test("the package holds compiled code and data, and its command works where it is installed", async () => {
  const files = install(root, "bankcheck", "service");
  for (const needed of [
    ".dist/src/cli/main.js",
    ".dist/src/main.js",
    ".dist/workers/check.js",
    "data/blz.csv",
  ]) {
    assert.ok(files.includes(needed), needed);
  }
  assert.deepEqual(
    files.filter((path) => /^(test|bench|src)\//.test(path)),
    [],
  );
  const installed = join(folder, "service/node_modules/bankcheck");
  // What npm would fetch from a registry.
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"));
  const command = join(installed, ".dist/src/cli/main.js");
  const { PATH = "" } = process.env;
  const options = { cwd: folder, encoding: "utf8", env: { PATH } } as const;
  const check = spawnSync(
    process.execPath,
    [command, "iban", "DE89370400440532013000", "--offline"],
    options,
  );
  assert.equal(check.status, 0, check.stderr);
  assert.match(check.stdout, /Commerzbank/);
  const state = join(folder, "state");
  const args = [command, "serve", "--port", "0", "--state-dir", state];
  const service = spawn(process.execPath, args, { env: { PATH, POOL_SIZE: "1" } });
  let log = "";
  service.stderr.on("data", (piece) => {
    log += piece;
  });
  while (!log.includes('"listening"') && service.exitCode === null) await once(service.stderr, "data");
  service.kill("SIGTERM");
  const [code] = await once(service, "exit");
  assert.equal(code, 0, log);
  const help = spawnSync(process.execPath, [command, "serve", "--help"], options);
  assert.match(help.stdout, /--pool-size/);
});

test("the client is a package of its own without dependencies, for every kind of module", () => {
  const files = install(join(root, ".dist/client"), "bankcheck-client", "client");
  assert.ok(files.includes("esm/index.js"));
  const place = join(folder, "client");
  const use = (text: string) => `${text}; new BankcheckClient({ baseUrl: "http://x", apiKey: "k" });`;
  for (const [file, text] of [
    ["use.mjs", 'import { BankcheckClient } from "bankcheck-client"'],
    ["use.cjs", 'const { BankcheckClient } = require("bankcheck-client")'],
  ] as const) {
    writeFileSync(join(place, file), use(text));
    const { status, stderr } = spawnSync(process.execPath, [join(place, file)], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
  }
  const typed = `import { BankcheckClient, type IbanCheckAnswer } from "bankcheck-client";
    const client = new BankcheckClient({ baseUrl: "http://x", apiKey: "k" });
    export const answer: Promise<IbanCheckAnswer> = client.check("x");
    // @ts-expect-error: its types are found
    client.check(1);\n`;
  writeFileSync(join(place, "use.ts"), typed);
  writeFileSync(join(place, "use.cts"), typed);
  for (const [file, ...options] of [
    ["use.ts", "--module", "esnext", "--moduleResolution", "bundler"],
    ["use.ts", "--module", "nodenext"],
    ["use.cts", "--module", "nodenext"],
  ] as const) {
    const tsc = join(root, "node_modules/.bin/tsc");
    const common = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--types", ""];
    const { status, stdout } = spawnSync(tsc, [...common, ...options, file], {
      cwd: place,
      encoding: "utf8",
    });
    assert.equal(status, 0, stdout);
  }
});
