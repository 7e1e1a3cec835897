import { columnsOfJson, fieldOf, isObject, parseExactly, pathOf, valueAt } from "../../rows/json-values.ts";
import { paymentReader } from "../../rows/payment-xml.ts";

export { numbersInText } from "./text-numbers.ts";

type Rows = readonly (readonly string[])[];

/** The accounts of a payment order or statement, a row for each; undefined for other XML. */
export function paymentRows(xml: string): Rows | undefined {
  const reader = paymentReader((sentence) => new Error(sentence));
  try {
    const rows = reader.read(xml);
    reader.close();
    return rows;
  } catch {
    return undefined;
  }
}

/** The rows of a JSON array, or of NDJSON, below the names of their columns: one for each value, also of objects within; undefined for other text. */
export function jsonRows(text: string): Rows | undefined {
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
  if (!items.some(isObject)) return [["iban"], ...items.map((item) => [fieldOf(item)])];
  const rows = items.map((item) => (isObject(item) ? item : {}));
  const { names, nested } = columnsOfJson(rows);
  const columns = [...names.filter((name) => !rows.some((row) => isObject(row[name]))), ...nested];
  return [columns, ...rows.map((row) => columns.map((column) => fieldOf(valueAt(row, pathOf(column)))))];
}
