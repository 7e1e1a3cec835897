import type { AccountCheckAnswer, ErrorObject, SepaMethods } from "../contract/api-types.ts";
import { InputError } from "./rows.ts";

/** The bank's data, and the generated IBAN. */
type BankFields = Pick<
  AccountCheckAnswer["data"],
  "bic" | "blz" | "bank" | "zip" | "location" | "country" | "sepa_methods"
> & {
  readonly iban?: string | null;
  /** The edition of the list of banks that the number was checked with. */
  readonly edition?: string | null;
  readonly suggestions?:
    | readonly Partial<Record<"iban" | "kontonummer" | "bankleitzahl" | "field", string>>[]
    | null;
};

/** The result of the check of a row, whichever kind of check it was; without its fields if the row was refused before. */
export interface Verdict extends Partial<BankFields> {
  /** Null if the row was refused before it was checked. */
  readonly status: number | null;
  readonly valid: boolean;
  readonly message: string;
  /** Error code; empty if there was none. */
  readonly error: string;
  /** Why the number is not valid, in a word; empty if there is nothing to say. */
  readonly reason: string;
  /** How a field was read that is not written as it should be. */
  readonly note?: string;
}

/** Returns the verdict on a row that was refused before it was checked. */
export function refusedVerdict(code: string, message: string): Verdict {
  return { status: null, valid: false, message, error: code, reason: code };
}

/** The code of a row that cannot be read, as its error and its reason. */
export const badRow = "bad_row";

/** The answer to a line: its result and, beside it, the fields of its data; or a refusal, which has an error only. */
export interface LineAnswer extends BankFields {
  readonly status: number;
  readonly valid?: boolean;
  readonly message?: string;
  readonly reason?: string | null;
  readonly error?: ErrorObject;
}

/** Returns the verdict of a line of a stream's answer. */
export function verdictOfLine(answer: LineAnswer): Verdict {
  const { status, valid, message, reason, error } = answer;
  if (error !== undefined && valid === undefined) return refusedVerdict(error.code, error.message);
  return {
    ...answer,
    valid: status === 1,
    message: error?.message ?? message ?? "",
    error: error?.code ?? "",
    reason: reason || (error?.code ?? ""),
  };
}

/** Source fields of the added columns. */
const lineFields = "valid,status,message,reason,bic,blz,bank,zip,location,country,sepa_methods,error,edition";

/** Returns the path of a stream whose lines `verdictOfLine` reads; they have no IBAN unless it is generated. */
export function linesPath(generates: boolean): string {
  return `/v1/stream?reason=1&fields=${lineFields}${generates ? ",iban&sepa=1" : ""}`;
}

/** Value of an added field; null is an empty field in CSV. */
export type AddedValue = string | number | boolean | null;

export interface AddedColumn {
  readonly name: string;
  /** Reads a value back from its field in CSV. */
  readonly read: (field: string) => AddedValue;
  readonly of: (verdict: Verdict) => AddedValue;
}

const text = (field: string) => field;
const textOrNull = (field: string) => field || null;
const numberOrNull = (field: string) => (field === "" ? null : Number(field));

/** Columns of fields of the verdict; an absent field has the value that is read from an empty one. */
function fields(
  read: AddedColumn["read"],
  ...names: readonly Exclude<keyof Verdict, "sepa_methods" | "suggestions">[]
): readonly AddedColumn[] {
  return names.map((name) => ({ name, read, of: (verdict) => verdict[name] ?? read("") }));
}

const sepa = (name: keyof SepaMethods): AddedColumn => ({
  name,
  read: numberOrNull,
  of: ({ sepa_methods }) => sepa_methods?.[name] ?? null,
});

/** The columns that are added to each row, in order; the IBAN is that without what people write around it, or generated. */
const checkColumns: readonly AddedColumn[] = [
  ...fields(numberOrNull, "status"),
  ...fields((field) => field === "true", "valid"),
  ...fields(text, "message"),
  ...fields(textOrNull, "bic"),
  ...fields(text, "bank", "zip", "location", "country"),
  ...(["sct", "sdd", "b2b", "scc"] as const).map(sepa),
  ...fields(text, "error", "reason", "blz"),
  ...fields(textOrNull, "iban"),
  ...fields(text, "edition", "note"),
];

/** The most probable correction: an IBAN, or the kontonummer of an account, with the bank code where that is another one. */
const suggestion: AddedColumn = {
  name: "suggestion",
  read: text,
  of: ({ suggestions }) => {
    const [best] = suggestions ?? [];
    if (best === undefined) return "";
    return best.iban ?? best.kontonummer + (best.field === "kontonummer" ? "" : ` ${best.bankleitzahl}`);
  },
};

/** The columns that are added where IBANs are generated. */
const generateColumns = [
  ...fields(textOrNull, "iban"),
  ...checkColumns.filter(({ name }) => name !== "iban"),
];

interface AddedOptions {
  readonly generates: boolean;
  readonly suggests?: boolean;
  /** Names of the columns wanted, in their order; all unless given. */
  readonly select?: readonly string[] | undefined;
}

export function addedColumns({ generates, suggests }: AddedOptions): readonly AddedColumn[] {
  return [...(generates ? generateColumns : checkColumns), ...(suggests === true ? [suggestion] : [])];
}

/** Returns the selected columns, once each. Throws an InputError if one does not exist. */
export function selectedColumns(options: AddedOptions): readonly AddedColumn[] {
  const all = addedColumns(options);
  const { select } = options;
  if (select === undefined) return all;
  const selected = select.map((wanted) => {
    const asked = wanted.trim().toLowerCase();
    const column = all.find(({ name }) => name === asked);
    if (column !== undefined) return column;
    if (asked === suggestion.name) throw new InputError("--select suggestion needs --suggest.");
    const names = all.map(({ name }) => name).join(", ");
    throw new InputError(`--select has no column ${JSON.stringify(wanted)}; there are: ${names}.`);
  });
  return [...new Set(selected)];
}

/** Names the columns that are added for each prefix; a name that another column has already gets `check_` before it. */
export function namesOf(
  columns: readonly AddedColumn[],
  prefixes: readonly string[],
  header: Iterable<string>,
): readonly string[] {
  const taken = new Set(header);
  return prefixes.flatMap((prefix) =>
    columns.map(({ name }) => {
      let free = prefix + name;
      while (taken.has(free)) free = `check_${free}`;
      taken.add(free);
      return free;
    }),
  );
}

/** Returns what quotes the fields of CSV that need it. Source: RFC 4180. */
export function csvQuoter(delimiter: string): (text: string) => string {
  const special = new RegExp(`["\\r\\n${delimiter.replace(/[\\\]^-]/g, "\\$&")}]`);
  return (text) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
}
