import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, CommanderError } from "commander";
import { checkCommand, generateCommand } from "../../src/cli/file/command.ts";
import { expectedFailure, makeProgram } from "../../src/cli/program.ts";

/** The end of a command that ran in this process. */
export interface EndHere {
  readonly exit: number;
  readonly stderr: string;
}

/**
 * Runs a command in this process, in a tenth of the time that a separate process takes; one at a time.
 *
 * It must write nothing to standard output, which belongs to the test runner.
 */
export async function runHere(
  command: Command,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<EndHere> {
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  const { exitCode } = process;
  const { write } = process.stderr;
  let stderr = "";
  Object.assign(process.env, environment);
  process.stderr.write = (text: string | Uint8Array) => {
    stderr += text.toString();
    return true;
  };
  process.exitCode = undefined;
  try {
    await makeProgram([command]).parseAsync(["node", "bankcheck", command.name(), ...args]);
    return { exit: Number(process.exitCode ?? 0), stderr };
  } catch (error) {
    const failure = expectedFailure(error);
    if (failure !== undefined) return { exit: failure.exitCode, stderr: `${stderr}${failure.message}\n` };
    if (error instanceof CommanderError) return { exit: error.exitCode, stderr };
    throw error;
  } finally {
    process.stderr.write = write;
    process.exitCode = exitCode;
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Runs `check` or `generate` over an input; what it writes goes through a file in the folder. */
export async function checkHere(
  folder: string,
  [name, ...args]: readonly string[],
  input: Buffer | string,
  environment: Readonly<Record<string, string>>,
): Promise<EndHere & { readonly output: Buffer }> {
  const [file, output] = [join(folder, "here.input"), join(folder, "here.output")];
  writeFileSync(file, input);
  const command = name === "generate" ? generateCommand() : checkCommand();
  const end = await runHere(command, [file, "--output", output, "--force", ...args], environment);
  const written = readFileSync(output, { flag: "a+" });
  for (const path of [file, output]) rmSync(path, { force: true });
  return { ...end, output: written };
}
