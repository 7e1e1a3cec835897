import { isBic } from "../bic.ts";
import { isCardNumber } from "./accounts.ts";

/** What a text may be that was given as an IBAN and is not one. */
export const textKinds = [
  "bic",
  "account",
  "card",
  "creditor_identifier",
  "creditor_reference",
  "prose",
] as const;

export type TextKind = (typeof textKinds)[number];

/**
 * Says what a text is instead of an IBAN; undefined if that is not known.
 *
 * Source: ISO 9362; ISO/IEC 7812-1; EPC262-08 (creditor identifiers); ISO 11649 (creditor references).
 *
 * @example kindOfText("COBADEFFXXX") // → "bic"
 */
export function kindOfText(text: string): TextKind | undefined {
  const compact = text.replace(/[\s./-]/g, "").toUpperCase();
  if (isBic(compact)) return "bic";
  if (/^[A-Z]{2}\d\dZZZ[A-Z\d]{1,28}$/.test(compact)) return "creditor_identifier";
  if (/^RF\d\d[A-Z\d]{1,21}$/.test(compact)) return "creditor_reference";
  if (isCardNumber(compact)) return "card";
  if (/^\d{4,10}$/.test(compact)) return "account";
  return /\p{L}{3}/u.test(text) && !/[\p{N}?*]/u.test(text) ? "prose" : undefined;
}
