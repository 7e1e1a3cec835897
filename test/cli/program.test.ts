import assert from "node:assert/strict";
import { test } from "node:test";
import { retryText } from "../../src/cli/connection.ts";
import { BankcheckError } from "../../src/client/errors.ts";
import { helpText, productVersion } from "../../src/settings.ts";
import { runHere } from "../support/run-here.ts";
import { expectEnd } from "./expect-end.ts";

test("bankcheck --version prints the product's version", async () => {
  assert.deepEqual(await runHere(["--version"]), { exit: 0, stdout: `${productVersion}\n`, stderr: "" });
});

/** Codes of the commands that have more than 0, 1 and 2. */
const ownCodes: Readonly<Record<string, readonly number[]>> = {
  ...{ check: [3, 4, 130], generate: [3, 4, 130] },
  ...{ iban: [3, 4], kto: [3, 4], search: [3, 4], data: [4, 5, 6], compose: [4] },
};

test("every help fits 80 columns and names no default that says nothing; that of a command ends with examples and what the exit codes say", async () => {
  const named = (help: string) => {
    const [, commands = ""] = /\nCommands:\n(.*?)(\n\n|$)/s.exec(help) ?? [];
    return [...commands.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!).filter((name) => name !== "help");
  };
  for (const line of helpText().split("\n")) assert.ok(line.length <= 80, `serve: ${line}`);
  const helpOf = async (...words: readonly string[]) => {
    const { stdout } = await expectEnd(runHere([...words, "--help"]), 0);
    for (const line of stdout.split("\n")) assert.ok(line.length <= 80, `${words.join(" ")}: ${line}`);
    assert.ok(!stdout.includes("default: false"), words.join(" "));
    return stdout;
  };
  const commands = named(await helpOf()).filter((name) => name !== "serve");
  assert.ok(commands.length > 10);
  for (const name of commands) {
    const help = await helpOf(name);
    for (const inner of named(help)) await helpOf(name, inner);
    if (name === "completion") continue;
    assert.match(help, new RegExp(`\n  bankcheck ${name}\\b`), name);
    assert.match(help, /\nExit codes:\n +0 {2}Done/, name);
    const codes = [...help.matchAll(/^ {2,4}(\d+) {2}[A-Za-z]/gm)].map(([, code]) => Number(code));
    assert.deepEqual(codes, [0, 1, 2, ...(ownCodes[name] ?? [])], name);
  }
});

test("a retry says why without what would control a terminal", () => {
  const error = new BankcheckError("server_busy", "Busy\u001b[2J.");
  const text = retryText({ error, retry: 1, delay: 100, pausesAll: true });
  assert.equal(text, "Busy\ufffd[2J; retry 1 in 0.1 s.");
});

test("an unknown command ends with exit code 1 and says where help is", async () => {
  await expectEnd(runHere(["chekc"]), 1, /bankcheck --help/);
});

test("a help shows defaults as they are typed, and no option that the command would not use", async () => {
  const rotate = await runHere(["keys", "rotate", "--help"]);
  assert.match(rotate.stdout, /\(default:\s+1d\)/);
  const generate = await runHere(["generate", "--help"]);
  assert.doesNotMatch(generate.stdout, /--bic-column|with\s+IBANs;|customers/);
  await expectEnd(runHere(["generate", "accounts.csv", "--bic-column", "bic"]), 1);
});

test("an empty variable counts as unset", async () => {
  const args = ["iban", "DE89370400440532013000", "--timeout", "1", "--retries", "0"];
  const { stderr } = await runHere(args, { BANKCHECK_URL: "", BANKCHECK_KEY: "key" });
  assert.doesNotMatch(stderr, /must be an address/);
});
