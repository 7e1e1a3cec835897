import { styleText } from "node:util";
import { Command, Option } from "commander";
import { inFours, SHORTEST_IBAN } from "../../banking/iban/normalise.ts";
import { readText } from "../../banking/reader/read-text.ts";
import type {
  AccountCheckAnswer,
  AccountSuggestion,
  BankSearchAnswer,
  CheckEntry,
  IbanCheckAnswer,
  IbanSuggestion,
  SepaMethods,
} from "../../client/api-types.ts";
import { BankcheckClient } from "../../client/client.ts";
import { BankcheckError } from "../../client/errors.ts";
import { type Language, languages } from "../../contract/language.ts";
import { answerLabels, checkNames } from "../../contract/messages/check-names.ts";
import type { MessageTable } from "../../contract/messages/message-table.ts";
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
import { CommandFailure, columns, examples, exitCodes, languageOption } from "../program.ts";

interface SingleOptions extends ConnectionOptions, ColourOptions {
  readonly json?: boolean;
  readonly lang?: Language;
}

/** `bankcheck iban IBAN...` */
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
    .action((parts: string[], options: SingleOptions & { readonly bic?: string }) => {
      const { bic } = options;
      const question = {
        ...langOf(options),
        explain: true,
        suggest: true,
        lenient: true,
        ...(bic === undefined ? {} : { bic }),
      };
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

/** `bankcheck kto KONTONUMMER BLZ` */
export function ktoCommand(): Command {
  const command = new Command("kto")
    .description("Check a German account number with its bank code, and show every check made.")
    .argument("<kontonummer>")
    .argument("<blz>")
    .option("--sepa", "also generate the IBAN and show the SEPA methods")
    .option("--json", "print the answer as JSON")
    .addHelpText("after", examples(["refused", "notValid"], "kto 532013000 37040044 --sepa"))
    .action((kontonummer: string, blz: string, options: SingleOptions & { readonly sepa?: boolean }) => {
      const question = { ...langOf(options), explain: true, suggest: true, sepa: options.sepa === true };
      const ask = (client: BankcheckClient) => client.account(kontonummer, blz, question);
      return answerAll(options, [ask], (given) => readableCheck(given, options));
    });
  return withConnection(withColour(command.addOption(languageOption())), interactiveDefaults);
}

type SearchOptions = SingleOptions & {
  readonly location?: string;
  readonly zip?: string;
  readonly blz?: string;
  readonly bic?: string;
  readonly country?: string;
  readonly max: number;
};

/** `bankcheck search [NAME]` */
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
    .action((words: string[], options: SearchOptions) => {
      const { location, zip, blz, bic, country, max } = options;
      const given = { name: words.join(" "), location, zip, bankleitzahl: blz, bic, country };
      const query = Object.fromEntries(
        Object.entries(given).filter(([, text]) => text !== undefined && text !== ""),
      );
      return answerAll(
        options,
        [(client) => client.search({ ...query, max }, langOf(options))],
        readableBanks,
      );
    });
  return withConnection(command.addOption(languageOption()), interactiveDefaults);
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

const numberErrors: ReadonlySet<string> = new Set([
  "invalid_iban",
  "invalid_bic",
  "invalid_kontonummer",
  "invalid_blz",
]);

/** Input without the form of a number counts as not valid; any other wrong input is a wrong option. */
function failureOfAnswer(error: BankcheckError): CommandFailure {
  if (error.httpStatus !== 400) return failureOf(error);
  const { code } = numberErrors.has(error.code) ? exitCodes.notValid : exitCodes.unusable;
  return new CommandFailure(error.message, code, error.code);
}

type Colour = "green" | "red" | "yellow" | "dim";

const marks: Readonly<Record<CheckEntry["result"], readonly [mark: string, colour: Colour]>> = {
  passed: ["✓", "green"],
  failed: ["✗", "red"],
  not_applicable: ["·", "dim"],
  unknown: ["?", "yellow"],
};

/** Writes the answer to a check for people: the result, the bank, every check that was made, and what was meant. */
function readableCheck(
  { status, message, data }: IbanCheckAnswer | AccountCheckAnswer,
  options: SingleOptions,
): string {
  const language = options.lang ?? languages[0];
  const isColoured = mayColour(options);
  const { iban, bic, kto, blz, bank, zip, location, country, sepa_methods: sepa, checks = [] } = data;
  const place = [`${zip} ${location}`.trim(), country].filter(Boolean).join(", ");
  const failed = checks.find(({ result }) => result === "failed");
  const facts = [
    ["IBAN", iban === null ? "" : inFours(iban)],
    ["", iban === null ? "" : caret(iban, failed?.position)],
    [answerLabels.account[language], kto],
    ["BLZ", blz],
    ["BIC", bic ?? ""],
    [
      bank === "" ? answerLabels.country[language] : answerLabels.bank[language],
      [bank, place].filter(Boolean).join(", "),
    ],
    ["SEPA", sepa === undefined ? "" : schemes(sepa) || answerLabels.none[language]],
  ].flatMap(([name = "", value = ""]) => (value === "" ? [] : [`  ${name.padEnd(12)}${value}`]));
  const made = checks.map((check) => {
    const [mark, colour] = marks[check.result];
    return `  ${inColour(mark, colour, isColoured)} ${checkText(check, language)}`;
  });
  const head = inColour(message, status === 1 ? "green" : "red", isColoured);
  const meant = (data.suggestions ?? []).map(suggestionText);
  const parts = [[head], facts, made, meant.length === 0 ? [] : [answerLabels.meant[language], ...meant]];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** Marks below an IBAN in fours where it is wrong; empty if that is not known. */
function caret(iban: string, position: CheckEntry["position"]): string {
  if (position === undefined || position.start >= iban.length) return "";
  const { start, length } = position;
  const end = Math.min(iban.length, start + length) - 1;
  const column = (place: number) => place + Math.floor(place / 4);
  return " ".repeat(column(start)) + "^".repeat(column(end) - column(start) + 1);
}

function suggestionText(suggestion: IbanSuggestion | AccountSuggestion): string {
  const { bank } = suggestion;
  const number =
    "iban" in suggestion
      ? inFours(suggestion.iban)
      : `kontonummer ${suggestion.kontonummer}, BLZ ${suggestion.bankleitzahl}`;
  return `  ${number}${bank === "" ? "" : `  ${bank}`}`;
}

function schemes(sepa: SepaMethods): string {
  const taken = Object.entries(sepa).filter(([, value]) => value === 1);
  return taken.map(([name]) => name.toUpperCase()).join(", ");
}

function checkText({ check, detail, expected = [] }: CheckEntry, language: Language): string {
  const names: MessageTable = checkNames;
  const found = [names[check]?.[language] ?? check, detail?.replace(/\.$/, "")].filter(
    (text) => text !== undefined,
  );
  const right = new Intl.ListFormat(language, { type: "disjunction" }).format(expected);
  return `${found.join(": ")}${right === "" ? "" : `; ${answerLabels.expected[language]} ${right}`}`;
}

function readableBanks({ message, results }: BankSearchAnswer): string {
  const { count, total, items } = results;
  if (count === 0) return `${message}\n`;
  const rows = items.map(({ blz, bic, bank, zip, location }) => [
    blz,
    bic ?? "",
    bank,
    `${zip} ${location}`.trim(),
  ]);
  const more = total > count ? `\n${total - count} more; --max shows up to 50.\n` : "";
  return `${columns(["BLZ", "BIC", "bank", "place"], rows)}${more}`;
}

interface ColourOptions {
  readonly color?: "auto" | "always" | "never";
}

function withColour(command: Command): Command {
  return command.addOption(
    new Option("--color <when>", "colour the answer: auto is on terminals without NO_COLOR")
      .choices(["auto", "always", "never"])
      .default("auto"),
  );
}

function langOf({ lang }: SingleOptions): Pick<SingleOptions, "lang"> {
  return lang === undefined ? {} : { lang };
}

/** Whether an answer is coloured. Source: no-color.org. */
function mayColour({ color = "auto" }: ColourOptions): boolean {
  if (color !== "auto") return color === "always";
  return process.stdout.isTTY === true && (process.env["NO_COLOR"] ?? "") === "";
}

function inColour(text: string, colour: Colour, isOn: boolean): string {
  return isOn ? styleText(colour, text, { validateStream: false }) : text;
}
