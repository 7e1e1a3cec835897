import { Command } from "commander";
import { SHORTEST_IBAN } from "../../banking/iban/normalise.ts";
import { readText } from "../../banking/reader/read-text.ts";
import { BankcheckClient } from "../../client/client.ts";
import { BankcheckError } from "../../client/errors.ts";
import {
  type ConnectionOptions,
  connect,
  failureOf,
  integer,
  interactiveDefaults,
  retryText,
  withConnection,
  writeNote,
} from "../connection.ts";
import { CommandFailure, exitCodes } from "../exit-codes.ts";
import { examples, languageOption } from "../program.ts";
import { type ReadableOptions, readableBanks, readableCheck, readableIban, withColour } from "./readable.ts";

/** The options of these commands, of which each has some. */
interface SingleOptions extends ConnectionOptions, ReadableOptions {
  readonly json?: boolean;
  readonly bic?: string;
  readonly sepa?: boolean;
  readonly location?: string;
  readonly zip?: string;
  readonly blz?: string;
  readonly country?: string;
  readonly max?: number;
  readonly branch?: string;
}

export function ibanCommand(): Command {
  const command = new Command("iban")
    .description("Check IBANs, and show every check made.")
    .argument("<iban...>", "with or without spaces; several are checked one after the other")
    .option("--bic <bic>", "check that this BIC belongs to the IBAN")
    .option("--json", "print the answer as JSON; an array for several IBANs")
    .addHelpText(
      "after",
      examples(
        ["refused", "notValid"],
        "iban DE89370400440532013000",
        "iban DE89 3704 0044 0532 0130 00 --bic COBADEFF",
      ),
    )
    .action((parts: string[], options: SingleOptions) => {
      const { lang, bic } = options;
      const question = { lang, bic, explain: true, suggest: true, lenient: true };
      const asked = ibansIn(parts).map((iban) => (client: BankcheckClient) => client.check(iban, question));
      return answerAll(options, asked, (given) => readableCheck(given, options));
    });
  return withConnection(withColour(command.addOption(languageOption())), interactiveDefaults);
}

/**
 * Joins the pieces of IBANs: one begins with two letters and two digits if the previous one is long enough. Text with
 * several IBANs is that many.
 */
export function ibansIn(parts: readonly string[]): string[] {
  return joined(parts).flatMap((text) => {
    const { ibans } = readText(text);
    return ibans.length > 1 ? ibans.map(({ iban }) => iban) : [text];
  });
}

function joined(parts: readonly string[]): string[] {
  const ibans: string[] = [];
  for (const part of parts) {
    const last = ibans.at(-1);
    const isLong = (last ?? "").replaceAll(" ", "").length >= SHORTEST_IBAN;
    const begins = isLong && /^[a-z]{2}\d\d/i.test(part);
    if (last === undefined || begins) ibans.push(part);
    else ibans[ibans.length - 1] = `${last} ${part}`;
  }
  return ibans;
}

export function ktoCommand(): Command {
  const command = new Command("kto")
    .description("Check a German account number with its bank code, and show every check made.")
    .argument("<kontonummer>")
    .argument("<blz>")
    .option("--sepa", "also generate the IBAN and show the SEPA methods")
    .option("--json", "print the answer as JSON")
    .addHelpText("after", examples(["refused", "notValid"], "kto 532013000 37040044 --sepa"))
    .action((kontonummer: string, blz: string, options: SingleOptions) => {
      const { lang, sepa = false } = options;
      const question = { lang, sepa, explain: true, suggest: true };
      const ask = (client: BankcheckClient) => client.account(kontonummer, blz, question);
      return answerAll(options, [ask], (given) => readableCheck(given, options));
    });
  return withConnection(withColour(command.addOption(languageOption())), interactiveDefaults);
}

export function searchCommand(): Command {
  const command = new Command("search")
    .description("Search banks by name, town, postal code, bank code or BIC.")
    .argument("[name...]", "name of the bank")
    .option("--location <town>", "town")
    .option("--zip <digits>", "postal code or its beginning")
    .option("--blz <digits>", "bank code or its beginning")
    .option("--bic <bic>", "BIC or its beginning")
    .option("--country <codes>", "ISO codes separated by commas, or * for all; default: DE")
    .option("--max <n>", "maximum number of results", integer(1, 50), 10)
    .option("--json", "print the answer as JSON")
    .addHelpText(
      "after",
      examples(["refused", "notValid"], "search sparkasse --location köln", "search --blz 370"),
    )
    .action((words: string[], options: SingleOptions) => {
      const { location, zip, blz: bankleitzahl, bic, country, max, lang } = options;
      const given = { name: words.join(" "), location, zip, bankleitzahl, bic, country, max };
      const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value));
      const ask = (client: BankcheckClient) => client.search(query, { lang });
      return answerAll(options, [ask], (found) => readableBanks(found, options));
    });
  return withConnection(command.addOption(languageOption()), interactiveDefaults);
}

/** `bankcheck compose COUNTRY BANK_CODE ACCOUNT`: works on the bank data of this machine, without a service. */
export function composeCommand(): Command {
  return new Command("compose")
    .description("Compose an IBAN from its bank code and account number, with the national check digits.")
    .argument("<country>", "ISO code, as in ES")
    .argument("<bank_code>", "as in 37040044; letters in some countries")
    .argument("<account>", "account number; leading zeros may be left out")
    .option("--branch <code>", "branch code, if the country's IBANs have one")
    .addOption(languageOption())
    .option("--offline", "no effect: this command always works offline")
    .option("--json", "print all facts as JSON")
    .addHelpText(
      "after",
      examples(
        ["notValid"],
        "compose DE 37040044 532013000",
        "compose IT 05428 123456 --branch 11101 --json",
      ),
    )
    .action((country: string, bank_code: string, account: string, options: SingleOptions) => {
      const { branch, lang } = options;
      const parts = { country, bank_code, account, ...(branch === undefined ? {} : { branch_code: branch }) };
      const ask = (client: BankcheckClient) => client.compose(parts, { lang });
      const offline = { ...options, ...interactiveDefaults, concurrency: 1, offline: true };
      return answerAll(offline, [ask], readableIban);
    });
}

/** Asks the service and writes its answers; one that is not positive has its own exit code. */
async function answerAll<Answer extends { readonly status: number }>(
  options: SingleOptions,
  questions: readonly ((client: BankcheckClient) => Promise<Answer>)[],
  readable: (answer: Answer) => string,
): Promise<void> {
  const { options: clientOptions, close } = await connect(options, interactiveDefaults, (notice) => {
    writeNote(retryText(notice), options);
  });
  try {
    const client = new BankcheckClient(clientOptions);
    const given: Answer[] = [];
    for (const ask of questions) given.push(await ask(client));
    const shown = given.length === 1 ? given[0] : given;
    process.stdout.write(
      options.json ? `${JSON.stringify(shown, null, 2)}\n` : given.map(readable).join("\n"),
    );
    if (given.some(({ status }) => status !== 1)) process.exitCode = exitCodes.notValid.code;
  } catch (error) {
    throw error instanceof BankcheckError ? failureOfAnswer(error) : error;
  } finally {
    await close();
  }
}

const numberErrors: readonly string[] = ["invalid_iban", "invalid_bic", "invalid_kontonummer", "invalid_blz"];

/** Input without the form of a number counts as not valid; any other wrong input is a wrong option. */
function failureOfAnswer(error: BankcheckError): CommandFailure {
  if (error.httpStatus !== 400) return failureOf(error);
  const { code } = numberErrors.includes(error.code) ? exitCodes.notValid : exitCodes.unusable;
  return new CommandFailure(error.message, code, error.code);
}
