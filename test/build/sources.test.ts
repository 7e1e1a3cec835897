import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { beginBuild, endBuild, isBuilt } from "../../src/build/sources.ts";
import { newFolder } from "../support/folders.ts";

test("sources are built again when one of them is changed, added, removed or edited while it is built", () => {
  const root = newFolder();
  const file = (path: string) => join(root, path);
  for (const folder of ["src/kernel", "workers", "data"]) mkdirSync(file(folder), { recursive: true });
  for (const path of [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "LICENSE",
    "src/kernel/kernel.ts",
  ])
    writeFileSync(file(path), path);
  const build = (meanwhile = () => {}) => {
    beginBuild(root);
    assert.equal(isBuilt(root), false, "a build that is killed is done again");
    meanwhile();
    endBuild(root);
    return isBuilt(root);
  };
  assert.equal(isBuilt(root), false);
  assert.equal(build(), true);
  const edits: Readonly<Record<string, () => void>> = {
    changed: () => writeFileSync(file("src/kernel/kernel.ts"), "changed"),
    added: () => writeFileSync(file("data/banks.csv"), ""),
    removed: () => rmSync(file("data/banks.csv")),
    "another package": () => writeFileSync(file("package-lock.json"), "{}"),
    "no output": () => rmSync(file(".dist"), { recursive: true }),
  };
  for (const [name, edit] of Object.entries(edits)) {
    edit();
    assert.equal(isBuilt(root), false, name);
    assert.equal(build(), true, name);
  }
  assert.equal(build(edits["added"]), false);
});
