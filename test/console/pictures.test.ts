import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { digestFile, pagesDigest, pictureFolder, pictures } from "./pictures.ts";

test("the pictures of the README show the console as it is (npm run generate -- pictures renews them)", () => {
  assert.equal(
    readFileSync(digestFile, "utf8").trim(),
    pagesDigest(),
    "src/console has changed since the pictures were taken: run npm run generate -- pictures and look at them",
  );
});

test("no picture has more than 600 KB, and the first one is animated", () => {
  for (const name of Object.keys(pictures)) {
    assert.ok(statSync(`${pictureFolder}${name}.png`).size < 600 * 1_024, name);
  }
  const first = readFileSync(`${pictureFolder}check.png`);
  const frames = first.readUInt32BE(first.indexOf("acTL") + 4);
  assert.ok(frames >= 10, String(frames));
});
