#!/usr/bin/env -S node --max-semi-space-size=8 --initial-old-space-size=48 --max-old-space-size=96
import { dataCommand } from "./data/command.ts";
import { checkCommand, generateCommand } from "./file/command.ts";
import { keysCommand } from "./keys.ts";
import { CommandFailure, makeProgram } from "./program.ts";
import { ibanCommand, ktoCommand, searchCommand } from "./single/commands.ts";
import { usageCommand } from "./usage.ts";

try {
  const commands = [
    checkCommand(),
    generateCommand(),
    ibanCommand(),
    ktoCommand(),
    searchCommand(),
    keysCommand(),
    usageCommand(),
    dataCommand(),
  ];
  await makeProgram(commands).parseAsync();
} catch (error) {
  if (!(error instanceof CommandFailure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
