import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newFolder } from "./support/folders.ts";

/** Long enough that Node's own search for the source of a bare assert takes minutes. */
const functions = Array.from(
  { length: 330 },
  (_, index) => `export function f${index}(value: string): number {\n  return value.length + ${index};\n}`,
);
const source = [
  'import assert from "node:assert/strict";',
  'import { before, describe, test } from "node:test";',
  ...functions,
  'test("f3 counts", () => {',
  '  assert.ok(f3("x") === 2);',
  "});",
  'describe("suite", () => {',
  '  before(() => assert.fail("no port"));',
  '  test("with a port", () => {});',
  "});",
  "",
].join("\n");

test("a bare assert that fails shows its line at once, and the summary names file and test, and why a hook has failed", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "bare.test.ts"), source);
  const program = [
    'import { run } from "node:test";',
    `import { summary } from ${JSON.stringify(new URL("summary-reporter.js", import.meta.url))};`,
    'run({ files: ["bare.test.ts"] }).compose(summary).pipe(process.stdout);',
  ].join("\n");
  const runner = join(folder, "run.js");
  writeFileSync(runner, program);
  const asserts = new URL("support/bare-asserts.js", import.meta.url).href;
  const loaders = ["--import", import.meta.resolve("tsx"), "--import", asserts];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, signal } = spawnSync(process.execPath, [...loaders, runner], {
    cwd: folder,
    env,
    encoding: "utf8",
    // Node alone needs minutes.
    timeout: 60_000,
  });
  assert.equal(signal, null);
  assert.match(
    stdout,
    /bare\.test\.ts\n {2}f3 counts\n.*Expected a truthy value: assert\.ok\(f3\("x"\) === 2\);/,
  );
  assert.match(stdout, / {2}suite\n {2}AssertionError \[ERR_ASSERTION\]: no port\n/);
  assert.match(stdout, /\n0 passed, 3 failed, 0 skipped\n/);
});
