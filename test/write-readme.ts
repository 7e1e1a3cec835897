import { readFileSync, writeFileSync } from "node:fs";
import { pagesWithTables, withTables } from "./readme-tables.ts";

for (const page of pagesWithTables) {
  writeFileSync(page.file, withTables(readFileSync(page.file, "utf8"), page.tables));
}
