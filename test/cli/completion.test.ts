import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { before, test } from "node:test";
import { runHere } from "../support/run-here.ts";

const scripts: Record<string, string> = {};
before(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { stdout, exit } = await runHere(["completion", shell]);
    assert.equal(exit, 0);
    scripts[shell] = stdout;
  }
});

function completed(...words: readonly string[]): readonly string[] {
  const typed = ["bankcheck", ...words].map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _bankcheck; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, status } = spawnSync("bash", ["-c", `${scripts["bash"]}\n${ask}`], { encoding: "utf8" });
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

/** Runs a script in a shell; undefined if that is not here. */
function run(shell: string, script: string): string | undefined {
  const { error, status, stdout, stderr } = spawnSync(shell, ["-c", script], { encoding: "utf8" });
  if (error !== undefined) return undefined;
  assert.equal(status, 0, stderr);
  assert.equal(stderr, "");
  return stdout;
}

test("zsh completes the same, with what each is for", (context) => {
  const completedBy = (...words: readonly string[]) => {
    const state = `words=(bankcheck ${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length + 1}; PREFIX='${words.at(-1)}'`;
    // Prints the suggestions that zsh's own completion would show.
    const shown = `compdef() { :; }; _files() { print FILES; }; _describe() { print -rl -- "\${(@P)2}"; }`;
    return run("zsh", `${shown}\n${scripts["zsh"]}\n${state}; _bankcheck`)?.split("\n");
  };
  const commands = completedBy("");
  if (commands === undefined) {
    context.skip("no zsh here");
    return;
  }
  assert.ok(commands.some((line) => line.startsWith("iban:Check IBANs")));
  assert.ok(completedBy("keys", "")?.some((line) => line.startsWith("rotate:")));
  assert.ok(
    completedBy("keys", "create", "anna", "--max")?.some((line) => line.startsWith("--max-concurrent:")),
  );
  assert.deepEqual(completedBy("check", "cust"), ["FILES", ""]);
});

test("fish completes the same", (context) => {
  const completedBy = (line: string) =>
    run("fish", `${scripts["fish"]}\ncomplete -C '${line}'`)
      ?.split("\n")
      .map((found) => found.split("\t")[0]);
  const commands = completedBy("bankcheck ib");
  if (commands === undefined) {
    context.skip("no fish here");
    return;
  }
  assert.deepEqual(commands, ["iban", ""]);
  assert.deepEqual(completedBy("bankcheck keys r"), ["revoke", "rotate", ""]);
  assert.deepEqual(completedBy("bankcheck keys create anna --max"), ["--max-concurrent", ""]);
  assert.ok(completedBy("bankcheck check --bic")?.includes("--bic-column"));
});

test("a shell that is not known is refused", async () => {
  const { exit, stderr } = await runHere(["completion", "csh"]);
  assert.equal(exit, 1);
  assert.match(stderr, /bash, zsh, fish/);
});
