import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { makeFolder } from "../../process/files.ts";
import { type ConnectionOptions, fileDefaults, integer, withConnection } from "../connection.ts";
import { CommandFailure, exitCodes } from "../exit-codes.ts";
import { examples } from "../program.ts";
import { isStandardOutput } from "./output-target.ts";
import type { RunOptions } from "./run-report.ts";
import type { BadRows, FileRequest } from "./run-state.ts";

type FileOptions = ConnectionOptions &
  RunOptions &
  Omit<FileRequest, "file" | "isOneOfSeveral" | "generates" | "suggests" | "prefix"> & {
    readonly prefix?: string;
    readonly suggest?: boolean;
  };

const texts = {
  check: {
    description:
      "Check the IBANs, or the account numbers with their bank codes, of a file; - reads standard input.",
    column:
      "name, number or JSON path of a column with IBANs; repeat it for more, or for kontonummer and BLZ",
    examples: [
      "check customers.csv --output checked.csv",
      "check customers.csv --output checked.csv --resume",
      "check customers.xlsx --sheet Customers --only invalid",
    ],
  },
  generate: {
    description:
      "Generate the IBANs of the account numbers and bank codes of a file; - reads standard input.",
    column: "name, number or JSON path of the column with the kontonummer, and again for the BLZ",
    examples: [
      "generate accounts.csv --output with-ibans.csv",
      "generate accounts.csv -c konto -c bank --select iban,message",
    ],
  },
} as const;

export function fileCommand(name: keyof typeof texts): Command {
  const gather = (column: string, columns: readonly string[]) => [...columns, column];
  const formats = ["csv", "ndjson"];
  const { description, column, examples: lines } = texts[name];
  const command = new Command(name)
    .description(description)
    .argument(
      "[file...]",
      "CSV, NDJSON, a JSON array, XLSX, pain.001, camt.053, or a list with one entry a line, also as gzip or zstd; default: standard input",
    )
    .option(
      "-o, --output <file>",
      "file for the rows and their results, packed if its name ends in .gz or .zst, or a folder for several files; default or -: standard output",
    )
    .addOption(new Option("-c, --column <name>", column).argParser(gather).default([], "detected"));
  if (name === "check")
    command.option("--bic-column <name>", "column with the BIC that must belong to the IBAN");
  command
    .option("--kontonummer-column <name>", "column with the account number")
    .option("--blz-column <name>", "column with the bank code")
    .addOption(
      new Option(
        "--bad-rows <what>",
        "unreadable rows: stop at the first, keep them with the reason, or reject FILE to write them to FILE (a folder for several files)",
      )
        .argParser(badRowsOf)
        .default({ kind: "keep" }, "keep"),
    )
    .addOption(new Option("--only <rows>", "write only these rows").choices(["valid", "invalid"]))
    .option("--suggest", "add the column suggestion: the probable correction of a number that is not valid")
    .option("--select <names>", "columns to add, as in status,reason; default: all", namesIn)
    .option("--prefix <text>", "prefix for the names of the added columns")
    .addOption(
      new Option(
        "--format <format>",
        "format of the output; default: by the end of its name, or that of the file",
      ).choices(formats),
    )
    .addOption(
      new Option("--input-format <format>", "format of the file; default: detected").choices(formats),
    )
    .option("--sheet <name>", "name or number of the sheet of an XLSX file; default: the first")
    .option("--skip-lines <n>", "lines to skip before the header or the first row", integer(0, 10_000))
    .option("--delimiter <character>", "separator of the fields of CSV; default: detected", delimiterOf)
    .option(
      "--output-delimiter <character>",
      "separator of the fields of the output, ; for a German Excel; default: that of the file",
      delimiterOf,
    )
    .option("--bom", "begin CSV with a byte order mark, by which Excel recognises UTF-8")
    .option("--header", "the first row names the columns; default: detected")
    .option("--no-header", "the first row does not name the columns")
    .addOption(
      new Option("--encoding <name>", "encoding of the file; default: detected; the output is UTF-8").choices(
        ["utf-8", "latin-1"],
      ),
    )
    .option("--resume", "continue an interrupted run")
    .option("--force", "replace an existing output")
    .option("--fail-on-invalid", `end with exit code ${exitCodes.notValid.code} if a row is not valid`)
    .option("-q, --quiet", "print no progress and no summary")
    .option("--json", "print the summary as JSON")
    .addHelpText("after", examples(["refused", "notValid", "interrupted"], ...lines))
    .action(async (files: string[], options: FileOptions) => {
      const { runFiles } = await import("./run.ts");
      await runFiles(requestsOf(files, name === "generate", options), options);
    });
  return withConnection(command, fileDefaults);
}

function requestsOf(files: readonly string[], generates: boolean, options: FileOptions): FileRequest[] {
  const { badRows, prefix = "", suggest: suggests = false } = options;
  const common = { suggests, ...options, isOneOfSeveral: files.length > 1, generates, prefix };
  const requestOf = (file: string, output: string | undefined, badRows: BadRows): FileRequest => {
    const { format = formatNamed(output) } = options;
    return { ...common, file, output, badRows, format };
  };
  const output = options.output && isStandardOutput(options.output) ? undefined : options.output;
  if (files.length <= 1) return [requestOf(files[0] ?? standardInput(), output, badRows)];
  const names = files.map((file) => basename(file).replace(/\.(?:xlsx|xml)$/i, "$&.csv"));
  const areAlike = new Set(names).size < files.length;
  const isFile = formatNamed(output) !== undefined && !existsSync(output!);
  if (output === undefined || areAlike || isFile) {
    const fault = areAlike ? "; two of them have the same name" : isFile ? `; ${output} names a file` : "";
    const needed = "Several files need --output FOLDER, where each output gets the name of its file";
    throw new CommandFailure(`${needed}${fault}.`);
  }
  makeOutputFolder(output);
  if (badRows.kind === "reject") makeOutputFolder(badRows.file);
  return files.map((file, place) => {
    const name = names[place]!;
    const rejects = badRows.kind === "reject" ? { ...badRows, file: join(badRows.file, name) } : badRows;
    return requestOf(file, join(output, name), rejects);
  });
}

function makeOutputFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    throw new CommandFailure(`The folder ${path} cannot be created: ${(error as Error).message}.`);
  }
}

function formatNamed(output = ""): "csv" | "ndjson" | undefined {
  const [, ending] = /\.(csv|ndjson|jsonl)(?:\.gz|\.zst)?$/i.exec(output) ?? [];
  if (ending === undefined) return undefined;
  return ending.toLowerCase() === "csv" ? "csv" : "ndjson";
}

function standardInput(): string {
  if (!process.stdin.isTTY) return "-";
  throw new CommandFailure("Name a file, or pipe one in.");
}

function badRowsOf(text: string): BadRows {
  const [, file] = /^reject[=: ](.+)$/.exec(text) ?? [];
  if (file !== undefined) return { kind: "reject", file };
  if (text === "stop" || text === "keep") return { kind: text };
  throw new InvalidArgumentError("It must be stop, keep, or reject and the name of a file.");
}

function namesIn(text: string): readonly string[] {
  const names = text.split(",");
  if (names.every((name) => name.trim() !== "")) return names;
  throw new InvalidArgumentError("It must be names separated by commas, as in status,reason.");
}

function delimiterOf(text: string): string {
  const delimiter = text === "\\t" || text === "tab" ? "\t" : text;
  if (/^[^\w"\r\n\u0080-\uffff]$/.test(delimiter)) return delimiter;
  throw new InvalidArgumentError("It must be one character such as , ; | or tab.");
}
