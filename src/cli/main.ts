#!/usr/bin/env node
import { keysCommand } from "./keys.ts";
import { CommandFailure, makeProgram } from "./program.ts";

try {
  await makeProgram([keysCommand()]).parseAsync();
} catch (error) {
  if (!(error instanceof CommandFailure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
