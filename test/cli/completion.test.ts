import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const entry = fileURLToPath(new URL("../../.dist/src/cli/main.js", import.meta.url));

function scriptFor(shell: string): string {
  const { stdout, status } = spawnSync(process.execPath, [entry, "completion", shell], { encoding: "utf8" });
  assert.equal(status, 0);
  return stdout;
}

function completed(...words: readonly string[]): readonly string[] {
  const typed = ["bankcheck", ...words].map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _bankcheck; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, status } = spawnSync("bash", ["-c", `${scriptFor("bash")}\n${ask}`], { encoding: "utf8" });
  assert.equal(status, 0);
  return stdout.split("\n").filter((word) => word !== "");
}

test("bash completes commands, their commands and their options; elsewhere it is left to complete files", () => {
  assert.deepEqual(completed("ib"), ["iban"]);
  assert.deepEqual(completed("keys", "r"), ["revoke", "rotate"]);
  assert.deepEqual(completed("keys", "create", "anna", "--max"), ["--max-concurrent"]);
  assert.ok(completed("check", "customers.csv", "--").includes("--bic-column"));
  assert.deepEqual(completed("check", ""), []);
});

test("zsh and fish are told every command, and a shell that is not known is refused", (context) => {
  for (const shell of ["zsh", "fish"]) {
    const script = scriptFor(shell);
    for (const word of ["generate", "rotate", "max-concurrent", "usage"])
      assert.ok(script.includes(word), word);
    const { error, status, stderr } = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
    if (error !== undefined) context.diagnostic(`no ${shell} here to read its script`);
    else assert.equal(status, 0, stderr);
  }
  const { status, stderr } = spawnSync(process.execPath, [entry, "completion", "csh"], { encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /bash, zsh, fish/);
});
