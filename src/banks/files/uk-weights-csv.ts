import {
  type ModulusMethod,
  type ModulusRange,
  type ModulusRow,
  modulusMethods,
} from "../../banking/national/uk-modulus.ts";
import { type CsvRow, type MakeRowError, readRows } from "./csv.ts";

export const ukWeightsColumns = [
  "start",
  "end",
  "method",
  ..."uvwxyzabcdefgh",
  "exception",
] as unknown as readonly [string, string, string, ...string[]];

export const ukSubstitutionsColumns = ["sort_code", "substitute"] as const;

const sortCodeForm = /^\d{6}$/;
const weightForm = /^-?\d{1,3}$/;

/**
 * Reads the weights of the UK modulus check and returns the ranges in the order of their sort codes; the order of two rows
 * of one range is that of their checks.
 */
export function readUkWeightsCsv(file: string, content: Uint8Array): ModulusRange[] {
  const ranges: (ModulusRange & { readonly rows: ModulusRow[]; readonly fault: MakeRowError })[] = [];
  const read = (row: CsvRow<typeof ukWeightsColumns>, fault: MakeRowError) => {
    const [start, end, method] = row;
    if (!sortCodeForm.test(start) || !sortCodeForm.test(end)) throw fault("a sort code must have six digits");
    if (!(modulusMethods as readonly string[]).includes(method))
      throw fault(`the method "${method}" is not known`);
    const weights = row.slice(3, -1);
    const exception = row.at(-1)!;
    if (!weights.every((weight) => weightForm.test(weight))) throw fault("a weight must be a number");
    if (!/^([1-9]|1[0-4])?$/.test(exception)) throw fault(`the exception "${exception}" is not 1 to 14`);
    const check = {
      method: method as ModulusMethod,
      weights: weights.map(Number),
      exception: Number(exception),
    };
    const last = ranges.at(-1);
    if (last?.start === Number(start) && last.end === Number(end)) last.rows.push(check);
    else ranges.push({ start: Number(start), end: Number(end), rows: [check], fault });
  };
  readRows(file, content, ukWeightsColumns, read, (row) => row.join(" "));
  let before = -1;
  return ranges
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, end, rows, fault }) => {
      if (start > end) throw fault("the range ends before it starts");
      if (rows.length > 2) throw fault("a range has two rows at most");
      if (before >= start) throw fault("the range overlaps another one");
      before = end;
      return { start, end, rows };
    });
}

/** Reads the sort codes whose accounts are checked as those of another. */
export function readUkSubstitutionsCsv(file: string, content: Uint8Array): (readonly [number, number])[] {
  const read = ([sortCode, substitute]: CsvRow<typeof ukSubstitutionsColumns>, fault: MakeRowError) => {
    if (!sortCodeForm.test(sortCode) || !sortCodeForm.test(substitute))
      throw fault("a sort code must have six digits");
    return [Number(sortCode), Number(substitute)] as const;
  };
  return readRows(file, content, ukSubstitutionsColumns, read, ([sortCode]) => `sort code ${sortCode}`);
}
