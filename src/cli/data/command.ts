import { Command, InvalidArgumentError, Option } from "commander";
import { dataFolderOf, importFolder } from "../../banks/editions/data-folder.ts";
import { berlinDay, isDay } from "../../banks/editions/days.ts";
import { withHeap } from "../child.ts";
import { integer } from "../connection.ts";
import { examples } from "../program.ts";
import { type StateOptions, stateSettings } from "../state-options.ts";
import type { DataContext } from "./import.ts";

/**
 * `bankcheck data`: imports bank data and shows it; a running service follows.
 *
 * The modules of a subcommand are loaded when it is called, so that the other commands start without them.
 */
export function dataCommand(): Command {
  const command = new Command("data").description(
    "Import bank data, and show what the data folder contains.",
  );
  const subcommand = (usage: string, description: string) =>
    command
      .command(usage)
      .description(description)
      .option("--data-dir <folder>", "folder of the bank data; the service's setting DATA_DIR")
      .option("--state-dir <folder>", "folder of the service's state; its setting STATE_DIR");
  subcommand(
    "import <file...>",
    "Check published files, report what changes, and store them; a running service loads them.",
  )
    .option("--valid-from <day>", "first day, if neither the file nor its name contains it", day)
    .option("--valid-until <day>", "last day", day)
    .option("--force", "store a file even if too much is missing or different")
    .option("--dry-run", "report what would change and store nothing")
    .action(
      withHeap(async (files, options) =>
        (await import("./import.ts")).importFiles(contextOf(options), files, options),
      ),
    );
  subcommand(
    "update",
    "Fetch the current and next bank codes and the SEPA services from the Bundesbank, or the lists of other issuers, and import them.",
  )
    .addOption(
      new Option("--source <address>", "mirror: host that serves the files under the issuers' paths").env(
        "BANKCHECK_DATA_SOURCE",
      ),
    )
    .option(
      "--issuers <names>",
      "whose lists to fetch, separated by commas, or all: bundesbank, oenb, nbb, six, cnb, nbp, betaalvereniging, epc",
      "bundesbank",
    )
    .option("--proxy <address>", "proxy; default: HTTPS_PROXY or HTTP_PROXY")
    .option("--timeout <ms>", "maximum time of one download", integer(1, 600_000), 60_000)
    .option("--force", "store a file even if too much is missing or different")
    .option("--dry-run", "report what would change and store nothing")
    .action(withHeap(async (options) => (await import("./update.ts")).update(contextOf(options), options)));
  subcommand(
    "lookup <code...>",
    "Show all facts about a BIC or a bank code (German, or with its country, as in AT 12000).",
  ).action(async (code: string[], options) =>
    (await import("./show.ts")).lookUp(contextOf(options), code.join("")),
  );
  subcommand("search <name...>", "Search banks by name.")
    .option("--country <codes>", "countries to search, ISO codes separated by commas, or * for all", "DE")
    .option("--location <town>", "town")
    .option("--max <n>", "maximum number of results", integer(1, 50), 10)
    .action(async (words: string[], options) =>
      (await import("./show.ts")).search(contextOf(options), words.join(" "), options),
    );
  subcommand(
    "set <country> <bank_code>",
    "Set name, BIC or SEPA schemes of a bank, to be used in place of those in the lists.",
  )
    .option("--name <text>", "name of the bank")
    .option("--bic <bic>", "its BIC")
    .option("--schemes <names>", "sct, sdd, b2b and scc separated by commas, or none")
    .option("--valid-until <day>", "last day of the entry", day)
    .option("--add", "add a bank that no list has")
    .action(async (country, code, options) =>
      (await import("./overrides.ts")).setOverride(contextOf(options), country, code, options),
    );
  subcommand(
    "unset <country> <bank_code>",
    "Remove the local entry of a bank, so that the lists apply again.",
  ).action(async (country, code, options) =>
    (await import("./overrides.ts")).unsetOverride(contextOf(options), country, code),
  );
  subcommand("overrides", "List the local entries, and which of them have expired.").action(async (options) =>
    (await import("./overrides.ts")).listOverrides(contextOf(options)),
  );
  subcommand("prune", "Remove old editions from the data folder, except those in use or to come.")
    .option(
      "--keep <n>",
      "number of editions of each kind to keep, besides those to come",
      integer(1, 1_000),
      4,
    )
    .action(async (options) => (await import("./show.ts")).prune(contextOf(options), options.keep));
  subcommand(
    "withdraw <day>",
    "Withdraw the edition with this first day; a running service returns to the one before it.",
  )
    .option("--dataset <name>", "blz, banks, scl or an epc register", "blz")
    .option("--undo", "use a withdrawn edition again")
    .action(async (first, options) =>
      (await import("./show.ts")).withdraw(contextOf(options), first, options),
    );
  subcommand("stats", "List the editions with their days, sizes and sources.").action(async (options) =>
    (await import("./show.ts")).stats(contextOf(options)),
  );
  subcommand(
    "diff [from] [to]",
    "Compare two editions, named by their first days; by default the one in use and the one before it.",
  )
    .option("--dataset <name>", "blz, banks, scl or an epc register", "blz")
    .option("--all", "show every change, not only the first ones")
    .action(async (from, to, options) =>
      (await import("./show.ts")).diffEditions(contextOf(options), from, to, options),
    );
  return command.addHelpText(
    "after",
    examples(
      ["notValid", "suspicious", "unreachable"],
      "data update",
      "data import blz-aktuell.csv",
      "data search sparkasse --location köln",
    ),
  );
}

function contextOf(options: StateOptions): DataContext {
  const settings = stateSettings(options);
  return {
    folder: dataFolderOf(settings),
    importFolder: importFolder(settings),
    today: berlinDay(Date.now()),
  };
}

function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError("It must be a day, as in 2026-09-07.");
  return text;
}

/** `bankcheck sample`: writes test numbers as CSV; works on the bank data of this machine, without a service. */
export function sampleCommand(): Command {
  return new Command("sample")
    .description(
      "Print test numbers as CSV: IBANs at existing banks that pass every check. None is known to be genuine.",
    )
    .option("-n, --count <n>", "number of test numbers", integer(1, 1_000_000_000), 10)
    .option("--country <code>", "ISO code; default: all countries in turn")
    .option("--seed <text>", "the same seed returns the same numbers", "1")
    .option("--offline", "no effect: this command always works offline")
    .addHelpText(
      "after",
      examples([], "sample --count 1000 > numbers.csv", "sample --country GB --seed test"),
    )
    .action(async (options) => (await import("./sample.ts")).sample(options));
}
