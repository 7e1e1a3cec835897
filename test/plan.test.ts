import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./support/repository.ts";

const plan = readFileSync(join(root, "src/README.md"), "utf8");

/** The part of the plan under a heading, up to the next one of the same rank or above. */
function section(heading: string): string {
  const [, text] = plan.split(`\n${heading}\n`);
  assert.ok(text !== undefined, `no heading ${heading}`);
  const rank = heading.split(" ")[0]!;
  return text.split(new RegExp(`\n#{2,${rank.length}} `))[0]!;
}

/** Everything in backquotes that looks like a file or folder. */
function pathsIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = ""]) => path);
  return quoted.filter((path) => /\.(ts|json|md|csv)$|\/$/.test(path));
}

/** Fails unless a file exists in one of some folders. */
function expectIn(folders: readonly string[], file: string, place: string): void {
  const isThere = folders.some((folder) => existsSync(join(root, folder, file)));
  assert.ok(isThere, `${place}: ${file}`);
}

test("every recipe names files, and all of them exist", () => {
  const recipes = section("## How to add …").split("\n### ").slice(1);
  assert.ok(recipes.length >= 8);
  for (const recipe of recipes) {
    const [name = ""] = recipe.split("\n");
    const paths = pathsIn(recipe);
    assert.ok(paths.length > 0, name);
    for (const path of paths) expectIn([""], path, name);
  }
});

test("an endpoint is added in five steps at most, an error code, a message and a setting in one table each", () => {
  const steps = (recipe: string) => section(`### ${recipe}`).match(/^\d+\. /gm)?.length ?? 0;
  assert.ok(steps("An endpoint") <= 5);
  assert.ok(steps("An error code") <= 2);
  for (const recipe of ["A message", "A setting", "A check-digit method"]) assert.equal(steps(recipe), 1);
});

test("every room of src is on the plan, with files that exist, and no other room is", () => {
  const intro = plan.split("\n## ")[0]!;
  const rows = intro.split("\n").filter((line) => /^- \[?`/.test(line));
  const named = rows.flatMap((row) => {
    const [room = "", files = ""] = row.split("→");
    const folders = pathsIn(room.split(": ")[0]!);
    const places = ["", ...folders].map((folder) => `src/${folder}`);
    for (const file of pathsIn(files)) expectIn(places, file, room);
    return folders.map((folder) => folder.slice(0, -1));
  });
  const rooms = readdirSync(join(root, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  assert.deepEqual(named.toSorted(), rooms.toSorted());
});

for (const heading of ["The life of a batch", "The path of a stream"]) {
  test(`${heading.toLowerCase()} has at most fifteen lines, and its files exist`, () => {
    const life = section(`## ${heading}`);
    const lines = life.match(/^\d+\. /gm)?.length ?? 0;
    assert.ok(lines > 5 && lines <= 15, String(lines));
    for (const path of pathsIn(life)) expectIn(["", "src", "src/http"], path, heading);
  });
}
