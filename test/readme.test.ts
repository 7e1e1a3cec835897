import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pagesWithTables, withTables } from "./readme-tables.ts";

for (const { file, tables } of pagesWithTables) {
  test(`the tables of ${file.pathname.split("/").at(-1)} are the product's own (npm run readme writes them)`, () => {
    const page = readFileSync(file, "utf8");
    assert.equal(page, withTables(page, tables));
  });
}
