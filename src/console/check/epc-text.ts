/** Whom a payment goes to. */
export interface Payee {
  readonly iban: string;
  readonly bic: string | null;
}

export const maxName = 70;
export const maxReference = 140;
/** Bounds of an amount. Source: EPC069-12, version 3.1, section 3. */
const maxAmount = 999_999_999.99;

/**
 * The text of an EPC QR code, version 002; undefined where the amount is out of bounds.
 *
 * Source: EPC069-12, "Quick Response Code: Guidelines to Enable Data Capture for the Initiation of a SCT".
 */
export function epcText(
  { iban, bic }: Payee,
  name: string,
  amount: string,
  reference: string,
): string | undefined {
  const value = amount.trim() === "" ? undefined : Number(amount.trim().replace(",", "."));
  if (value !== undefined && !(value >= 0.01 && value <= maxAmount)) return undefined;
  const lines = ["BCD", "002", "1", "SCT", bic ?? "", name.trim().slice(0, maxName), iban];
  lines.push(
    value === undefined ? "" : `EUR${value.toFixed(2)}`,
    "",
    "",
    reference.trim().slice(0, maxReference),
  );
  return lines.join("\n").trimEnd();
}
