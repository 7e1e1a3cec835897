import { Command, Option } from "commander";
import { languages } from "../contract/language.ts";
import { helpColumns, productVersion, wrapped } from "../settings.ts";
import { exitCodes, meaningOf } from "./exit-codes.ts";

/** Help, version and wrong options throw a CommanderError; `isJson`: wrong options are reported as JSON, and so not here. */
export function makeProgram(commands: readonly Command[], isJson = false): Command {
  const program = new Command("bankcheck")
    .description("Check bank details at the command line, and administer the bankcheck service.")
    .version(productVersion)
    .showHelpAfterError(isJson ? false : "(see bankcheck --help)");
  for (const command of commands) program.addCommand(command);
  for (const each of [program, ...commands, ...commands.flatMap((command) => command.commands)]) {
    // A narrow column is wrapped too.
    each.exitOverride().configureHelp({ minWidthToWrap: 20 });
    each.configureOutput({ getOutHelpWidth: () => helpColumns, getErrHelpWidth: () => helpColumns });
    if (isJson) each.configureOutput({ writeErr: () => {} });
  }
  return program;
}

/** Returns a message as a terminal may show it: names in a file may hold characters that would control it. */
export function withoutControls(message: string): string {
  return message.replace(/[^\P{Cc}\n\t]/gu, "\ufffd");
}

/** Examples of a command, and what its exit codes say, for the end of its help. `codes`: those that not all commands have. */
export function examples(codes: readonly (keyof typeof exitCodes)[], ...lines: readonly string[]): string {
  const isOfFiles = codes.includes("interrupted");
  const sentences = (["done", "unusable", "givenUp", ...codes] as const).flatMap((name) => {
    const [first = "", ...rest] = wrapped(meaningOf(exitCodes[name], isOfFiles), "       ");
    return [`  ${String(exitCodes[name].code).padStart(3)}  ${first.trimStart()}`, ...rest];
  });
  const commands = lines.map((line) => `  bankcheck ${line}`);
  return ["", "Examples:", ...commands, "", "Exit codes:", ...sentences].join("\n");
}

export function languageOption(): Option {
  return new Option("--lang <language>", "language of the messages").choices(languages);
}

/** Lays rows of cells out under a head, in columns as wide as their widest cell. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const lines = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  "));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}
