import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { withTables } from "./readme-tables.ts";

test("the README's tables are those of the product (npm run readme writes them)", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  assert.equal(readme, withTables(readme));
});
