import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { productVersion } from "../../src/process/facts.ts";

const entry = fileURLToPath(new URL("../../.dist/src/cli/main.js", import.meta.url));

test("bankcheck --version prints the product's version", () => {
  const { stdout, status } = spawnSync(process.execPath, [entry, "--version"], { encoding: "utf8" });
  assert.equal(status, 0);
  assert.equal(stdout, `${productVersion}\n`);
});

test("an unknown command ends with exit code 1 and says where help is", () => {
  const { stderr, status } = spawnSync(process.execPath, [entry, "chekc"], { encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /bankcheck --help/);
});
