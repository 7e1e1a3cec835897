import assert from "node:assert/strict";
import { test } from "node:test";
import { productVersion } from "../../src/settings.ts";
import { runHere } from "../support/run-here.ts";

test("bankcheck --version prints the product's version", async () => {
  assert.deepEqual(await runHere(["--version"]), { exit: 0, stdout: `${productVersion}\n`, stderr: "" });
});

test("an unknown command ends with exit code 1 and says where help is", async () => {
  const { stderr, exit } = await runHere(["chekc"]);
  assert.equal(exit, 1);
  assert.match(stderr, /bankcheck --help/);
});

test("the help of each command ends with an example of it and with what the exit codes say", async () => {
  const files = ["check", "generate", "iban", "kto", "search"];
  const state = ["keys", "usage", "data", "compose", "sample", "mcp"];
  for (const name of [...files, ...state]) {
    const { exit, stdout } = await runHere([name, "--help"]);
    assert.equal(exit, 0, name);
    assert.match(stdout, new RegExp(`\n  bankcheck ${name}\\b`), name);
    assert.match(stdout, /\nExit codes:\n +0 {2}Done/, name);
  }
});
