import { withLongNumbersAsText } from "../../rows/long-numbers.ts";

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
