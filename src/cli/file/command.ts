import { Command, InvalidArgumentError, Option } from "commander";
import { BankcheckError } from "../../client/errors.ts";
import { senderOptions } from "../../client/options.ts";
import { RequestSender, type RetryNotice } from "../../client/sender.ts";
import { byteCharacters } from "../answer-text.ts";
import {
  type ConnectionOptions,
  connect,
  failureOf,
  patient,
  retryText,
  withConnection,
} from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandFailure } from "../program.ts";
import { checkFile, type FileSummary } from "./check-file.ts";
import type { FileRequest } from "./file-request.ts";
import { InputError } from "./input-error.ts";
import { ProgressDisplay, told } from "./progress.ts";

type FileOptions = ConnectionOptions &
  Omit<FileRequest, "file" | "generates"> & {
    readonly quiet: boolean;
    readonly json: boolean;
  };

/** `bankcheck check FILE` */
export function checkCommand(): Command {
  return fileCommand("check", false).description(
    "Check the IBANs, or the account numbers with their bank codes, of a file; - reads standard input.",
  );
}

/** `bankcheck generate FILE` */
export function generateCommand(): Command {
  return fileCommand("generate", true).description(
    "Generate the IBANs of the account numbers and bank codes of a file; - reads standard input.",
  );
}

function fileCommand(name: string, generates: boolean): Command {
  const gather = (column: string, columns: readonly string[]) => [...columns, column];
  const formats = ["csv", "ndjson"];
  const command = new Command(name)
    .argument("<file>", "CSV, NDJSON, or a list with one entry a line")
    .option("-o, --output <file>", "where the rows go with what was found; standard output without it")
    .option(
      "-c, --column <name>",
      "name or number of the column with the IBANs; given twice, those with kontonummer and BLZ",
      gather,
      [],
    )
    .addOption(
      new Option("--format <format>", "how the output is written; as the file without it").choices(formats),
    )
    .addOption(
      new Option("--input-format <format>", "how the file is written; recognised without it").choices(
        formats,
      ),
    )
    .option(
      "--delimiter <character>",
      "what stands between fields of CSV; recognised without it",
      delimiterOf,
    )
    .option("--header", "the first row names the columns; recognised without it")
    .option("--no-header", "the first row does not name the columns")
    .addOption(
      new Option("--encoding <name>", "recognised without it; the output is UTF-8").choices([
        "utf-8",
        "latin-1",
      ]),
    )
    .option("--resume", "continue an interrupted run", false)
    .option("--force", "replace an output that is there", false)
    .option("-q, --quiet", "no progress and no summary", false)
    .option("--json", "the summary as JSON", false)
    .action((file: string, options: FileOptions) => run(requestOf(file, generates, options), options));
  return withConnection(command, patient);
}

function requestOf(file: string, generates: boolean, options: FileOptions): FileRequest {
  const { output, resume, force, column, format, inputFormat, delimiter, header, encoding } = options;
  return { file, output, resume, force, generates, column, format, inputFormat, delimiter, header, encoding };
}

function delimiterOf(text: string): string {
  const delimiter = text === "\\t" || text === "tab" ? "\t" : text;
  if (/^[^\w"\r\n\u0080-\uffff]$/.test(delimiter)) return delimiter;
  throw new InvalidArgumentError("It must be one character such as , ; | or tab.");
}

/** What ends a run that a person or the system stops. */
class Interruption extends Error {}

async function run(request: FileRequest, options: FileOptions): Promise<void> {
  let display: ProgressDisplay | undefined;
  const tellRetry = (notice: RetryNotice) => {
    if (!notice.pausesAll || options.quiet) return;
    if (display === undefined) process.stderr.write(`${retryText(notice)}\n`);
    else display.waiting(retryText(notice), notice.delay);
  };
  const { options: clientOptions, close } = await connect(options, patient, byteCharacters, tellRetry);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      stop.abort(new Interruption());
      // A source that nobody writes to would be waited for.
      if (request.file === "-") process.stdin.destroy();
    });
  }
  try {
    const summary = await checkFile(request, {
      sender: new RequestSender(senderOptions(clientOptions)),
      signal: stop.signal,
      onBegin: (facts) => {
        if (process.stderr.isTTY && !options.quiet) display = new ProgressDisplay(process.stderr, facts);
      },
    });
    display?.end();
    tellSummary(summary, request, options);
  } catch (error) {
    display?.end();
    // Whoever read standard output has had enough.
    if ((error as NodeJS.ErrnoException).code === "EPIPE") return;
    throw failureOfRun(stop.signal.aborted ? stop.signal.reason : error, request);
  } finally {
    await close();
  }
}

function failureOfRun(error: unknown, { output, file }: FileRequest): unknown {
  const isContinuable = output !== undefined && file !== "-";
  const hint = isContinuable ? " What is done is kept: --resume goes on from there." : "";
  if (error instanceof InputError) return new CommandFailure(error.message, exitCodes.unusable.code);
  if (error instanceof BankcheckError) return failureOf(error, hint);
  if (error instanceof Interruption) {
    return new CommandFailure(`Interrupted.${hint}`, exitCodes.interrupted.code);
  }
  if ((error as NodeJS.ErrnoException).syscall !== undefined) {
    return new CommandFailure(`${(error as Error).message}.${hint}`, exitCodes.givenUp.code);
  }
  return error;
}

function tellSummary(summary: FileSummary, request: FileRequest, { quiet, json }: FileOptions): void {
  const { counts, before, seconds } = summary;
  const perSecond = Math.round((counts.rows - before) / seconds);
  if (json) {
    const facts = { ...counts, rows_before: before, seconds, rows_per_second: perSecond };
    // Standard output belongs to the rows where they go there.
    (request.output === undefined ? process.stderr : process.stdout).write(`${JSON.stringify(facts)}\n`);
  } else if (!quiet) {
    const earlier = before === 0 ? "" : `, ${told(before)} of them before`;
    process.stderr.write(
      `${told(counts.rows)} rows${earlier}, in ${seconds.toFixed(1)} s (${told(perSecond)} rows/s): ` +
        `${told(counts.valid)} valid, ${told(counts.invalid)} not.\n`,
    );
  }
}
