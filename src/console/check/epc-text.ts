import type { Language } from "../../contract/language.ts";

/** Whom a payment goes to. */
export interface Payee {
  readonly iban: string;
  readonly bic: string | null;
}

/** Bounds of what a code holds, in characters, in euros and in bytes. Source: EPC069-12, version 3.1, sections 2 and 3. */
export const epcBounds = { name: 70, reference: 140, amount: 999_999_999.99, bytes: 331 } as const;

/**
 * Returns an amount in euros as it is written in English or German; undefined for anything else, and out of bounds.
 *
 * A thousand in one language may be a wrong decimal in the other, as in `1.234`: it is read in the language of the page.
 */
export function amountOf(text: string, language: Language): number | undefined {
  const bare = text.replace(/[\s€']|EUR/gi, "");
  const decimal = language === "de" ? "," : ".";
  if (/^\d+[.,]\d{3}$/.test(bare) && bare.includes(decimal)) return undefined;
  const isGerman = /^\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?$/.test(bare);
  const isEnglish = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/.test(bare);
  const plain = isGerman ? bare.replaceAll(".", "") : isEnglish ? bare.replaceAll(",", "") : bare;
  if (!/^\d+(?:[.,]\d{1,2})?$/.test(plain)) return undefined;
  const amount = Number(plain.replace(",", "."));
  return amount >= 0.01 && amount <= epcBounds.amount ? amount : undefined;
}

/**
 * Returns the text of an EPC QR code, version 002.
 *
 * Source: EPC069-12, "Quick Response Code: Guidelines to Enable Data Capture for the Initiation of a SCT".
 */
export function epcText(
  { iban, bic }: Payee,
  name: string,
  amount: number | undefined,
  reference: string,
): string {
  const lines = ["BCD", "002", "1", "SCT", bic ?? "", name.trim().slice(0, epcBounds.name), iban];
  lines.push(amount === undefined ? "" : `EUR${amount.toFixed(2)}`, "", "");
  return [...lines, reference.trim().slice(0, epcBounds.reference)].join("\n").trimEnd();
}
