import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { runHere } from "../support/run-here.ts";
import { expectEnd } from "./expect-end.ts";

/** What has each shell print the completions of a line, a word a line, after its script has been read. */
const asks = {
  bash: (words: readonly string[]) =>
    `COMP_WORDS=('bankcheck' ${quoted(words)}); COMP_CWORD=${words.length}; _bankcheck; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (words: readonly string[]) =>
    `words=(bankcheck ${quoted(words)}); CURRENT=${words.length + 1}; PREFIX='${words.at(-1)}'; _bankcheck`,
  fish: (words: readonly string[]) => `complete -C 'bankcheck ${words.join(" ")}'`,
};
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

/** Prints what zsh's own completion would show, which leaves out itself what does not begin with the last word. */
const shownByZsh = `compdef() { :; }; _files() { print FILES; }; _describe() { print -rl -- "\${(@P)2}"; }`;

for (const [shell, ask] of Object.entries(asks)) {
  const skip = spawnSync(shell, ["-c", "true"]).error === undefined ? false : `no ${shell} here`;
  test(`${shell} completes commands, their commands and their options, and shows what each is for if it can`, {
    skip,
  }, async () => {
    const { stdout: script } = await runHere(["completion", shell]);
    const completed = (...words: readonly string[]) => {
      const all = [shell === "zsh" ? shownByZsh : "", script, ask(words)].join("\n");
      const { status, stdout, stderr } = spawnSync(shell, ["-c", all], { encoding: "utf8" });
      assert.deepEqual([status, stderr], [0, ""]);
      const lines = stdout.split("\n").filter((line) => line !== "");
      return shell === "zsh" ? lines.filter((line) => line.startsWith(words.at(-1)!)) : lines;
    };
    const purpose = { bash: "", zsh: ":Check IBANs", fish: "\tCheck IBANs" }[shell]!;
    const [iban = "", ...others] = completed("ib");
    assert.ok(others.length === 0 && iban.startsWith(`iban${purpose}`), iban);
    const names = (lines: readonly string[]) => lines.map((line) => line.split(/[:\t]/)[0]);
    assert.deepEqual(names(completed("keys", "r")), ["revoke", "rotate"]);
    assert.deepEqual(names(completed("keys", "create", "anna", "--max")), ["--max-concurrent"]);
    assert.ok(names(completed("check", "customers.csv", "--")).includes("--bic-column"));
    // Elsewhere it is left to complete files, which fish does itself.
    if (shell !== "fish") assert.deepEqual(completed("check", ""), shell === "zsh" ? ["FILES"] : []);
  });
}

test("a shell that is not known is refused", async () => {
  await expectEnd(runHere(["completion", "csh"]), 1, /bash, zsh, fish/);
});
