import type { AskedNumber } from "../../rows/read-number.ts";
import { button, element } from "../element.ts";
import { csvDelimiters, csvFile, csvLines, save } from "../save.ts";
import { batchTexts, language, reasonText, checkTexts as words } from "../words.ts";
import type { MadeCheck } from "./checks.ts";
import { messageOf, numberIn, verdictMark, verdictOfAnswer } from "./result.ts";

/** Lists numbers with their verdicts and why, if they have been checked; `open` is called with the one chosen. */
export function listed(
  checks: readonly (Pick<MadeCheck, "request"> & Partial<MadeCheck>)[],
  open: (request: AskedNumber) => void,
): HTMLElement {
  const items = checks.map(({ request, answer }) => {
    const { bank, reason } = answer?.data ?? {};
    const why = answer === undefined ? batchTexts.unchecked : reasonText(reason);
    const chosen = button("quiet", element("span", "number", numberIn(request)), () => open(request));
    if (answer !== undefined) chosen.append(verdictMark(verdictOfAnswer(answer), "span"));
    chosen.append(element("small", "", [why, bank].filter(Boolean).join(" · ")));
    return element("li", "", chosen);
  });
  return element("ul", "", ...items);
}

/** How many checks are shown; the download has all. */
const maxShown = 100;

/** Returns the checks of this session, to be opened again or saved; `open` is called with the one chosen. */
export function historyOf(checks: readonly MadeCheck[], open: (request: AskedNumber) => void): HTMLElement[] {
  if (checks.length === 0) return [];
  const download = button("quiet", words.saveCsv, () => save(csvOf(checks), "bankcheck-session.csv"));
  return [
    element("h2", "", words.history),
    element("p", "hint", words.historyHint),
    listed(checks.slice(0, maxShown), open),
    download,
  ];
}

const columns = ["time", "number", "bic_given", "status", "message"] as const;
const dataColumns = ["iban", "bic", "blz", "bank", "zip", "location", "country"] as const;

function csvOf(checks: readonly MadeCheck[]): Blob {
  const rows = checks.map(({ request, answer, at }) => [
    new Date(at).toISOString(),
    "iban" in request ? request.iban : `${request.kontonummer} ${request.bankleitzahl}`,
    "iban" in request ? (request.bic ?? "") : "",
    answer.status,
    messageOf(answer),
    ...dataColumns.map((name) => answer.data[name]),
  ]);
  return csvFile([csvLines([[...columns, ...dataColumns], ...rows], csvDelimiters[language])]);
}
