import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { apiTypes } from "./api-types.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const path = "src/client/api-types.ts";
const run = (command: string, args: readonly string[], input = "") =>
  spawnSync(`${root}node_modules/.bin/${command}`, args, { cwd: root, input, encoding: "utf8" });

test("the client's types are those of the OpenAPI document (npm run generate writes them)", async () => {
  const { stdout, status } = run("biome", ["format", `--stdin-file-path=${path}`], await apiTypes());
  assert.equal(status, 0);
  assert.equal(readFileSync(root + path, "utf8"), stdout);
});

test("the client compiles with what a browser offers alone", () => {
  const { stdout, status } = run("tsc", [
    ..."--noEmit --strict --target es2023 --module nodenext --moduleResolution nodenext".split(" "),
    ..."--allowImportingTsExtensions --lib es2023,dom,dom.asynciterable --ignoreConfig".split(" "),
    "--types",
    "",
    "src/client/index.ts",
  ]);
  assert.equal(status, 0, stdout);
});
