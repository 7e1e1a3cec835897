import { bicMatches, matchBic } from "../banking/bic.ts";
import { textOf } from "../contract/message.ts";
import { IbanOutcome, ibanOutcomes } from "../contract/status.ts";
import { type AnswerBytes, piece } from "./answer-bytes.ts";
import { deletionSentence } from "./explanation.ts";
import type { IbanChecker } from "./iban-checker.ts";
import { writeIbanData } from "./iban-data.ts";
import { explainIban } from "./iban-explanation.ts";

const headOf = (status: number, message: string) =>
  `{"status":${status},"message":${JSON.stringify(message)},"data":`;
const heads = ibanOutcomes.map(({ status, message }) => piece(headOf(status, textOf({ id: message }, "en"))));
const tail = piece("}");
const checksHead = piece(',"checks":');
const checksTail = piece("}");

/**
 * Writes the answer to a single IBAN check.
 *
 * `bytes` holds the normalised, formal IBAN; `bic` a normalised, formal BIC or undefined; `explain` adds
 * `data.checks`.
 */
export function writeIbanAnswer(
  answer: AnswerBytes,
  checker: IbanChecker,
  bytes: Uint8Array,
  length: number,
  bic: string | undefined,
  explain: boolean,
): void {
  const ofIban = checker.check(bytes, 0, length);
  const outcome = ofIban === IbanOutcome.valid && !bicFits(checker, bic) ? IbanOutcome.bic_mismatch : ofIban;
  if (checker.bank >= 0 && checker.directory.isMarkedForDeletion(checker.bank)) {
    answer.text(headWithWarning(checker, outcome));
  } else {
    answer.put(heads[outcome]!);
  }
  writeIbanData(answer, checker, bytes, 0, length, ofIban === IbanOutcome.valid);
  if (explain) {
    answer.position -= checksTail.length;
    answer.put(checksHead);
    answer.text(JSON.stringify(explainIban(checker, bytes, length, ofIban, bic)));
    answer.put(checksTail);
  }
  answer.put(tail);
}

/** Rarely written, so that it may allocate: few bank codes are marked for deletion. */
function headWithWarning(checker: IbanChecker, outcome: number): string {
  const { status, message } = ibanOutcomes[outcome]!;
  const { successor } = checker.directory.record(checker.bank);
  return headOf(status, `${textOf({ id: message }, "en")} ${deletionSentence(successor)}`);
}

function bicFits(checker: IbanChecker, bic: string | undefined): boolean {
  if (bic === undefined || checker.country === undefined) return true;
  const known = checker.bank < 0 ? [] : checker.directory.bics(checker.bank);
  return bicMatches(matchBic(bic, checker.country.code, known));
}
