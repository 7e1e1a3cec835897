import { type Command, Option } from "commander";
import type {
  AccountCheckAnswer,
  AccountSuggestion,
  BankSearchAnswer,
  CheckEntry,
  IbanCheckAnswer,
  IbanSuggestion,
  SepaMethods,
} from "../../client/api-types.ts";
import { columns } from "../program.ts";

const marks: Readonly<Record<CheckEntry["result"], readonly [mark: string, colour: Colour]>> = {
  passed: ["✓", "green"],
  failed: ["✗", "red"],
  not_applicable: ["·", "dim"],
  unknown: ["?", "yellow"],
};

/** Writes the answer to a check for people: the result, the bank, every check that was made, and what was meant. */
export function readableCheck(
  { status, message, data }: IbanCheckAnswer | AccountCheckAnswer,
  isColoured: boolean,
): string {
  const { iban, bic, kto, blz, bank, zip, location, country, sepa_methods: sepa, checks = [] } = data;
  const place = [`${zip} ${location}`.trim(), country].filter((text) => text !== "").join(", ");
  const failed = checks.find(({ result }) => result === "failed");
  const facts = [
    ["IBAN", iban === null ? "" : inFours(iban)],
    ["", iban === null ? "" : caret(iban, failed?.position)],
    ["kontonummer", kto],
    ["BLZ", blz],
    ["BIC", bic ?? ""],
    [bank === "" ? "country" : "bank", [bank, place].filter((text) => text !== "").join(", ")],
    ["SEPA", sepa === undefined ? "" : schemes(sepa)],
  ].flatMap(([name = "", value = ""]) => (value === "" ? [] : [`  ${name.padEnd(12)}${value}`]));
  const made = checks.map((check) => {
    const [mark, colour] = marks[check.result];
    return `  ${inColour(mark, colour, isColoured)} ${checkText(check)}`;
  });
  const head = inColour(message, status === 1 ? "green" : "red", isColoured);
  const meant = (data.suggestions ?? []).map(suggestionText);
  const parts = [[head], facts, made, meant.length === 0 ? [] : ["Did you mean:", ...meant]];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function inFours(iban: string): string {
  return (iban.match(/.{1,4}/g) ?? []).join(" ");
}

/** Marks below an IBAN in fours where it is wrong; empty where that is not known. */
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
  return taken.length === 0 ? "none" : taken.map(([name]) => name.toUpperCase()).join(", ");
}

function checkText({ check, detail, expected = [] }: CheckEntry): string {
  const found = [check.replaceAll("_", " "), detail?.replace(/\.$/, "")].filter((text) => text !== undefined);
  return `${found.join(": ")}${expected.length === 0 ? "" : `; expected ${expected.join(" or ")}`}`;
}

/** Writes the banks that were found for people. */
export function readableBanks({ message, results }: BankSearchAnswer): string {
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

/** When answers are coloured. */
export interface ColourOptions {
  readonly color?: "auto" | "always" | "never";
}

/** Adds the option that says when answers are coloured. */
export function withColour(command: Command): Command {
  return command.addOption(
    new Option("--color <when>", "colour the answer: auto is on terminals without NO_COLOR")
      .choices(["auto", "always", "never"])
      .default("auto"),
  );
}

/** Whether an answer is coloured. Source: no-color.org. */
export function isColoured({ color = "auto" }: ColourOptions): boolean {
  if (color !== "auto") return color === "always";
  return process.stdout.isTTY === true && (process.env["NO_COLOR"] ?? "") === "";
}

/** Colours of results, and of nothing in particular. */
export type Colour = "green" | "red" | "yellow" | "dim";

const codes: Readonly<Record<Colour, number>> = { green: 32, red: 31, yellow: 33, dim: 2 };

/** Writes text in a colour on a terminal. */
export function inColour(text: string, colour: Colour, isOn: boolean): string {
  return isOn ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
}
