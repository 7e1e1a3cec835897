import type { CheckEntry, CheckResult } from "../../contract/check-entry.ts";
import { type Message, textOf } from "../../contract/message.ts";
import { element } from "../element.ts";
import type { Language } from "../words.ts";
import type { CheckAnswer } from "./answer.ts";
import { checkNames, checkTexts, results } from "./words.ts";

/** The checked characters in fours, those that a failed check names being marked. */
function markedCharacters(text: string, checks: readonly CheckEntry[]): HTMLElement {
  const wrong = checks.filter(({ result, position }) => result === "failed" && position !== undefined);
  const line = element("p", "characters");
  [...text].forEach((character, index) => {
    if (index > 0 && index % 4 === 0) line.append(" ");
    const isWrong = wrong.some(
      ({ position }) => index >= position!.start && index < position!.start + position!.length,
    );
    line.append(isWrong ? element("mark", "", character) : character);
  });
  return line;
}

function checkRow(check: CheckEntry, language: Language): HTMLElement {
  const name = checkNames[language][check.check] ?? check.check;
  const row = element(
    "li",
    check.result,
    element("span", "name", name),
    element("strong", "", results[language][check.result]),
  );
  if (check.expected !== undefined) {
    row.append(element("span", "expected", `${checkTexts[language].right} ${check.expected.join(", ")}`));
  }
  if (check.messages !== undefined) {
    row.append(element("span", "detail", textOf(check.messages, language)));
  }
  return row;
}

function bankCard({ data }: CheckAnswer, language: Language): HTMLElement {
  const { none, sepa } = checkTexts[language];
  const schemes = Object.entries(data.sepa_methods ?? {}).filter(([, offered]) => offered === 1);
  const card = element("section", "bank", element("h2", "", data.bank));
  card.append(
    element("p", "", `BIC ${data.bic ?? none}`),
    element("p", "", `${data.zip} ${data.location}`.trim() || none),
  );
  if (data.sepa_methods !== undefined) {
    card.append(
      element("p", "", `${sepa} ${schemes.map(([name]) => name.toUpperCase()).join(", ") || none}`),
    );
  }
  return card;
}

/** What is said beside the verdict: of a valid answer only what goes beyond its first sentence, which says so. */
function messageOf({ status, data }: CheckAnswer, language: Language): HTMLElement {
  const messages: readonly Message[] = status === 1 ? data.messages.slice(1) : data.messages;
  return element("p", "detail", textOf(messages, language));
}

const weights: Readonly<Record<CheckResult, number>> = {
  failed: 0,
  passed: 1,
  unknown: 2,
  not_applicable: 3,
};

/** Shows the answer for `text`: the verdict, the characters, the bank where it is known, and every single check. */
export function showVerdict(into: HTMLElement, text: string, answer: CheckAnswer, language: Language): void {
  const { checks, bank } = answer.data;
  const hasFailed = checks.some(({ result }) => result === "failed");
  const verdict = answer.status === 1 ? "valid" : hasFailed ? "invalid" : "undecided";
  const sorted = checks.toSorted((one, other) => weights[one.result] - weights[other.result]);
  into.replaceChildren(
    element(
      "section",
      `told ${verdict}`,
      element("h2", verdict, checkTexts[language][verdict]),
      messageOf(answer, language),
      // Account numbers are looked at with all their ten digits.
      markedCharacters(/^\d+$/.test(text) ? text.padStart(10, "0") : text, checks),
    ),
    ...(bank === "" ? [] : [bankCard(answer, language)]),
    element("ul", "checks", ...sorted.map((check) => checkRow(check, language))),
  );
}
