import { readText } from "../../banking/reader/read-text.ts";
import { askedNumbers } from "../../rows/read-number.ts";
import type { FilledRows } from "./columns.ts";
import { rest } from "./slices.ts";

/** Read in some milliseconds; a number is not cut where it is within a line. */
const sliceLength = 8_192;
/** A longer text is a table, or takes the reader seconds. */
const maxLength = 4_194_304;

/** The numbers in a text that is not a table, such as a mail, a chat or MT940: each once, with its line, IBANs and accounts apart. */
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
    await rest();
  }
  return [ibans, accounts].filter(({ rows }) => rows.length > 1);
}
