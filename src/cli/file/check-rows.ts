import { isOfInstitution } from "../../banking/bic.ts";
import { type RequestSender, sendLines } from "../../client/sender.ts";
import type { CheckedNumber } from "../../rows/columns.ts";
import { decoded, type Encoding, encoded } from "../../rows/encoding.ts";
import { type AskedNumber, readNumber } from "../../rows/read-number.ts";
import type { Checked, OutputRow } from "../../rows/render.ts";
import type { Row } from "../../rows/rows.ts";
import { badRow, LineVerdicts, linesPath, type Verdict } from "../../rows/verdict.ts";
import type { FileRequest, RowCounts } from "./run-state.ts";

/** Checks one number of each of some rows, in order; none of the rows is empty or faulty. */
type CheckRows = (rows: readonly Row[], signal: AbortSignal) => Promise<Checked>;

/** Makes the check of a number of a file's rows. */
export function rowsCheck(
  sender: RequestSender,
  checked: CheckedNumber,
  encoding: Encoding | undefined,
  question: Pick<FileRequest, "generates" | "suggests">,
): CheckRows {
  const known = new LineVerdicts(parsedBytes);
  const path = linesPath(question);
  return async (rows, signal) => {
    const read = rows.map(({ fields }) =>
      readNumber(checked, (column) => decoded(fields[column] ?? "", encoding)),
    );
    const check = async (numbers: readonly AskedNumber[]) => {
      const lines = numbers.map((number) => JSON.stringify(number));
      const answers = await sendLines(sender, lines, { path, signal, textOf });
      return answers.map((text) => known.read(text));
    };
    const numbers = read.map(({ number }) => number);
    const verdicts = await check(numbers.map(withoutBic));
    await checkBics(check, numbers, verdicts);
    const ibans = numbers.map((number, place) => {
      const { error, data } = verdicts[place]!;
      if ("iban" in number) return error === "" ? number.iban.toUpperCase() : null;
      return question.generates ? (data?.iban ?? null) : null;
    });
    const notes = new Map(read.flatMap(({ note }, place) => (note === "" ? [] : [[place, note] as const])));
    return { verdicts, ibans, notes };
  };
}

function withoutBic(number: AskedNumber): AskedNumber {
  return "iban" in number ? { iban: number.iban } : number;
}

/**
 * Puts the verdict with the BIC in place of that without, where an IBAN is valid and has a BIC.
 *
 * A BIC of the institution that the bank data names for the IBAN matches; only others are requested.
 */
async function checkBics(
  check: (numbers: readonly AskedNumber[]) => Promise<readonly Verdict[]>,
  numbers: readonly AskedNumber[],
  verdicts: Verdict[],
): Promise<void> {
  const places = [...numbers.keys()].filter((place) => {
    const number = numbers[place]!;
    const { valid, data } = verdicts[place]!;
    return valid && "bic" in number && !isOfInstitution(number.bic, data?.bic ?? null);
  });
  const paired = await check(places.map((place) => numbers[place]!));
  for (const [index, verdict] of paired.entries()) verdicts[places[index]!] = verdict;
}

const textOf = (bytes: Uint8Array) => (bytes as Buffer).toString("latin1");

/** Parses JSON with one character for each byte. Escapes become characters, so that a line with any is written without them first. */
function parsedBytes(line: string): unknown {
  if (!line.includes("\\u")) return JSON.parse(line);
  return JSON.parse(encoded(JSON.stringify(JSON.parse(decoded(line, "utf-8")))));
}

/** Rows of a block as they are written, and counted. */
interface WrittenRows {
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
