import { type LayoutOptions, recogniseLayout } from "../../../src/rows/layout.ts";

export const iban = "DE89370400440532013000";

/** The layout of a whole file, with its columns to check as they are named. */
export const at = (content: string, column: readonly string[] = [], more: Partial<LayoutOptions> = {}) =>
  recogniseLayout(Buffer.from(content), true, { column, ...more });

/** What a layout says of a column of IBANs, and of two columns of account numbers and bank codes. */
export const ibanAt = (iban: number, prefix = "") => ({ kind: "iban", columns: [iban], prefix });
export const accountAt = (kontonummer: number, blz: number) => ({
  kind: "account",
  columns: [kontonummer, blz],
  prefix: "",
});
