import { inFours } from "../../banking/iban/normalise.ts";
import type { Language } from "../../contract/check-messages.ts";
import { button, element } from "../element.ts";
import { csvFile, csvLines, save } from "../save.ts";
import type { Session } from "../session.ts";
import { checkTexts } from "../words.ts";
import type { MadeCheck } from "./checks.ts";
import { messageOf, numberIn, type VerdictWord, verdictMark, verdictOf } from "./result.ts";

/** A number in a list, which can be chosen. */
interface ListedNumber {
  readonly number: string;
  readonly verdict: VerdictWord;
  readonly bank: string;
  choose(): void;
}

function numberList(numbers: readonly ListedNumber[], language: Language): HTMLElement {
  const items = numbers.map(({ number, verdict, bank, choose }) => {
    const chosen = button("quiet", element("span", "number", number), choose);
    chosen.append(verdictMark(verdict, language, "span"), element("small", "", bank));
    return element("li", "", chosen);
  });
  return element("ul", "", ...items);
}

/**
 * Has the service look for IBANs in a text and lists them; undefined where there are none. `take` is called with the one
 * chosen, and with the BIC of its country that the text names.
 */
export async function findInText(
  text: string,
  session: Session,
  take: (iban: string, bic: string | undefined) => void,
): Promise<HTMLElement | undefined> {
  const { data } = await session.ask(({ client }) => client.extract(text));
  if (data.ibans.length === 0) return undefined;
  const numbers = data.ibans.map(({ iban, valid, bank }): ListedNumber => {
    const bic = data.bics.find((found) => found.bic.slice(4, 6) === iban.slice(0, 2))?.bic;
    const verdict = valid ? "valid" : "invalid";
    return { number: inFours(iban), verdict, bank, choose: () => take(iban, bic) };
  });
  const title = element("h2", "", checkTexts[session.language].found);
  return element("section", "card suggestions", title, numberList(numbers, session.language));
}

/** Returns the checks of this page, to be opened again or saved; `open` is called with the one chosen. */
export function historyOf(
  checks: readonly MadeCheck[],
  language: Language,
  open: (check: MadeCheck) => void,
): HTMLElement[] {
  if (checks.length === 0) return [];
  const words = checkTexts[language];
  const numbers = checks.map((check): ListedNumber => {
    const { request, answer } = check;
    return {
      number: numberIn(request),
      verdict: verdictOf(answer),
      bank: answer.data.bank,
      choose: () => open(check),
    };
  });
  const download = button("quiet", words.saveCsv, () =>
    save(csvOf(checks, language), "bankcheck-session.csv"),
  );
  return [
    element("h2", "", words.history),
    element("p", "hint", words.historyHint),
    numberList(numbers, language),
    download,
  ];
}

const columns = ["time", "number", "bic_given", "status", "message"] as const;
const dataColumns = ["iban", "bic", "blz", "bank", "zip", "location", "country"] as const;

function csvOf(checks: readonly MadeCheck[], language: Language): Blob {
  const rows = checks.map(({ request, answer, at }) => [
    new Date(at).toISOString(),
    "iban" in request ? request.iban : `${request.kontonummer} ${request.bankleitzahl}`,
    "iban" in request ? (request.bic ?? "") : "",
    answer.status,
    messageOf(answer, language),
    ...dataColumns.map((name) => answer.data[name]),
  ]);
  // Excel separates columns as the country does.
  const delimiter = language === "de" ? ";" : ",";
  return csvFile([csvLines([[...columns, ...dataColumns], ...rows], delimiter)]);
}
