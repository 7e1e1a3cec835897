import { Piscina } from "piscina";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { AnswerBytes } from "../../src/checks/answer-bytes.ts";
import { writeIbanAnswer } from "../../src/checks/iban-answer.ts";
import { IbanChecker } from "../../src/checks/iban-checker.ts";

const checker = new IbanChecker(new BankDirectory(Piscina.workerData as SharedArrayBuffer));
const answer = new AnswerBytes();
const room = Buffer.alloc(8_192);

/** Checks one IBAN after the other and gives an object for each, to be cloned across the threads. */
export default function check(ibans: readonly string[]): readonly object[] {
  return ibans.map((iban) => {
    const bytes = Buffer.from(iban);
    answer.open(room);
    writeIbanAnswer(answer, checker, bytes, bytes.length, undefined, false);
    const { status, data } = JSON.parse(room.toString("utf8", 0, answer.position));
    return { iban, valid: status === 1, status, data };
  });
}
