import { inPlainCharacters, invisible, separators } from "../banking/iban/normalise.ts";
import { composedUkIban, ibanFormOf } from "../banking/reader/iban-forms.ts";
import { readIban } from "../banking/reader/one-iban.ts";
import type { TextNumbers } from "../banking/reader/read-text.ts";
import type { CheckedNumber } from "./columns.ts";

/** An account as the service is asked about it. */
export interface AskedAccount {
  readonly kontonummer: string;
  readonly bankleitzahl: string;
  /** Either number may be the bank code. */
  readonly inAnyOrder?: true;
}

/** A number to check: an IBAN, alone or with its BIC, or an account. */
export type AskedNumber = { readonly iban: string; readonly bic?: string } | AskedAccount;

/** The numbers of a text that can be checked, each once, in its order; an account that is also there as an IBAN is left out. */
export function askedNumbers({
  ibans,
  bics,
  accounts,
}: Pick<TextNumbers, "ibans" | "accounts"> & {
  readonly bics: readonly { readonly bic: string }[];
}): readonly { readonly start: number; readonly number: AskedNumber }[] {
  const bicOf = (country: string) => {
    const isOnly = ibans.filter(({ iban }) => iban.startsWith(country)).length <= 1;
    return isOnly ? bics.find(({ bic }) => bic.slice(4, 6) === country)?.bic : undefined;
  };
  const asked = new Map<string, { start: number; number: AskedNumber }>();
  for (const { iban, start } of ibans) {
    const bic = bicOf(iban.slice(0, 2));
    if (!asked.has(iban)) asked.set(iban, { start, number: bic === undefined ? { iban } : { iban, bic } });
  }
  for (const { country, account, bankCode, inAnyOrder, start } of accounts) {
    const key = bankCode + account.padStart(10, "0");
    const number = { kontonummer: account, bankleitzahl: bankCode, ...(inAnyOrder && { inAnyOrder }) };
    if (country === "DE" && !ibans.some(({ iban }) => iban.endsWith(key))) asked.set(key, { start, number });
    const bic = bicOf("GB");
    const isBritish = country === "GB" && !ibans.some(({ iban }) => iban.endsWith(bankCode + account));
    if (isBritish && bic !== undefined)
      asked.set(key, { start, number: { iban: composedUkIban(bic, bankCode, account), bic } });
  }
  return [...asked.values()].sort((one, other) => one.start - other.start);
}

export interface ReadNumber {
  readonly number: AskedNumber;
  /** How a field was read that is not written as it should be; otherwise empty. */
  readonly note: string;
}

/** A BIC that is longer is as wrong when it is cut. */
const maxBicLength = 64;

/** Reads the number that is checked of a row, whose fields `field` returns by their column. */
export function readNumber(checked: CheckedNumber, field: (column: number) => string): ReadNumber {
  const [first, second] = checked.columns;
  const other = second === undefined ? "" : field(second);
  if (checked.kind === "account") {
    const kontonummer = readDigits(field(first));
    const blz = readDigits(other);
    const number = { kontonummer: kontonummer.text, bankleitzahl: blz.text };
    return { number, note: kontonummer.note || blz.note };
  }
  const iban = readIbanField(field(first));
  const written = other.replace(/\s+/g, "").slice(0, maxBicLength);
  const bic = written === "" ? iban.bic : written.toUpperCase();
  const number = bic === undefined ? { iban: iban.text } : { iban: iban.text, bic };
  return { number, note: iban.note };
}

/** A field of which more was removed than spaces and lower case. */
const mended = (text: string) => ({ text, note: `read as ${text}` });

const maxLength = 100;
const plainIban = /^[A-Za-z0-9]*$/;
const ibanForm = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$/;

/** Reads an IBAN as people write it, like `lenient=1`. What does not become an IBAN by that stays as it is but for its spaces. */
function readIbanField(field: string): ReturnType<typeof mended> & { readonly bic?: string | undefined } {
  const spaceless = field.replace(/\s+/g, "");
  const isPlain = plainIban.test(spaceless);
  const isWhole = isPlain && ibanFormOf(spaceless.toUpperCase())?.length === spaceless.length;
  if (!isWhole && spaceless.length <= maxLength) {
    const { iban, bic } = readIban(field);
    const isOther = !isPlain || iban !== spaceless.toUpperCase();
    if (isOther && ibanForm.test(iban)) return { ...mended(iban), bic };
  }
  return { text: cut(spaceless, /[^A-Za-z0-9]/), note: "" };
}

/**
 * Reads an account number or bank code as people write it and as spreadsheets leave it: separators, an apostrophe,
 * full-width digits, `.0` after it.
 */
function readDigits(field: string) {
  const spaceless = field.replace(/\s+/g, "");
  if (/\D/.test(spaceless) && spaceless.length <= maxLength) {
    const plain = inPlainCharacters(spaceless).replace(invisible, "");
    const bare = plain.replace(/^(\d+)[.,]0+$/, "$1").replace(separators, "");
    if (/^\d+$/.test(bare) && !/^-/.test(plain)) return mended(bare);
  }
  return { text: cut(spaceless, /\D/), note: "" };
}

/** More white space together, or more of a text without it, is read like this much. */
const maxReadSpace = 170;

/** Returns a field of at most 20,000 characters from which `readNumber` reads the same. */
export function shortened(field: string): string {
  const spaceless = field.replace(/\s+/g, "");
  if (spaceless.length <= maxLength) {
    return field.replace(new RegExp(`\\s{${maxReadSpace},}`, "g"), " ".repeat(maxReadSpace));
  }
  const forbidden = [/\D/, /[^A-Za-z0-9]/].map((pattern) => pattern.exec(spaceless)?.[0] ?? "");
  return spaceless.slice(0, maxLength + 1) + forbidden.join("");
}

/**
 * Cuts what is far too long, so that one request can carry any 500 fields. The verdict stays the same: too long, or
 * malformed where a character that none may have follows the cut.
 */
function cut(text: string, forbidden: RegExp): string {
  if (text.length <= maxLength) return text;
  return text.slice(0, maxLength) + (forbidden.exec(text)?.[0] ?? "");
}
