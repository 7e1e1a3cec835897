/** The first rows of a file, as its columns are recognised by them. */
export interface Sample {
  /** Names of the columns; undefined where the file has no header. */
  readonly header: readonly string[] | undefined;
  readonly rows: readonly (readonly string[])[];
}

const ibanName = /^(iban|iban[ _-]?(nr|nummer|number))$/i;
const bicName = /^(bic|swift|bic[ _/-]?swift|swift[ _/-]?bic)([ ._-]*(code|nr|no))?\.?$/i;
const kontonummerName = /^(konto|kto|account)([ ._-]*(nr|nummer|no|number))?\.?$/i;
const blzName = /^(blz|bankleitzahl|bank[ _-]?code)$/i;

/** Whether text looks like an IBAN, right or wrong. */
export function looksLikeIban(text: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text.replaceAll(" ", "").toUpperCase());
}

/** Whether text looks like a German bank code. */
export function looksLikeBlz(text: string): boolean {
  return /^[1-8]\d{7}$/.test(text.replaceAll(" ", ""));
}

const looksLikeKontonummer = (text: string) => /^\d{1,10}$/.test(text);

/** The columns that are named as IBANs are, or else those most of whose fields look like IBANs. */
export function ibanColumns(sample: Sample): number[] {
  return pick(sample, ibanName, looksLikeIban);
}

/** The columns that are named as BICs are, or else those most of whose fields look like BICs. */
export function bicColumns(sample: Sample): number[] {
  return pick(sample, bicName, (text) =>
    /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text.trim().toUpperCase()),
  );
}

/** The columns that are named as bank codes are, or else those most of whose fields look like bank codes. */
export function blzColumns(sample: Sample): number[] {
  return pick(sample, blzName, looksLikeBlz);
}

/** The columns that are named as account numbers are, or else those most of whose fields look like account numbers. */
export function kontonummerColumns(sample: Sample): number[] {
  return pick(sample, kontonummerName, looksLikeKontonummer);
}

const ownName = (column: string) => column.trim();

/** The name that a path of keys ends with: `iban` of `payee.iban`. */
const lastKey = (column: string) => column.slice(column.lastIndexOf(".") + 1).trim();

/** The columns whose name fits, or where there are none those most of whose fields look right. */
function pick({ header, rows }: Sample, name: RegExp, looksRight: (text: string) => boolean): number[] {
  for (const nameOf of [ownName, lastKey]) {
    const named = (header ?? []).flatMap((column, index) => (name.test(nameOf(column)) ? [index] : []));
    if (named.length > 0) return named;
  }
  const width = Math.max(header?.length ?? 0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, index) => index).filter((index) => {
    const filled = rows.map((row) => row[index] ?? "").filter((text) => text.trim() !== "");
    return filled.length > 0 && filled.filter(looksRight).length * 2 > filled.length;
  });
}

/** Whether a column is named as IBANs, account numbers or bank codes are. */
export function isKnownName(name: string): boolean {
  return [ibanName, kontonummerName, blzName].some((known) => known.test(name.trim()));
}

/**
 * Whether the first row names the columns: no field of it looks like data or is empty, and one below it looks like data.
 *
 * @param wanted columns asked for; one that is in the first row by its name makes it a header.
 */
export function hasHeader(rows: readonly (readonly string[])[], wanted: readonly string[] = []): boolean {
  const [first = [], ...others] = rows;
  const names = first.map((name) => name.trim().toLowerCase());
  if (wanted.some((column) => !/^\d+$/.test(column) && names.includes(column.trim().toLowerCase())))
    return true;
  const looksLikeData = (text: string) =>
    looksLikeIban(text) || looksLikeBlz(text) || looksLikeKontonummer(text);
  if (first.some(looksLikeData)) return false;
  if (first.some(isKnownName)) return true;
  while (names.at(-1) === "") names.pop();
  if (names.includes("")) return false;
  return others.some((row) => row.some(looksLikeData));
}
