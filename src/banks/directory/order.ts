import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import { BankRecordError } from "./check-records.ts";
import type { BankRecord } from "./record.ts";

/**
 * Puts checked records into directory order (see `directory-layout.ts`) and returns their indices in that order.
 *
 * Records that are equal in all the order asks for keep their order.
 *
 * @throws {BankRecordError} for a main record that repeats the bank and branch code of another, and for a further
 *   location of a bank code without a main record.
 */
export function directoryOrder(records: readonly BankRecord[]): number[] {
  const ranks = records.map((record) =>
    record.country === "DE" ? -1 : ibanCountryByCode(record.country)!.index,
  );
  const order = records.map((_, index) => index);
  order.sort((a, b) => ranks[a]! - ranks[b]! || compareWithinCountry(records[a]!, records[b]!));
  for (let at = 0; at < order.length; at++) checkNeighbours(records, order, at);
  return order;
}

/** Whether two records speak of the same bank: equal country and bank code. */
export function isSameBank(a: BankRecord, b: BankRecord): boolean {
  return a.bankCode === b.bankCode && a.country === b.country;
}

function checkNeighbours(records: readonly BankRecord[], order: readonly number[], at: number): void {
  const index = order[at]!;
  const record = records[index]!;
  const before = at === 0 ? undefined : records[order[at - 1]!]!;
  const opensBank = before === undefined || !isSameBank(before, record);
  if (!record.main) {
    if (!opensBank) return;
    throw new BankRecordError(index, `further location of ${record.bankCode}, which has no main record`);
  }
  if (opensBank || before.branchCode !== record.branchCode) return;
  const branch = record.branchCode === "" ? "" : ` with branch code ${record.branchCode}`;
  throw new BankRecordError(
    index,
    `bank code ${record.bankCode} of ${record.country}${branch} has a main record already`,
  );
}

function compareWithinCountry(a: BankRecord, b: BankRecord): number {
  return (
    compare(a.bankCode, b.bankCode) || Number(b.main) - Number(a.main) || compare(a.branchCode, b.branchCode)
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
