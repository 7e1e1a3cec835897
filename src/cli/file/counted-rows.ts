import type { Checked, OutputRow } from "../../rows/render.ts";
import type { Row } from "../../rows/rows.ts";
import { badRow } from "../../rows/verdict.ts";
import type { RowCounts } from "./run-state.ts";

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
