import { isOfInstitution } from "../../banking/bic.ts";
import { type RequestSender, sendLines } from "../../client/sender.ts";
import type { CheckedNumber } from "../../rows/columns.ts";
import { decoded, type Encoding, encoded } from "../../rows/encoding.ts";
import { LineVerdicts } from "../../rows/known-verdicts.ts";
import type { Checked, OutputRow } from "../../rows/render.ts";
import type { Row } from "../../rows/rows.ts";
import { type ReadField, readDigits, readIban } from "../../rows/text.ts";
import { badRow, type Verdict } from "../../rows/verdict.ts";
import type { RowCounts } from "./run-state.ts";

/** Checks one number of each of some rows, in order; none of the rows is empty or faulty. */
export type CheckRows = (rows: readonly Row[], signal: AbortSignal) => Promise<Checked>;

/** What is requested from the service besides the check. */
export interface CheckQuestion {
  /** The IBAN of each account. */
  readonly generates: boolean;
  /** What a number that is not valid was probably meant to be. */
  readonly suggests: boolean;
}

/** Makes the check of a number of a file's rows. */
export function rowsCheck(
  sender: RequestSender,
  number: CheckedNumber,
  encoding: Encoding | undefined,
  question: CheckQuestion,
): CheckRows {
  const known = new LineVerdicts(parsedBytes);
  const path = linesPath(question);
  const check: CheckLines = (lines, edition, signal) =>
    checkLines(sender, path, lines, known, edition, signal);
  return number.kind === "iban"
    ? ibansCheck(check, number, encoding)
    : accountsCheck(check, number, encoding, question);
}

/** Checks what the lines ask, each of them once however often the service fails meanwhile. */
type CheckLines = (lines: readonly string[], edition: Edition, signal: AbortSignal) => Promise<Verdict[]>;

function ibansCheck(
  check: CheckLines,
  { iban, bic }: CheckedNumber & { kind: "iban" },
  encoding: Encoding | undefined,
): CheckRows {
  return async (rows, signal) => {
    const fields = rows.map((row) => readIban(decoded(row.fields[iban] ?? "", encoding)));
    const edition = { name: "" };
    const lines = fields.map(({ text }) => JSON.stringify({ iban: text }));
    const verdicts = await check(lines, edition, signal);
    if (bic !== undefined) {
      const bics = rows.map((row) =>
        decoded(row.fields[bic] ?? "", encoding)
          .replace(/\s+/g, "")
          .slice(0, maxBic)
          .toUpperCase(),
      );
      await checkBics((pairs) => check(pairs, edition, signal), fields, bics, verdicts);
    }
    return {
      verdicts,
      ibans: fields.map(({ text }, place) => (verdicts[place]!.error === "" ? text.toUpperCase() : null)),
      notes: notesOf(fields),
      edition: edition.name,
    };
  };
}

/** The edition that answered last: a block whose answers are of two, around midnight, has the later one. */
interface Edition {
  name: string;
}

/** A BIC that is longer is as wrong when it is cut. */
const maxBic = 64;

/**
 * Puts the verdict with the BIC in place of that without, where an IBAN is valid and has a BIC.
 *
 * A BIC of the institution that the bank data names for the IBAN matches; only others are requested.
 */
async function checkBics(
  check: (lines: readonly string[]) => Promise<readonly Verdict[]>,
  ibans: readonly ReadField[],
  bics: readonly string[],
  verdicts: Verdict[],
): Promise<void> {
  const places = [...verdicts.keys()].filter((place) => {
    const { valid, data } = verdicts[place]!;
    return valid && bics[place] !== "" && !isOfInstitution(bics[place]!, data?.bic ?? null);
  });
  const lines = places.map((place) => JSON.stringify({ iban: ibans[place]!.text, bic: bics[place] }));
  for (const [index, verdict] of (await check(lines)).entries()) verdicts[places[index]!] = verdict;
}

function accountsCheck(
  check: CheckLines,
  { kontonummer, blz }: CheckedNumber & { kind: "account" },
  encoding: Encoding | undefined,
  { generates }: CheckQuestion,
): CheckRows {
  const digits = (row: Row, column: number) => readDigits(decoded(row.fields[column] ?? "", encoding));
  return async (rows, signal) => {
    const accounts = rows.map((row) => digits(row, kontonummer));
    const codes = rows.map((row) => digits(row, blz));
    const edition = { name: "" };
    const lines = accounts.map(({ text }, place) =>
      JSON.stringify({ kontonummer: text, bankleitzahl: codes[place]!.text }),
    );
    const verdicts = await check(lines, edition, signal);
    return {
      verdicts,
      ibans: verdicts.map(({ data }) => (generates ? (data?.iban ?? null) : null)),
      notes: new Map([...notesOf(codes), ...notesOf(accounts)]),
      edition: edition.name,
    };
  };
}

/** What added columns are made of; an IBAN only where it is generated, so that lines of one bank are the same. */
const lineFields =
  "valid,status,message,reason,bic,blz,bank,zip,location,country,sepa_methods,error,suggestions,edition";

const linesPath = ({ generates, suggests }: CheckQuestion) =>
  `/v1/stream?reason=1${suggests ? "&suggest=1" : ""}${generates ? "&sepa=1" : ""}&fields=${lineFields}${generates ? ",iban" : ""}`;

async function checkLines(
  sender: RequestSender,
  path: string,
  lines: readonly string[],
  known: LineVerdicts,
  edition: Edition,
  signal: AbortSignal,
): Promise<Verdict[]> {
  const textOf = (bytes: Uint8Array) => (bytes as Buffer).toString("latin1");
  const answers = await sendLines(sender, lines, { path, signal, textOf });
  const verdicts = answers.map((text) => known.read(text));
  const found = verdicts.findLast(({ data }) => data !== undefined)?.data as { edition?: string } | undefined;
  edition.name = found?.edition ?? edition.name;
  return verdicts;
}

function notesOf(fields: readonly ReadField[]): ReadonlyMap<number, string> {
  const notes = new Map<number, string>();
  for (const [place, { text, isMended }] of fields.entries()) {
    if (isMended) notes.set(place, noteOf(text));
  }
  return notes;
}

function noteOf(text: string): string {
  return `read as ${text}`;
}

/** Parses JSON with one character for each byte. Escapes become characters, so that a line with any is written without them first. */
function parsedBytes(line: string): unknown {
  if (!line.includes("\\u")) return JSON.parse(line);
  return JSON.parse(encoded(JSON.stringify(JSON.parse(decoded(line, "utf-8")))));
}

/** Rows of a block as they are written, and counted. */
export interface WrittenRows {
  readonly written: readonly OutputRow[];
  /** The rows that go to the file of rejected ones, as they are in the input. */
  readonly rejected: string;
  readonly counts: RowCounts;
}

/** Whether a row can be read and is not empty, so that it is checked. */
export function isChecked({ fields, fault }: Row): boolean {
  return fields.length > 0 && fault === undefined;
}

/** Counts rows by their result, and chooses those that are written. */
export function writtenRows(
  rows: readonly Row[],
  checked: readonly Checked[],
  { rejects, only }: { readonly rejects: boolean; readonly only: "valid" | "invalid" | undefined },
): WrittenRows {
  const written: OutputRow[] = [];
  const reasons: Record<string, number> = {};
  let rejected = "";
  let valid = 0;
  let bad = 0;
  let places = 0;
  for (const row of rows) {
    if (row.fault !== undefined) {
      bad++;
      count(reasons, badRow);
      if (rejects) rejected += `${row.text}\n`;
      else if (only !== "valid") written.push({ row, place: undefined });
      continue;
    }
    if (row.fields.length === 0) {
      if (only === undefined) written.push({ row, place: undefined });
      continue;
    }
    const place = places++;
    const isValid = isAllValid(checked, place);
    if (isValid) valid++;
    else for (const { verdicts } of checked) countReason(reasons, verdicts[place]!);
    if (only === undefined || (only === "valid") === isValid) written.push({ row, place });
  }
  const all = places + bad;
  return { written, rejected, counts: { rows: all, valid, invalid: all - valid, bad, reasons } };
}

function isAllValid(checked: readonly Checked[], place: number): boolean {
  for (let number = 0; number < checked.length; number++) {
    if (!checked[number]!.verdicts[place]!.valid) return false;
  }
  return true;
}

function countReason(
  reasons: Record<string, number>,
  { valid, reason, status }: Checked["verdicts"][number],
): void {
  if (!valid) count(reasons, reason === "" ? `status_${status}` : reason);
}

function count(reasons: Record<string, number>, reason: string): void {
  reasons[reason] = (reasons[reason] ?? 0) + 1;
}

/** Adds up the counts of rows. */
export function sum(one: RowCounts, other: RowCounts): RowCounts {
  const reasons = { ...one.reasons };
  for (const [reason, times] of Object.entries(other.reasons))
    reasons[reason] = (reasons[reason] ?? 0) + times;
  return {
    rows: one.rows + other.rows,
    valid: one.valid + other.valid,
    invalid: one.invalid + other.invalid,
    bad: one.bad + other.bad,
    reasons,
  };
}
