import { Command } from "commander";
import { integer } from "../connection.ts";
import { reportDataFaults } from "../data/tell-faults.ts";
import type { ComposeOptions, SampleOptions } from "./make.ts";

/** `bankcheck compose COUNTRY BANK_CODE ACCOUNT`: works on the bank data of this machine, without a service. */
export function composeCommand(): Command {
  return new Command("compose")
    .description("Compose an IBAN of its bank code and account number, with the national check digits.")
    .argument("<country>", "ISO code, like ES")
    .argument("<bank_code>")
    .argument("<account>")
    .option("--branch <code>", "branch code, where the country's IBANs have one")
    .option("--json", "everything that is known of it as JSON", false)
    .action(
      reportDataFaults(async (country: string, bankCode: string, account: string, options: ComposeOptions) =>
        (await import("./make.ts")).compose(country, bankCode, account, options),
      ),
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
    .action(reportDataFaults(async (options: SampleOptions) => (await import("./make.ts")).sample(options)));
}
