import { Command, InvalidArgumentError, Option } from "commander";
import { berlinDay, isDay } from "../../banks/editions/days.ts";
import { dataFolderOf, importFolder } from "../../banks/editions/manifest.ts";
import { integer } from "../connection.ts";
import { examples, type StateOptions, stateSettings, withHeap } from "../program.ts";
import type { DataPlace, ImportOptions } from "./import.ts";
import type { ComposeOptions, SampleOptions } from "./numbers.ts";
import type { DiffOptions, SearchOptions, WithdrawOptions } from "./show.ts";
import type { UpdateOptions } from "./update.ts";

/**
 * `bankcheck data`: imports bank data and shows it; a running service follows.
 *
 * The modules of a subcommand are loaded when it is called, so that the other commands start without them.
 */
export function dataCommand(): Command {
  const command = new Command("data").description(
    "Import bank data, and show the content of the data folder.",
  );
  withFolders(command.command("import <file...>"))
    .description("Check published files, report what changes, and store them; a running service loads them.")
    .option("--valid-from <day>", "first day, if neither the file nor its name contains it", day)
    .option("--valid-until <day>", "last day", day)
    .option("--force", "store a file although too much is gone or different")
    .option("--dry-run", "report what would change and store nothing")
    .action(
      withHeap(async (files: string[], options: StateOptions & ImportOptions) =>
        (await import("./import.ts")).importFiles(placeOf(options), files, options),
      ),
    );
  withFolders(command.command("update"))
    .description(
      "Fetch the current and next bank codes and the SEPA services from the Bundesbank, or the lists of other issuers, and import them.",
    )
    .addOption(
      new Option(
        "--source <address>",
        "host that has the files under the issuers' paths, in place of theirs",
      ).env("BANKCHECK_DATA_SOURCE"),
    )
    .option(
      "--issuers <names>",
      "whose lists to fetch, separated by commas, or all: bundesbank, oenb, nbb, six, cnb, nbp, gleif, betaalvereniging, epc",
      "bundesbank",
    )
    .option("--proxy <address>", "proxy; otherwise HTTPS_PROXY and HTTP_PROXY are followed")
    .option("--timeout <ms>", "how long one download may take", integer(1, 600_000), 60_000)
    .option("--force", "store a file although too much is gone or different")
    .option("--dry-run", "report what would change and store nothing")
    .action(
      withHeap(async (options: StateOptions & UpdateOptions) =>
        (await import("./update.ts")).update(placeOf(options), options),
      ),
    );
  withFolders(command.command("lookup <code...>"))
    .description("Show all facts about a bank code (German, or with the country: AT 12000) or a BIC.")
    .action(async (code: string[], options: StateOptions) =>
      (await import("./show.ts")).lookUp(placeOf(options), code.join("")),
    );
  withFolders(command.command("search <name...>"))
    .description("Search banks by name.")
    .option("--country <codes>", "countries to search, ISO codes separated by commas, or * for all", "DE")
    .option("--location <town>", "town")
    .option("--max <n>", "maximum number of results", integer(1, 50), 10)
    .action(async (words: string[], options: StateOptions & SearchOptions) =>
      (await import("./show.ts")).search(placeOf(options), words.join(" "), options),
    );
  withFolders(command.command("prune"))
    .description("Remove old editions from the data folder, except those in use or to come.")
    .option(
      "--keep <n>",
      "how many editions of a kind to keep, those to come not counted",
      integer(1, 1_000),
      4,
    )
    .action(async (options: StateOptions & { readonly keep: number }) =>
      (await import("./show.ts")).prune(placeOf(options), options.keep),
    );
  withFolders(command.command("withdraw <day>"))
    .description("Withdraw the edition with this first day: a running service returns to the one before it.")
    .option("--dataset <name>", "blz, banks, scl or an epc register", "blz")
    .option("--undo", "use it again")
    .action(async (first: string, options: StateOptions & WithdrawOptions) =>
      (await import("./show.ts")).withdraw(placeOf(options), first, options),
    );
  withFolders(command.command("stats"))
    .description("List the editions with their days, sizes and sources.")
    .action(async (options: StateOptions) => (await import("./show.ts")).stats(placeOf(options)));
  withFolders(command.command("diff [from] [to]"))
    .description(
      "Compare two editions by their first days; without them, the one in use with the one before it.",
    )
    .option("--dataset <name>", "blz, banks, scl or an epc register", "blz")
    .option("--all", "every change instead of the first ones")
    .action(async (from: string | undefined, to: string | undefined, options: StateOptions & DiffOptions) =>
      (await import("./show.ts")).diffEditions(placeOf(options), from, to, options),
    );
  return command.addHelpText(
    "after",
    examples("data update", "data import blz-aktuell.csv", "data search sparkasse --location köln"),
  );
}

function withFolders(command: Command): Command {
  return command
    .option("--data-dir <folder>", "folder of the bank data, as the service's setting DATA_DIR")
    .option("--state-dir <folder>", "folder of the service's state, as its setting STATE_DIR");
}

function placeOf(options: StateOptions): DataPlace {
  const settings = stateSettings(options);
  return {
    folder: dataFolderOf(settings),
    importFolder: importFolder(settings),
    today: berlinDay(Date.now()),
  };
}

function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError("It must be a day like 2026-09-07.");
  return text;
}

/** `bankcheck compose COUNTRY BANK_CODE ACCOUNT`: works on the bank data of this machine, without a service. */
export function composeCommand(): Command {
  return new Command("compose")
    .description("Compose an IBAN from its bank code and account number, with the national check digits.")
    .argument("<country>", "ISO code, like ES")
    .argument("<bank_code>")
    .argument("<account>")
    .option("--branch <code>", "branch code, where the country's IBANs have one")
    .option("--json", "all facts as JSON")
    .addHelpText(
      "after",
      examples("compose DE 37040044 532013000", "compose IT 05428 123456 --branch 11101 --json"),
    )
    .action(async (country: string, bankCode: string, account: string, options: ComposeOptions) =>
      (await import("./numbers.ts")).compose(country, bankCode, account, options),
    );
}

/** `bankcheck sample`: writes test numbers as CSV; works on the bank data of this machine, without a service. */
export function sampleCommand(): Command {
  return new Command("sample")
    .description(
      "Make test numbers that pass every check, at existing banks, as CSV; none is known to be genuine.",
    )
    .option("-n, --count <n>", "how many", integer(1, 1_000_000_000), 10)
    .option("--country <code>", "ISO code; without it all countries take turns")
    .option("--seed <text>", "the same seed makes the same numbers", "1")
    .addHelpText("after", examples("sample --count 1000 > numbers.csv", "sample --country GB --seed test"))
    .action(async (options: SampleOptions) => (await import("./numbers.ts")).sample(options));
}
