import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readVectorLines, vectorFiles, vectorSchema } from "./schema.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

test("every vector file has a definition in the schema, and every definition a file", () => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
  assert.deepEqual(vectorFiles.map(({ name }) => name).toSorted(), files.toSorted());
});

const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false });
ajv.addSchema(vectorSchema, "vectors");

for (const { id, name, schema } of vectorFiles) {
  test(`every line of ${name} fits the published schema, no line is there twice, and every field is used`, () => {
    const validate = ajv.getSchema(`vectors#/$defs/${id}`);
    assert.ok(validate !== undefined);
    const lines = readVectorLines(name);
    assert.ok(lines.length > 100);
    for (const line of lines) {
      if (!validate(line)) assert.fail(`${JSON.stringify(line)}: ${ajv.errorsText(validate.errors)}`);
    }
    assert.equal(new Set(lines.map((line) => JSON.stringify(line))).size, lines.length);
    for (const [field, { description }] of Object.entries(schema.properties)) {
      assert.ok(
        lines.some((line) => line[field] !== undefined),
        field,
      );
      // What the shared definitions describe needs no words here.
      assert.ok(description === undefined || /^\S.*[.]$/.test(description), field);
    }
  });
}

test("the page's example compares a program with the numbers", (context) => {
  const page = readFileSync(`${folder}README.md`, "utf8");
  const [, example = ""] = /```python\n(.*?)```/s.exec(page) ?? [];
  const run = (check: string) =>
    spawnSync("python3", ["-c", `${check}\n${example}`], { cwd: folder, encoding: "utf8" });
  const right = run(
    'import json\nverdicts = {v["iban"]: v["valid"] for v in map(json.loads, open("iban.ndjson"))}\nmy_check = verdicts.get',
  );
  if (right.error !== undefined) {
    context.skip("Python is not installed");
    return;
  }
  assert.equal(right.status, 0, right.stderr);
  assert.match(run("my_check = lambda iban: True").stderr, /AssertionError: \{'iban'/);
});
