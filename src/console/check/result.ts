import { inFours } from "../../banking/iban/normalise.ts";
import { accountOf } from "../../banking/reader/iban-forms.ts";
import type { AccountSuggestion, CheckEntry, IbanSuggestion } from "../../contract/api-types.ts";
import { checkMessages } from "../../contract/messages/check-messages.ts";
import { checkNames } from "../../contract/messages/check-names.ts";
import { type MessageTable, sentenceOf } from "../../contract/messages/message-table.ts";
import type { CheckResult } from "../../contract/status.ts";
import { isListOld, type VerdictWord, verdictOf, verdictWords } from "../../contract/verdict.ts";
import type { AskedNumber } from "../../rows/read-number.ts";
import { button, card, copyButton, element, factList, icon, iconButton } from "../element.ts";
import {
  dateOf,
  filled,
  language,
  momentOf,
  reasonText,
  schemeNames,
  sourceText,
  checkTexts as words,
} from "../words.ts";
import type { CheckAnswer, MadeCheck } from "./checks.ts";
import { paymentCode } from "./payment-code.ts";

export type Suggestion = IbanSuggestion | AccountSuggestion;

export function verdictOfAnswer({ status, data }: CheckAnswer): VerdictWord {
  return verdictOf(status === 1, data.reason);
}

export function verdictMark(verdict: VerdictWord, tag: "h2" | "span" = "h2"): HTMLElement {
  return element(tag, `verdict ${verdict}`, icon(verdict), verdictWords[verdict][language]);
}

/** Says which numbers can be entered, as long as none is. */
export function introduction(): HTMLElement {
  const example = (text: string, number: string) =>
    element("li", "", text, " ", element("span", "number", number));
  const examples = [
    example(words.introIban, "DE89 3704 0044 0532 0130 00"),
    example(words.introAccount, "532013000 37040044"),
    element("li", "", words.introText),
  ];
  const count = element("p", "hint", words.introCount);
  return card(words.introduction, element("ul", "introduction", ...examples), count);
}

/** Returns a number whose answer is awaited, or did not come. */
export function pending(request: AskedNumber): HTMLElement {
  return element("section", "card stack tight outcome", element("p", "characters", numberIn(request)));
}

export function numberIn(request: AskedNumber): string {
  if ("kontonummer" in request) return `${request.kontonummer} · ${request.bankleitzahl}`;
  return request.bic === undefined ? inFours(request.iban) : `${inFours(request.iban)} · ${request.bic}`;
}

/** Shows a check: the verdict beside its proof, where that was asked for. `take` is called with the suggestion that is chosen. */
export function resultView(made: MadeCheck, take: (suggestion: Suggestion) => void): HTMLElement {
  const { answer, at } = made;
  const { iban, bic, sepa_methods, checks } = answer.data;
  const verdict = verdictOfAnswer(answer);
  const message = element("p", "detail", explanationOf(answer));
  const parts = [verdictMark(verdict), message, characters(made)];
  const head = element("section", `card stack tight outcome ${verdict}`, ...parts);
  if (verdict !== "invalid") head.append(element("p", "hint", words.meaning));
  const isPayable = answer.status === 1 && iban !== null && sepa_methods?.["sct"] === 1;
  const left = element(
    "div",
    "stack",
    head,
    ...suggestionsOf(answer, take),
    facts(made),
    isPayable ? paymentCode({ iban, bic }) : "",
    iconButton("print", words.print, () => window.print(), words.print),
    element("p", "hint print-only", filled(words.checkedAt, { time: momentOf(at, "long") })),
  );
  return element("div", "result", left, checks === undefined ? "" : checkList(made));
}

/** The service's sentence; where a reservation is not in it, with that. */
function explanationOf(answer: CheckAnswer): string {
  const { reason, checks = [], messages = [] } = answer.data;
  const sentence = messageOf(answer);
  if (verdictOfAnswer(answer) !== "doubtful") return sentence;
  if (reason === "bic_mismatch") {
    const bic = checks.find(({ check, result }) => check === "bic" && result === "failed");
    return `${words.bicWrong} ${textOf(bic?.messages) ?? ""}`.trim();
  }
  const reservation = reasonText(reason);
  const isSaid = answer.status !== 1 || messages.some(({ id }) => id === reason);
  return isSaid || reservation === undefined ? sentence : `${sentence} ${reservation}.`;
}

/** The checked characters in fours, those that a failed check names being marked, and a BIC that does not match. */
function characters({ request, answer }: MadeCheck): HTMLElement {
  const failed = (answer.data.checks ?? []).filter(({ result }) => result === "failed");
  const wrong = failed.flatMap(({ position }) => position ?? []);
  const isWrong = (index: number) =>
    wrong.some(({ start, length }) => index >= start && index < start + length);
  // Account numbers are checked with all their ten digits.
  const text = "iban" in request ? request.iban : request.kontonummer.padStart(10, "0");
  const line = element("p", "characters", ...markedInFours(text, isWrong, ""));
  if ("kontonummer" in request) line.append(` · ${request.bankleitzahl}`);
  else if (request.bic !== undefined) {
    const isBicWrong = failed.some(({ check }) => check === "bic");
    line.append(" · ", isBicWrong ? element("mark", "", request.bic) : request.bic);
  }
  return line;
}

/** A number in groups of four, some of its characters marked. */
function markedInFours(
  number: string,
  isMarked: (index: number) => boolean,
  className: string,
): (string | HTMLElement)[] {
  return [...number].flatMap((character, index) => [
    index > 0 && index % 4 === 0 ? " " : "",
    isMarked(index) ? element("mark", className, character) : character,
  ]);
}

function facts({ request, answer, at }: MadeCheck): HTMLElement {
  const { iban, bic, kto, blz, bank, zip, location, country, sources } = answer.data;
  const source = sources?.name;
  const copying = (text: string, name: string) => copyButton(() => text, name);
  const copyable = (name: string, text: string | null) => [name, text, copying(text ?? "", name)] as const;
  // The right IBAN stays so beside a BIC that is another bank's.
  const number = iban !== null && verdictOfAnswer(answer) !== "invalid" ? iban : "";
  const printed = copyButton(() => inFours(number), words.iban, words.copyPrinted, words.spaced);
  const toBank = element("a", { href: `#banks/${country}/${blz}` }, words.openBank, icon("open"));
  const place = [bank, `${zip} ${location}`.trim(), country].filter(Boolean).join(", ");
  return factList([
    ["iban" in request ? words.iban : words.made, inFours(number), copying(number, words.iban), printed],
    [words.bank, bank === "" ? "" : place],
    [...copyable(words.bicName, bic), toBank],
    copyable(bankCodeName(request), blz),
    copyable(words.sortCode, number.startsWith("GB") ? number.slice(8, 14) : ""),
    copyable(words.account, String(kto) || accountOf(number)),
    [words.sepa, schemesOf(answer)],
    [words.source, sourceText(source) + (isListOld(source?.edition, at) ? `, ${words.old}` : "")],
  ]);
}

/** Names the bank code of the country: a Bankleitzahl in Germany and Austria. */
function bankCodeName(request: AskedNumber): string {
  const isOther = "iban" in request && !/^(?:DE|AT)/.test(request.iban);
  return isOther ? checkNames.bank_code[language] : words.blz;
}

function schemesOf({ data, status }: CheckAnswer): string | undefined {
  if (data.sepa_methods === undefined || status !== 1) return undefined;
  if (data.checks === undefined) return schemeNames(data.sepa_methods);
  const isKnown = data.checks.find(({ check }) => check === "sepa_methods")?.result === "passed";
  return `${schemeNames(data.sepa_methods)} (${isKnown ? words.sepaKnown : words.sepaAssumed})`;
}

function suggestionsOf({ data }: CheckAnswer, take: (suggestion: Suggestion) => void): HTMLElement[] {
  const { suggestions } = data;
  if (!suggestions?.length) return [];
  const items = suggestions.map((suggestion) => {
    const chosen = button("quiet", grouped(suggestion), () => take(suggestion));
    chosen.append(element("small", "", suggestion.bank));
    return element("li", "", chosen);
  });
  const title = element("h3", "", words.suggestions);
  const hint = element("p", "hint", words.confirm);
  return [element("section", "suggestions", title, element("ul", "", ...items), hint)];
}

/** The number in fours, what was changed being marked. */
function grouped(suggestion: Suggestion): HTMLElement {
  const number = "iban" in suggestion ? suggestion.iban : suggestion.kontonummer;
  const rest = "bankleitzahl" in suggestion ? ` · ${suggestion.bankleitzahl}` : "";
  const isChanged = (index: number) => suggestion.positions.includes(index);
  return element("span", "number", ...markedInFours(number, isChanged, "right"), rest);
}

/** The checks that failed come first. */
const order: readonly CheckResult[] = ["failed", "passed", "unknown", "not_applicable"];

function checkList({ request, answer }: MadeCheck): HTMLElement {
  const { checks = [] } = answer.data;
  const bankCode = bankCodeName(request);
  const sorted = checks.toSorted((one, other) => order.indexOf(one.result) - order.indexOf(other.result));
  const folded = element("details", "proof", element("summary", "", `${words.all} (${checks.length})`));
  folded.append(element("ul", "checks", ...sorted.map((check) => checkRow(check, bankCode))));
  folded.open = !matchMedia("(width < 60rem)").matches || sorted[0]?.result === "failed";
  return folded;
}

function checkRow(check: CheckEntry, bankCode: string): HTMLElement {
  const names: MessageTable = checkNames;
  const name = check.check === "bank_code" ? bankCode : (names[check.check]?.[language] ?? check.check);
  const result = element("strong", "", words.results[check.result]);
  const row = element("li", check.result, element("span", "name", name), result);
  if (check.expected !== undefined)
    row.append(element("span", "expected", `${words.expected} ${check.expected.join(", ")}`));
  const detail = textOf(check.messages) ?? check.detail;
  if (detail !== undefined) row.append(element("span", "detail", detail));
  return row;
}

/** Returns the service's sentence on the whole check, in the language of the page. */
export function messageOf({ data, message }: CheckAnswer): string {
  return textOf(data.messages) ?? message;
}

/** Sentences as one paragraph; undefined if one is not known here, since the service is newer than the page. */
function textOf(messages: CheckAnswer["data"]["messages"]): string | undefined {
  const sentences = messages?.map((said) => sentenceOf(checkMessages, said, language, dateOf));
  return sentences?.includes(undefined) === false ? sentences.join(" ") : undefined;
}
