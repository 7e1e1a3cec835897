import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { pictureFolder, pictures } from "./console/pictures.ts";
import { pagesWithTables, withTables } from "./readme-tables.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (page: string) => readFileSync(join(root, page), "utf8");
const folders = [".deploy", ".github", "bench", "data", "src", "test"];
const pages = [
  "README.md",
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
];
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

for (const { file, tables } of pagesWithTables) {
  const name = file.pathname.slice(root.length);
  test(`the tables of ${name} are the product's own (npm run generate writes them)`, () => {
    const page = readFileSync(file, "utf8");
    assert.equal(page, withTables(page, tables));
  });
}

test("the README has at most 1,200 words", () => {
  assert.ok(read("README.md").split(/\s+/).length <= 1200);
});

/** The text of a page without its code. */
const proseOf = (page: string) => read(page).replaceAll(/^```.*?^```$/gms, "");

/** The anchors of a page's headings, as its readers' sites make them. */
function anchorsOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("every link between pages leads to a file and a heading that exist", () => {
  let count = 0;
  for (const page of pages) {
    for (const [, target = ""] of proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const linked = path === "" ? page : join(dirname(page), path);
      assert.ok(existsSync(join(root, linked)), `${page} links to ${target}`);
      if (anchor !== undefined) assert.ok(anchorsOf(linked).includes(anchor), `${page} links to ${target}`);
      count++;
    }
  }
  assert.ok(count > 30);
});

test("every npm script that a page names exists", () => {
  for (const page of pages) {
    for (const [, name = ""] of read(page).matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)) {
      assert.ok(name in scripts, `${page}: npm run ${name}`);
    }
  }
});

test("package.json has ten scripts at most", () => {
  assert.ok(Object.keys(scripts).length <= 10);
});

test("every page is two clicks from the README at most: it is linked there or from the plan of the source", () => {
  const linked = ["README.md", "src/README.md"].flatMap((from) =>
    [...read(from).matchAll(/\]\(([^)#\s]+)/g)].map(([, target = ""]) => join(dirname(from), target)),
  );
  for (const page of pages.filter((name) => name !== "README.md")) assert.ok(linked.includes(page), page);
});

test("the README shows exactly the pictures that npm run generate takes", () => {
  const shown = [...read("README.md").matchAll(/\]\(\.github\/pictures\/(\w+)\.png\)/g)].map(
    ([, name]) => name,
  );
  assert.deepEqual(shown.toSorted(), Object.keys(pictures).toSorted());
  const files = readdirSync(pictureFolder).filter((name) => name.endsWith(".png"));
  assert.deepEqual(files.toSorted(), shown.map((name) => `${name}.png`).toSorted());
});
