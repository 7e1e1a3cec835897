import { Command } from "commander";
import { productVersion } from "../process/version.ts";

/** What a command ends with that could not do its work: one sentence for the person, and the exit code. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Makes the command line `bankcheck` out of its commands. */
export function makeProgram(commands: readonly Command[]): Command {
  const program = new Command("bankcheck")
    .description("Checks bank details at the command line, and administers the bankcheck service.")
    .version(productVersion)
    .showHelpAfterError("(bankcheck --help tells more)");
  for (const command of commands) program.addCommand(command);
  return program;
}
