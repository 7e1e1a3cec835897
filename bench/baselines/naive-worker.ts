import { Piscina } from "piscina";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { plain } from "../../src/checks/answer.ts";
import { ibanAnswer } from "../../src/checks/iban-answer.ts";

const directory = new BankDirectory(Piscina.workerData as SharedArrayBuffer);

/** Checks one IBAN after the other and returns an object for each, to be cloned across the threads. */
export default function check(ibans: readonly string[]): readonly object[] {
  return ibans.map((iban) => ({ iban, ...ibanAnswer(directory, iban, undefined, plain) }));
}
