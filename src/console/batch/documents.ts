import { readText } from "../../banking/reader/read-text.ts";
import { columnsOfJson, fieldOf, isObject, parseExactly, pathOf, valueAt } from "../../rows/json-values.ts";
import { paymentReader } from "../../rows/payment-xml.ts";
import { askedNumbers } from "../../rows/read-number.ts";
import type { FilledRows } from "./columns.ts";
import { rest } from "./slices.ts";

function headed(rows: FilledRows["rows"]): FilledRows {
  return { name: "", rows, rowNumbers: [...rows.keys()], isHeaded: true };
}

/** The accounts of a payment order or statement, a row for each; undefined for other XML. */
export function paymentRows(xml: string): FilledRows | undefined {
  const reader = paymentReader((sentence) => new Error(sentence));
  try {
    const rows = reader.read(xml);
    reader.close();
    return headed(rows);
  } catch {
    return undefined;
  }
}

/** The rows of a JSON array, or of NDJSON, below the names of their columns: one for each value, also of objects within; undefined for other text. */
export function jsonRows(text: string): FilledRows | undefined {
  let items: unknown[];
  try {
    items = /^\s*\[/.test(text)
      ? (parseExactly(text) as unknown[])
      : text
          .split("\n")
          .filter((line) => line.trim())
          .map(parseExactly);
  } catch {
    return undefined;
  }
  if (!items.some(isObject)) return headed([["iban"], ...items.map((item) => [fieldOf(item)])]);
  const rows = items.map((item) => (isObject(item) ? item : {}));
  const { names, nested } = columnsOfJson(rows);
  const columns = [...names.filter((name) => !rows.some((row) => isObject(row[name]))), ...nested];
  return headed([columns, ...rows.map((row) => columns.map((name) => fieldOf(valueAt(row, pathOf(name)))))]);
}

/** Read in some milliseconds, and with it the rest of a number that begins there. */
const sliceLength = 8_192;
const maxNumberLength = 256;
/** A longer text is a table, or takes the reader seconds. */
const maxLength = 4_194_304;

/** The numbers in a text that is not a table, such as a mail, a chat or MT940: each once, with its line, IBANs and accounts apart. */
export async function numbersInText(text: string): Promise<readonly FilledRows[]> {
  if (text.length > maxLength) return [];
  const known = new Set<string>();
  const sheet = (name: string, names: string[]) => ({ name, isHeaded: true, rows: [names], rowNumbers: [0] });
  const ibanSheet = sheet("IBAN", ["IBAN", "BIC", "Text"]);
  const accountSheet = sheet("Konto", ["Kontonummer", "Bankleitzahl", "Text"]);
  let before = 1;
  for (let begin = 0, end = 0; begin < text.length; begin = end) {
    end = Math.min(text.length, begin + sliceLength);
    const lineEnd = text.lastIndexOf("\n", end) + 1;
    if (end < text.length && lineEnd > begin) end = lineEnd;
    const part = text.slice(begin, end + maxNumberLength);
    const read = readText(part);
    const length = end - begin;
    const ibans = read.ibans.filter(({ start }) => start < length);
    const accounts = read.accounts.filter(({ start }) => start < length);
    end = Math.max(end, ...[...ibans, ...accounts].map((found) => begin + found.end));
    for (const { number, start } of askedNumbers({ ...read, ibans, accounts })) {
      const [one, other] =
        "iban" in number ? [number.iban, number.bic ?? ""] : [number.kontonummer, number.bankleitzahl];
      const key = `${one} ${other}`;
      if (known.has(key)) continue;
      known.add(key);
      const lineStart = part.lastIndexOf("\n", start - 1) + 1;
      const line = /^.{0,200}/.exec(part.slice(lineStart))![0].trim();
      const { rows, rowNumbers } = "iban" in number ? ibanSheet : accountSheet;
      rows.push([one!, other!, line]);
      rowNumbers.push(before + part.slice(0, start).split("\n").length - 1);
    }
    before += text.slice(begin, end).split("\n").length - 1;
    await rest();
  }
  return [ibanSheet, accountSheet].filter(({ rows }) => rows.length > 1);
}
