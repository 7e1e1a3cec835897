import { readText } from "../../banking/reader/read-text.ts";
import { withLongNumbersAsText } from "../../rows/long-numbers.ts";
import { askedNumbers } from "../check/recognise.ts";
import type { FilledRows } from "./columns.ts";
import { nextTask } from "./slices.ts";

type Rows = readonly (readonly string[])[];

const payments = /^urn:iso:std:iso:20022:tech:xsd:(pain\.00[18]|camt\.05[234])\./;
const roles: Readonly<Record<string, string>> = { Dbtr: "debtor", Cdtr: "creditor", Acct: "account" };

/**
 * The accounts of payment orders and statements as `bankcheck check` reads them, a row for each IBAN; undefined for other
 * XML. Source: ISO 20022, messages pain.001, pain.008, camt.052 to 054.
 */
export function paymentRows(xml: string): Rows | undefined {
  const { doctype, documentElement } = new DOMParser().parseFromString(xml, "text/xml");
  if (doctype !== null || !payments.test(documentElement.namespaceURI ?? "")) return undefined;
  const text = (within: Element | null | undefined, ...paths: string[]) =>
    paths.map((path) => within?.querySelector(`:scope > ${path}`)?.textContent?.trim()).find(Boolean) ?? "";
  const rows = [...documentElement.querySelectorAll("IBAN")].flatMap((iban) => {
    const account = iban.parentElement?.parentElement;
    const scope = account?.parentElement;
    const party = account?.localName.slice(0, 4) ?? "";
    if (!account || !scope || roles[party] === undefined) return [];
    const agents = scope.localName === "RltdPties" ? scope.parentElement : scope;
    const agent = `${party}Agt > FinInstnId >`;
    const owner =
      party === "Acct" ? text(account, "Ownr > Nm") : text(scope, `${party} > Nm`, `${party} > Pty > Nm`);
    const bic =
      party === "Acct"
        ? text(account, "Svcr > FinInstnId > BICFI", "Svcr > FinInstnId > BIC")
        : text(agents, ...["", "RltdAgts > "].flatMap((at) => [`${at}${agent} BICFI`, `${at}${agent} BIC`]));
    const payment = scope.closest("CdtTrfTxInf, DrctDbtTxInf, TxDtls, PmtInf");
    const reference = text(payment, "PmtId > EndToEndId", "Refs > EndToEndId", "PmtInfId");
    return [[roles[party]!, owner, iban.textContent?.trim() ?? "", bic, reference]];
  });
  return [["role", "name", "iban", "bic", "reference"], ...rows];
}

/** The rows of a JSON array, or of NDJSON, with a column for each value, also of objects within; undefined for other text. */
export function jsonRows(text: string): Rows | undefined {
  const exact = withLongNumbersAsText(text);
  const parse = (line: string): unknown => JSON.parse(line);
  let items: unknown[];
  try {
    items = /^\s*\[/.test(text)
      ? (parse(exact) as unknown[])
      : exact
          .split("\n")
          .filter((line) => line.trim())
          .map(parse);
  } catch {
    return undefined;
  }
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!items.some(isObject)) return items.map((item) => [fieldOf(item)]);
  const fields = (value: unknown, path: string): [string, string][] =>
    isObject(value)
      ? Object.entries(value as object).flatMap(([name, inner]) =>
          fields(inner, path === "" ? name : `${path}.${name}`),
        )
      : [[path, fieldOf(value)]];
  const rows = items.map((item) => new Map(fields(item, "")));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return [names, ...rows.map((row) => names.map((name) => row.get(name) ?? ""))];
}

function fieldOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Read in some milliseconds; a number is not cut where it is within a line. */
const sliceLength = 32_768;
/** A longer text is a table, or takes the reader seconds. */
const maxLength = 4_194_304;

/** The numbers in a text that is no table, as a mail, a chat or MT940: each once, with its line, IBANs and accounts apart. */
export async function numbersInText(text: string): Promise<readonly FilledRows[]> {
  if (text.length > maxLength) return [];
  const known = new Set<string>();
  const ibans = { name: "IBAN", rows: [["IBAN", "BIC", "Text"]], rowNumbers: [0] };
  const accounts = { name: "Konto", rows: [["Kontonummer", "Bankleitzahl", "Text"]], rowNumbers: [0] };
  let before = 1;
  for (let begin = 0, end = 0; begin < text.length; begin = end) {
    end = Math.min(text.length, begin + sliceLength);
    const lineEnd = text.lastIndexOf("\n", end) + 1;
    if (end < text.length && lineEnd > begin) end = lineEnd;
    const part = text.slice(begin, end);
    for (const { number, start } of askedNumbers(readText(part))) {
      const [one, other] =
        "iban" in number ? [number.iban, number.bic ?? ""] : [number.kontonummer, number.bankleitzahl];
      const key = `${one} ${other}`;
      if (known.has(key)) continue;
      known.add(key);
      const lineStart = part.lastIndexOf("\n", start - 1) + 1;
      const line = /^.{0,200}/.exec(part.slice(lineStart))![0].trim();
      const { rows, rowNumbers } = "iban" in number ? ibans : accounts;
      rows.push([one!, other!, line]);
      rowNumbers.push(before + part.slice(0, start).split("\n").length - 1);
    }
    before += part.split("\n").length - 1;
    await nextTask();
  }
  return [ibans, accounts].filter(({ rows }) => rows.length > 1);
}
