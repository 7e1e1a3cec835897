import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { testKey, useSharedService } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { commandEntry } from "../support/start-command.ts";

const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
const sample = fileURLToPath(new URL("../../data/sample-customers.csv", import.meta.url));
const folder = newFolder();
const customers = 200;

const service = useSharedService();
copyFileSync(sample, join(folder, "customers.csv"));

/** The code of the page under a heading. */
function codeOf(heading: string): string {
  const [, code] = new RegExp(`^### ${heading}\n[^]*?^\`\`\`\\w+\n([^]*?)^\`\`\``, "m").exec(page)!;
  return code!;
}

async function run(command: string, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], BANKCHECK_URL: service.url, BANKCHECK_KEY: testKey };
  return (await promisify(execFile)(command, args, { cwd: folder, env })).stdout;
}

test("the requests of the recipes for DuckDB and PostgreSQL answer with a plain table", async () => {
  const [duckdb = ""] = codeOf("DuckDB").split(" &&\n");
  await run("sh", "-c", duckdb);
  const [, program = ""] = /PROGRAM '(.*)' WITH \(FORMAT csv, DELIMITER ';', HEADER\)/.exec(
    codeOf("PostgreSQL"),
  )!;
  const table = await run("sh", "-c", program.replace("/srv/", ""));
  assert.equal(readFileSync(join(folder, "checked.csv"), "utf8"), table);
  const [head, ...rows] = table.trimEnd().split("\n");
  const [, columns = ""] = /CREATE TABLE checked \((.*)\);/.exec(codeOf("PostgreSQL"))!;
  assert.equal(head, columns.replaceAll(/ \w+(?=,|$)/g, "").replaceAll(", ", ";"));
  assert.equal(rows.length, customers);
  assert.ok(rows.every((row) => /;\d;\w*$/.test(row)));
});

const hasPandas = spawnSync("python3", ["-c", "import pandas, requests"]).status === 0;
const skip = hasPandas ? false : "pandas and requests are not installed";
test("the recipe for pandas makes a frame with the columns of the answer", { skip }, async () => {
  const shape = await run("python3", "-c", `${codeOf("pandas")}print(len(checked), list(checked)[4:6])`);
  assert.equal(shape, `${customers} ['amount', 'status']\n`);
});

test("the recipe for Excel writes a table that a German Excel opens", async () => {
  const [, ...args] = codeOf("Excel")
    .replace("customers.xlsx", "customers.csv")
    .replaceAll("'", "")
    .trim()
    .split(" ");
  await run(commandEntry, ...args);
  const text = readFileSync(join(folder, "excel.csv"), "utf8");
  assert.match(text, /^\ufeffcustomer;.*;status;message\n/);
});
