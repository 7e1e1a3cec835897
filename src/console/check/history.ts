import { element, save } from "../element.ts";
import type { Language } from "../words.ts";
import { inFours } from "./recognise.ts";
import type { MadeCheck } from "./request.ts";
import { messageOf, verdictMark, verdictOf } from "./result.ts";
import { checkTexts } from "./words.ts";

/** The checks of this page, to be opened again or saved; `open` is called with the one chosen. */
export function historyOf(
  checks: readonly MadeCheck[],
  language: Language,
  open: (check: MadeCheck) => void,
): HTMLElement[] {
  if (checks.length === 0) return [];
  const words = checkTexts[language];
  const list = element(
    "ul",
    "",
    ...checks.map((check) => {
      const button = element(
        "button",
        "quiet",
        element("span", "number", numberOf(check)),
        verdictMark(verdictOf(check.answer), language, "span"),
        element("small", "", check.answer.data.bank),
      ) as HTMLButtonElement;
      button.type = "button";
      button.addEventListener("click", () => open(check));
      return element("li", "", button);
    }),
  );
  const download = element("button", "quiet", words.exportHistory) as HTMLButtonElement;
  download.type = "button";
  download.addEventListener("click", () => save(csvOf(checks, language), "bankcheck-session.csv"));
  return [element("h2", "", words.history), element("p", "hint", words.historyHint), list, download];
}

function numberOf({ request }: MadeCheck): string {
  return "iban" in request ? inFours(request.iban) : `${request.kontonummer} · ${request.blz}`;
}

const columns = [
  "time",
  "number",
  "bic_given",
  "status",
  "message",
  "iban",
  "bic",
  "blz",
  "bank",
  "zip",
  "location",
  "country",
];

function csvOf(checks: readonly MadeCheck[], language: Language): Blob {
  const quoted = (value: unknown) => `"${String(value ?? "").replaceAll('"', '""')}"`;
  const rows = checks.map((check) => {
    const { request, answer, at } = check;
    const { iban, bic, blz, bank, zip, location, country } = answer.data;
    const given = "iban" in request ? (request.bic ?? "") : "";
    const number = "iban" in request ? request.iban : `${request.kontonummer} ${request.blz}`;
    const message = messageOf(answer, language);
    return [
      new Date(at).toISOString(),
      number,
      given,
      answer.status,
      message,
      iban,
      bic,
      blz,
      bank,
      zip,
      location,
      country,
    ];
  });
  const text = [columns, ...rows].map((row) => row.map(quoted).join(",")).join("\r\n");
  return new Blob(["\uFEFF", text, "\r\n"], { type: "text/csv;charset=utf-8" });
}
