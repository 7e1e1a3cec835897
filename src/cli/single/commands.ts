import { Command } from "commander";
import { BankcheckClient } from "../../client/client.ts";
import { BankcheckError } from "../../client/errors.ts";
import {
  type ConnectionOptions,
  connect,
  failureOf,
  integer,
  prompt,
  retryText,
  withConnection,
} from "../connection.ts";
import { characters } from "../fetch-over-http.ts";
import { CommandFailure, examples, exitCodes } from "../program.ts";
import { type ColourOptions, isColoured, readableBanks, readableCheck, withColour } from "./readable.ts";

interface SingleOptions extends ConnectionOptions, ColourOptions {
  readonly json?: boolean;
}

/** `bankcheck iban IBAN...` */
export function ibanCommand(): Command {
  const command = new Command("iban")
    .description("Check IBANs, and show every check that was made.")
    .argument("<iban...>", "with or without spaces; several are checked one after the other")
    .option("--bic <bic>", "check that this BIC belongs to it")
    .option("--json", "the answer as JSON, an array of them for several")
    .addHelpText(
      "after",
      examples("iban DE89370400440532013000", "iban DE89 3704 0044 0532 0130 00 --bic COBADEFF"),
    )
    .action((parts: string[], options: SingleOptions & { readonly bic?: string }) => {
      const { bic } = options;
      const question = { explain: true, suggest: true, lenient: true, ...(bic === undefined ? {} : { bic }) };
      const asked = ibansIn(parts).map((iban) => (client: BankcheckClient) => client.check(iban, question));
      return answerAll(options, asked, (given) => readableCheck(given, isColoured(options)));
    });
  return withConnection(withColour(command), prompt);
}

/** Joins the pieces of IBANs: one begins with two letters and two digits where the one before is long enough. */
export function ibansIn(parts: readonly string[]): string[] {
  const ibans: string[] = [];
  for (const part of parts) {
    const last = ibans.at(-1);
    const begins = /^[a-z]{2}\d\d/i.test(part) && (part.length > 4 || (last ?? "").length >= minIban);
    if (last === undefined || (begins && last.length >= minIban)) ibans.push(part);
    else ibans[ibans.length - 1] = last + part;
  }
  return ibans;
}

/** The shortest IBAN of the registry is that of Norway. */
const minIban = 15;

/** `bankcheck kto KONTONUMMER BLZ` */
export function ktoCommand(): Command {
  const command = new Command("kto")
    .description("Check one German account number with its bank code, and show every check that was made.")
    .argument("<kontonummer>")
    .argument("<blz>")
    .option("--sepa", "generate the IBAN and show the SEPA methods too")
    .option("--json", "the answer as JSON")
    .addHelpText("after", examples("kto 532013000 37040044 --sepa"))
    .action((kontonummer: string, blz: string, options: SingleOptions & { readonly sepa?: boolean }) => {
      const question = { explain: true, suggest: true, sepa: options.sepa === true };
      const ask = (client: BankcheckClient) => client.account(kontonummer, blz, question);
      return answerAll(options, [ask], (given) => readableCheck(given, isColoured(options)));
    });
  return withConnection(withColour(command), prompt);
}

type SearchOptions = SingleOptions & {
  readonly location?: string;
  readonly zip?: string;
  readonly blz?: string;
  readonly max: number;
};

/** `bankcheck search [NAME]` */
export function searchCommand(): Command {
  const command = new Command("search")
    .description("Search banks by name, town, postal code or bank code.")
    .argument("[name...]", "name of the bank")
    .option("--location <town>", "town")
    .option("--zip <digits>", "postal code or its beginning")
    .option("--blz <digits>", "bank code or its beginning")
    .option("--max <n>", "maximum number of results", integer(1, 50), 10)
    .option("--json", "the answer as JSON")
    .addHelpText("after", examples("search sparkasse --location köln", "search --blz 370"))
    .action((words: string[], options: SearchOptions) => {
      const { location, zip, blz, max } = options;
      const given = { name: words.join(" "), location, zip, bankleitzahl: blz };
      const query = Object.fromEntries(
        Object.entries(given).filter(([, text]) => text !== undefined && text !== ""),
      );
      return answerAll(options, [(client) => client.search({ ...query, max })], readableBanks);
    });
  return withConnection(command, prompt);
}

/** Asks the service and writes its answers; one that is not positive has an exit code of its own. */
async function answerAll<Answer extends { readonly status: number }>(
  options: SingleOptions,
  questions: readonly ((client: BankcheckClient) => Promise<Answer>)[],
  readable: (answer: Answer) => string,
): Promise<void> {
  const { options: clientOptions, close } = await connect(options, prompt, characters, (notice) => {
    process.stderr.write(`${retryText(notice)}\n`);
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

const numberErrors: ReadonlySet<string> = new Set([
  "invalid_iban",
  "invalid_bic",
  "invalid_kontonummer",
  "invalid_blz",
]);

/** What has not even the form of a number is not valid; any other wrong input is a wrong option. */
function failureOfAnswer(error: BankcheckError): CommandFailure {
  if (error.httpStatus !== 400) return failureOf(error);
  const { code } = numberErrors.has(error.code) ? exitCodes.notValid : exitCodes.unusable;
  return new CommandFailure(error.message, code, error.code);
}
