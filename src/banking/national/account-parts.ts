/** How an account number is written in parts with dashes between them, each of which may leave out its first zeros. */
interface PartForm {
  readonly written: RegExp;
  /** Digits of each part in a BBAN. */
  readonly widths: readonly number[];
  /** The bank codes that it is for; all of the country unless given. */
  readonly bank?: RegExp;
}

const prefixAndAccount: PartForm = { written: /^(\d{1,6})-(\d{1,10})$/, widths: [6, 10] };

/**
 * Sources: Czech National Bank, decree 169/2011, and National Bank of Slovakia, measure 8/2009: prefix and account; Central
 * Bank of Iceland: kind of account, account, identity number; Finance Finland: three digits, then the others, whose zeros
 * follow the first of them at banks 4 and 5; PostFinance: office, number, check digit.
 */
const forms: Readonly<Record<string, readonly PartForm[]>> = {
  CZ: [prefixAndAccount],
  SK: [prefixAndAccount],
  IS: [{ written: /^(\d{1,2})-(\d{1,6})-(\d{6}-?\d{4})$/, widths: [2, 6, 10] }],
  FI: [
    { written: /^(\d{3})-(\d)(\d{1,7})$/, widths: [3, 1, 7], bank: /^[45]/ },
    { written: /^(\d{3})-(\d{1,8})$/, widths: [3, 8] },
  ],
  CH: [{ written: /^(\d{2})-(\d{1,6})-(\d)$/, widths: [2, 6, 1], bank: /^0*9000$/ }],
};

/**
 * Returns an account number of a country's bank without separators, and with the zeros that its parts leave out.
 *
 * A slash and the bank code at the end, as Czechs and Slovaks write them, are left out. Where a country writes numbers in
 * parts, any other slash stays, so that the number fits no BBAN.
 *
 * @example accountDigits("CZ", "0800", "19-2000145399/0800") // → "0000192000145399"
 */
export function accountDigits(country: string, bankCode: string, written: string): string {
  const text = written.replace(/[\s.]/g, "").toUpperCase();
  const [, number = "", bank = ""] = /^(.+)\/0*(\d+)$/.exec(text) ?? [];
  const account = bank !== "" && bank === bankCode.replace(/^0+/, "") ? number : text;
  const known = forms[country];
  if (known === undefined) return account.replace(/[/-]/g, "");
  for (const form of known) {
    const parts = form.bank?.test(bankCode) === false ? null : form.written.exec(account);
    if (parts === null) continue;
    return form.widths.map((width, at) => parts[at + 1]!.replace("-", "").padStart(width, "0")).join("");
  }
  return account.replaceAll("-", "");
}
