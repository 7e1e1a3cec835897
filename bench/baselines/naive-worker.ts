import { Piscina } from "piscina";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { dataOf } from "../../src/checks/iban-answer.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import { ibanOutcomes } from "../../src/contract/status.ts";

const directory = new BankDirectory(Piscina.workerData as SharedArrayBuffer);

/** Checks one IBAN after the other and returns an object for each, to be cloned across the threads. */
export default function check(ibans: readonly string[]): readonly object[] {
  return ibans.map((iban) => {
    const found = checkIban(directory, iban);
    const { status } = ibanOutcomes[found.outcome];
    return { iban, valid: status === 1, status, data: dataOf(found) };
  });
}
