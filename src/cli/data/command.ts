import { Command, InvalidArgumentError, Option } from "commander";
import { dataFolderOf, importFolder } from "../../banks/data-folder.ts";
import { isCalendarDay } from "../../banks/import/validity.ts";
import { berlinDay } from "../../editions/berlin-day.ts";
import { integer } from "../connection.ts";
import { stateSettings } from "../state-settings.ts";
import { type DiffOptions, diffEditions } from "./diff.ts";
import { type ImportOptions, importFiles } from "./import.ts";
import { lookUp } from "./lookup.ts";
import { type SearchOptions, search } from "./search.ts";
import { stats } from "./stats.ts";
import { tellingDataFaults } from "./tell-faults.ts";
import { bundesbank, type UpdateOptions, update } from "./update.ts";

interface FolderOptions {
  readonly dataDir?: string;
  readonly stateDir?: string;
}

/** Folders and day that a command of bank data works with. */
export interface DataPlace {
  /** Where the service reads from. */
  readonly folder: string;
  /** Where imports go to. */
  readonly importFolder: string;
  /** The day in Berlin. */
  readonly today: string;
}

/** `bankcheck data`: imports bank data and shows it; a running service follows by itself. */
export function dataCommand(): Command {
  const command = new Command("data").description("Imports bank data, and shows what the data folder holds.");
  withFolders(command.command("import <file...>"))
    .description(
      "checks published files, tells what changes, and stores them; a running service follows by itself",
    )
    .option("--valid-from <day>", "first day, where neither the file nor its name tells it", day)
    .option("--valid-until <day>", "last day", day)
    .option("--force", "store a file although more than a tenth of the bank codes is gone", false)
    .option("--dry-run", "tell what would change and store nothing", false)
    .action(
      tellingDataFaults((files: string[], options: FolderOptions & ImportOptions) =>
        importFiles(placeOf(options), files, options),
      ),
    );
  withFolders(command.command("update"))
    .description(
      "fetches the current and next bank codes and the SEPA services from the Bundesbank, and imports them",
    )
    .addOption(
      new Option("--source <address>", "address of the source")
        .env("BANKCHECK_DATA_SOURCE")
        .default(bundesbank),
    )
    .option("--proxy <address>", "proxy; otherwise HTTPS_PROXY and HTTP_PROXY are followed")
    .option("--timeout <ms>", "how long one download may take", integer(1, 600_000), 60_000)
    .option("--force", "store a file although more than a tenth of the bank codes is gone", false)
    .option("--dry-run", "tell what would change and store nothing", false)
    .action(tellingDataFaults((options: FolderOptions & UpdateOptions) => update(placeOf(options), options)));
  withFolders(command.command("lookup <code...>"))
    .description("shows all that is known of a bank code (German, or with the country: AT 12000) or a BIC")
    .action(
      tellingDataFaults((code: string[], options: FolderOptions) => lookUp(placeOf(options), code.join(""))),
    );
  withFolders(command.command("search <name...>"))
    .description("searches German banks by name")
    .option("--location <town>", "town")
    .option("--max <n>", "how many are shown", integer(1, 50), 10)
    .action(
      tellingDataFaults((words: string[], options: FolderOptions & SearchOptions) =>
        search(placeOf(options), words.join(" "), options),
      ),
    );
  withFolders(command.command("stats"))
    .description("lists the editions with their days, sizes and sources")
    .action(tellingDataFaults((options: FolderOptions) => stats(placeOf(options))));
  withFolders(command.command("diff [from] [to]"))
    .description(
      "compares two editions by their first days; without them, the one in use with the one before it",
    )
    .option("--dataset <name>", "blz, banks, scl or an epc register", "blz")
    .option("--all", "every change instead of the first ones", false)
    .action(
      tellingDataFaults(
        (from: string | undefined, to: string | undefined, options: FolderOptions & DiffOptions) =>
          diffEditions(placeOf(options), from, to, options),
      ),
    );
  return command;
}

function withFolders(command: Command): Command {
  return command
    .option("--data-dir <folder>", "folder of the bank data, as the service's setting DATA_DIR")
    .option("--state-dir <folder>", "folder of the service's state, as its setting STATE_DIR");
}

function placeOf({ dataDir, stateDir }: FolderOptions): DataPlace {
  const settings = stateSettings([
    ["data-dir", dataDir],
    ["state-dir", stateDir],
  ]);
  return {
    folder: dataFolderOf(settings),
    importFolder: importFolder(settings),
    today: berlinDay(Date.now()),
  };
}

function day(text: string): string {
  if (!isCalendarDay(text)) throw new InvalidArgumentError("It must be a day like 2026-09-07.");
  return text;
}
