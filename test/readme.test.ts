import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pictureFolder, pictures } from "./console/pictures.ts";
import { pagesWithTables, withTables } from "./readme-tables.ts";
import { files, pages, root } from "./support/repository.ts";

const read = (page: string) => readFileSync(root + page, "utf8");
const { scripts, version: packageVersion } = JSON.parse(read("package.json")) as {
  readonly scripts: Record<string, string>;
  readonly version: string;
};

for (const [page, tables] of Object.entries(pagesWithTables)) {
  test(`the tables of ${page} are the product's own (npm run generate writes them)`, () => {
    assert.equal(read(page), withTables(read(page), tables));
  });
}

/** Pages that a reader finishes, and their limits in words: what has a letter or digit, tables and commands included. */
const maxWords = {
  "README.md": 1_200,
  "bench/README.md": 1_500,
  "bench/NOTES.md": 1_500,
  ".deploy/README.md": 2_500,
  "src/README.md": 1_500,
  "src/contract/README.md": 2_500,
  "test/README.md": 600,
  "data/README.md": 900,
  "data/SOURCES.md": 1_800,
} as const;

for (const [page, limit] of Object.entries(maxWords)) {
  test(`${page} has at most ${limit} words`, () => {
    const words = read(page)
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word));
    assert.ok(words.length <= limit, `${page} has ${words.length} words`);
  });
}

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

test("package.json has ten scripts at most, and every one that a page names", () => {
  assert.ok(Object.keys(scripts).length <= 10);
  for (const page of pages) {
    for (const [, name = ""] of read(page).matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)) {
      assert.ok(name in scripts, `${page}: npm run ${name}`);
    }
  }
});

test("no page fetches a package of this name from npm, where it is not published", () => {
  const fetching =
    /npx (?!--no -- )(?:-\S+ )*bankcheck|"-y", "bankcheck"|npm (?:i|install) (?:-\S+ )*bankcheck/g;
  const texts = files.filter(
    (name) => /\.(md|ts|html|json|yml|yaml)$/.test(name) && !name.endsWith(".test.ts"),
  );
  for (const file of ["README.md", ".ci/run", ...texts]) {
    const text = read(file);
    assert.deepEqual(text.match(fetching), null, file);
    for (const [archive = "", version] of text.matchAll(/bankcheck-(?:client-)?(\d\S*)\.tgz/g))
      assert.equal(version, packageVersion, `${file}: ${archive}`);
  }
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

/** The part of a page below a heading, up to the next heading of its rank; the whole page without one. */
function sectionOf(page: string, anchor: string | undefined): string {
  if (anchor === undefined) return read(page);
  const text = read(page);
  const prose = text.replaceAll(/^```.*?^```$/gms, (code) => " ".repeat(code.length));
  const headings = [...prose.matchAll(/^#+ /gm)];
  const at = anchorsOf(page).indexOf(anchor);
  const { index, 0: marks } = headings[at]!;
  // Marks and space of a heading of the same rank or above are as long or shorter.
  return text.slice(index, headings.slice(at + 1).find((next) => next[0].length <= marks.length)?.index);
}

const questions = [
  ["how to import the Bundesbank's file", /import/i, /bankcheck -- data import blz/],
  [
    "what status 7 means",
    /status means/,
    /^\| 7 \| (`\w+`) .*^- \1: The bank code is not in the directory/ms,
  ],
  ["how many workers to set", /workers/i, /^\| +2 \| 1 process, 2 workers/m],
  ["how to add a check-digit method", /check-digit method/, /data\/de-check-methods\.json.*one line/],
  ["how to report a weakness", /report a vulnerability/, /privately to the maintainers/],
  ["what a batch costs", /batch of 500 costs/, /batch of 500 costs the main thread \d+ µs/],
] as const;

const readme = proseOf("README.md").split("\n");
for (const [question, label, answer] of questions) {
  test(`a newcomer finds ${question} with one click from the README`, () => {
    const lines = readme.filter((line) => label.test(line)).join("\n");
    const targets = [...lines.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = ""]) => to);
    const answers = targets.filter((to) => !to.startsWith("http")).map((to) => to.split("#"));
    assert.ok(
      answers.some(([page = "", anchor]) => answer.test(sectionOf(page, anchor))),
      targets.join(" "),
    );
  });
}
