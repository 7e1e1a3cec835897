import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("the client compiles with what a browser offers alone", () => {
  const options = [
    ..."--noEmit --strict --target es2023 --module nodenext --moduleResolution nodenext".split(" "),
    ..."--allowImportingTsExtensions --lib es2023,dom,dom.asynciterable --ignoreConfig".split(" "),
    "--types",
    "",
    "src/client/index.ts",
  ];
  const tsc = `${root}node_modules/.bin/tsc`;
  const { stdout, status } = spawnSync(tsc, options, { cwd: root, encoding: "utf8" });
  assert.equal(status, 0, stdout);
});
