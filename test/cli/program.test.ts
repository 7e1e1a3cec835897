import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { composeCommand, dataCommand, sampleCommand } from "../../src/cli/data/command.ts";
import { checkCommand, generateCommand } from "../../src/cli/file/command.ts";
import { keysCommand } from "../../src/cli/keys.ts";
import { mcpCommand } from "../../src/cli/serve.ts";
import { ibanCommand, ktoCommand, searchCommand } from "../../src/cli/single/commands.ts";
import { usageCommand } from "../../src/cli/usage.ts";
import { productVersion } from "../../src/settings.ts";

const entry = fileURLToPath(new URL("../../.dist/src/cli/main.js", import.meta.url));

test("bankcheck --version prints the product's version", () => {
  const { stdout, status } = spawnSync(process.execPath, [entry, "--version"], { encoding: "utf8" });
  assert.equal(status, 0);
  assert.equal(stdout, `${productVersion}\n`);
});

test("an unknown command ends with exit code 1 and says where help is", () => {
  const { stderr, status } = spawnSync(process.execPath, [entry, "chekc"], { encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /bankcheck --help/);
});

function helpOf(command: Command): string {
  let help = "";
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return help;
}

test("the help of each command ends with an example of it and with what the exit codes say", () => {
  const files = [checkCommand(), generateCommand(), ibanCommand(), ktoCommand(), searchCommand()];
  const state = [
    keysCommand(),
    usageCommand(),
    dataCommand(),
    composeCommand(),
    sampleCommand(),
    mcpCommand(),
  ];
  for (const command of [...files, ...state]) {
    const help = helpOf(command);
    assert.match(help, new RegExp(`\n  bankcheck ${command.name()}\\b`), command.name());
    assert.match(help, /\nExit codes:\n +0 {2}Done/, command.name());
  }
});
