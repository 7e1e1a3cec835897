import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, CommanderError } from "commander";
import { checkCommand, generateCommand } from "../../src/cli/file/command.ts";
import { expectedFailure, makeProgram } from "../../src/cli/program.ts";

/** The end of a command that ran in this process. */
export interface EndHere {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process, with an environment of its own; takes a tenth of a process's time. One at a time. */
export async function runHere(
  command: Command,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<EndHere> {
  const { env, exitCode } = process;
  const [reported, printed] = [process.stdout.write, process.stderr.write];
  let [stdout, stderr] = ["", ""];
  process.env = { ...environment };
  process.stdout.write = (text: string | Uint8Array, ...rest: unknown[]) => {
    // The test runner reports in bytes, commands write text.
    if (typeof text !== "string") return Reflect.apply(reported, process.stdout, [text, ...rest]) as boolean;
    stdout += text;
    return true;
  };
  process.stderr.write = (text: string | Uint8Array) => {
    stderr += text.toString();
    return true;
  };
  process.exitCode = undefined;
  try {
    await makeProgram([command]).parseAsync(["node", "bankcheck", command.name(), ...args]);
    return { exit: Number(process.exitCode ?? 0), stdout, stderr };
  } catch (error) {
    const failure = expectedFailure(error);
    if (failure !== undefined)
      return { exit: failure.exitCode, stdout, stderr: `${stderr}${failure.message}\n` };
    if (error instanceof CommanderError) return { exit: error.exitCode, stdout, stderr };
    throw error;
  } finally {
    [process.stdout.write, process.stderr.write] = [reported, printed];
    Object.assign(process, { env, exitCode });
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
