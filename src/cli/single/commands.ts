import { Command } from "commander";
import { BankcheckClient } from "../../client/client.ts";
import { BankcheckError } from "../../client/errors.ts";
import { characters } from "../answer-text.ts";
import {
  type ConnectionOptions,
  connect,
  failureOf,
  integer,
  prompt,
  retryText,
  withConnection,
} from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandFailure } from "../program.ts";
import { readableBanks, readableCheck } from "./readable.ts";

interface SingleOptions extends ConnectionOptions {
  readonly json: boolean;
}

/** `bankcheck iban IBAN` */
export function ibanCommand(): Command {
  const command = new Command("iban")
    .description("Check one IBAN, and show every check that was made.")
    .argument("<iban...>", "with or without spaces")
    .option("--bic <bic>", "check that this BIC belongs to it")
    .option("--json", "the answer as JSON", false)
    .action((parts: string[], options: SingleOptions & { readonly bic?: string }) => {
      const { bic } = options;
      const question = { explain: true, ...(bic === undefined ? {} : { bic }) };
      return answer(options, (client) => client.check(parts.join(""), question), readableCheck);
    });
  return withConnection(command, prompt);
}

/** `bankcheck kto KONTONUMMER BLZ` */
export function ktoCommand(): Command {
  const command = new Command("kto")
    .description("Check one German account number with its bank code, and show every check that was made.")
    .argument("<kontonummer>")
    .argument("<blz>")
    .option("--sepa", "generate the IBAN and show the SEPA methods too", false)
    .option("--json", "the answer as JSON", false)
    .action((kontonummer: string, blz: string, options: SingleOptions & { readonly sepa: boolean }) => {
      const question = { explain: true, sepa: options.sepa };
      return answer(options, (client) => client.account(kontonummer, blz, question), readableCheck);
    });
  return withConnection(command, prompt);
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
    .option("--max <n>", "how many are shown", integer(1, 50), 10)
    .option("--json", "the answer as JSON", false)
    .action((words: string[], options: SearchOptions) => {
      const { location, zip, blz, max } = options;
      const given = { name: words.join(" "), location, zip, bankleitzahl: blz };
      const query = Object.fromEntries(
        Object.entries(given).filter(([, text]) => text !== undefined && text !== ""),
      );
      return answer(options, (client) => client.search({ ...query, max }), readableBanks);
    });
  return withConnection(command, prompt);
}

/** Asks the service and writes its answer; one that is not positive has an exit code of its own. */
async function answer<Answer extends { readonly status: number }>(
  options: SingleOptions,
  ask: (client: BankcheckClient) => Promise<Answer>,
  readable: (answer: Answer) => string,
): Promise<void> {
  const { options: clientOptions, close } = await connect(options, prompt, characters, (notice) => {
    process.stderr.write(`${retryText(notice)}\n`);
  });
  const given = await ask(new BankcheckClient(clientOptions))
    .catch((error) => {
      throw error instanceof BankcheckError ? failureOfAnswer(error) : error;
    })
    .finally(close);
  process.stdout.write(options.json ? `${JSON.stringify(given, null, 2)}\n` : readable(given));
  if (given.status !== 1) process.exitCode = exitCodes.notValid.code;
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
  return new CommandFailure(error.message, code);
}
