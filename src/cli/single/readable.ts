import { styleText } from "node:util";
import { type Command, Option } from "commander";
import { inFours } from "../../banking/iban/normalise.ts";
import type {
  AccountCheckAnswer,
  AccountSuggestion,
  BankSearchAnswer,
  CheckEntry,
  ComposedIbanAnswer,
  IbanCheckAnswer,
  IbanSuggestion,
  SepaMethods,
} from "../../contract/api-types.ts";
import { type Language, languages } from "../../contract/language.ts";
import { answerLabels, checkNames } from "../../contract/messages/check-names.ts";
import type { MessageTable } from "../../contract/messages/message-table.ts";
import { columns } from "../program.ts";

type Colour = "green" | "red" | "yellow" | "dim";

const marks: Readonly<Record<CheckEntry["result"], readonly [mark: string, colour: Colour]>> = {
  passed: ["✓", "green"],
  failed: ["✗", "red"],
  not_applicable: ["·", "dim"],
  unknown: ["?", "yellow"],
};

/** Writes the answer to a check for people: the result, the bank, every check that was made, and what was meant. */
export function readableCheck(
  { status, message, data }: IbanCheckAnswer | AccountCheckAnswer,
  options: ReadableOptions,
): string {
  const language = options.lang ?? languages[0];
  const { iban, bic, kto, blz, bank, zip, location, country, sepa_methods: sepa, checks = [] } = data;
  const place = [`${zip} ${location}`.trim(), country].filter(Boolean).join(", ");
  // Places are those of the account number, which a generated IBAN need not have.
  const isAccount = checks.some(({ check }) => check === "iban_rule");
  const failed = checks.find(({ result }) => result === "failed");
  const facts = [
    ["IBAN", iban === null ? "" : inFours(iban)],
    ["", iban === null || isAccount ? "" : caret(iban, failed?.position)],
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
    return `  ${inColour(mark, colour, options)} ${checkText(check, language)}`;
  });
  const head = inColour(message, status === 1 ? "green" : "red", options);
  const meant = (data.suggestions ?? []).map(suggestionText);
  if (meant.length > 0) meant.unshift(answerLabels.meant[language]);
  const parts = [[head], facts, made, meant].filter((lines) => lines.length > 0);
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
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
  const name = names[check]?.[language] ?? check;
  const found = detail === undefined ? name : `${name}: ${detail.replace(/\.$/, "")}`;
  const right = new Intl.ListFormat(language, { type: "disjunction" }).format(expected);
  return right === "" ? found : `${found}; ${answerLabels.expected[language]} ${right}`;
}

export function readableBanks(
  { message, results }: BankSearchAnswer,
  { lang = languages[0] }: ReadableOptions,
): string {
  const { count, total, items } = results;
  if (count === 0) return `${message}\n`;
  const rows = items.map(({ blz, bic, bank, zip, location }) => [
    blz,
    bic ?? "",
    bank,
    `${zip} ${location}`.trim(),
  ]);
  const { bank, place, more } = answerLabels;
  const rest = total > count ? `\n${total - count} ${more[lang]}\n` : "";
  return `${columns(["BLZ", "BIC", bank[lang], place[lang]], rows)}${rest}`;
}

/** Returns a composed IBAN alone, and says on standard error what speaks against it. */
export function readableIban({ status, message, data }: ComposedIbanAnswer): string {
  const { iban, checks, not_checked: missing } = data;
  const isDoubtful = status !== 1 || checks.some(({ result }) => result === "failed");
  if (isDoubtful) process.stderr.write(`${message}\n`);
  if (status === 1 && missing.length > 0) process.stderr.write(`Not checked: ${missing.join(", ")}.\n`);
  return iban === null ? "" : `${iban}\n`;
}

export interface ReadableOptions {
  readonly color?: "auto" | "always" | "never";
  readonly lang?: Language;
}

export function withColour(command: Command): Command {
  return command.addOption(
    new Option("--color <when>", "colour the answer: auto is on terminals without NO_COLOR")
      .choices(["auto", "always", "never"])
      .default("auto"),
  );
}

/** `auto` leaves it to Node, which knows the terminal, `NO_COLOR` and `FORCE_COLOR`. */
function inColour(text: string, colour: Colour, { color = "auto" }: ReadableOptions): string {
  return color === "never" ? text : styleText(colour, text, { validateStream: color === "auto" });
}
