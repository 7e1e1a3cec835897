import { isFormalIbanBytes, normaliseIbanBytes } from "../banking/iban/normalise-bytes.ts";
import { errorBody } from "../contract/errors.ts";
import { message, textOf } from "../contract/message.ts";
import { IbanOutcome, ibanOutcomes } from "../contract/status.ts";
import { type AnswerBytes, piece } from "./answer-bytes.ts";
import type { IbanChecker } from "./iban-checker.ts";
import { writeIbanData, writeNoIbanData } from "./iban-data.ts";

/** The message of every batch answer; each entry has a status of its own. */
export const batchMessage = textOf(message("batch_processed"), "en");

/** The constant pieces of a batch answer: this module and the tables of the batch kernel are made of them. */
export const batchPieces = {
  /** Stands before the number of entries. */
  head: piece(`{"status":1,"message":${JSON.stringify(batchMessage)},"batch":{"total":`),
  /** Stands behind the number of entries. */
  results: piece(',"results":['),
  comma: piece(","),
  entryHead: piece('{"iban":"'),
  /** By outcome: stands between the IBAN and the `data` object. */
  entryMiddle: ibanOutcomes.map(({ status }) =>
    piece(`","valid":${status === 1},"status":${status},"data":`),
  ),
  entryTail: piece("}"),
  /** In place of `entryTail` behind an entry that is no IBAN by its form. */
  errorTail: piece(`,"error":${JSON.stringify(errorBody("invalid_iban").error)}}`),
  tail: piece("]}}"),
} as const;

const { comma, entryHead, entryMiddle, entryTail, errorTail } = batchPieces;

/** Writes what stands before the entries of a batch answer. */
export function writeBatchHead(answer: AnswerBytes, total: number): void {
  answer.put(batchPieces.head);
  answer.text(`${total}`);
  answer.put(batchPieces.results);
}

/**
 * Writes one entry of a batch answer: `length` UTF-8 bytes of text as it was sent, −1 for an entry that was no string.
 *
 * The text is normalised in place. An entry that is no IBAN by its form carries the error invalid_iban.
 */
export function writeBatchEntry(
  answer: AnswerBytes,
  checker: IbanChecker,
  bytes: Uint8Array,
  start: number,
  length: number,
  isFirst: boolean,
): void {
  if (!isFirst) answer.put(comma);
  answer.put(entryHead);
  const compact = length < 0 ? 0 : normaliseIbanBytes(bytes, start, length, bytes, start);
  if (isFormalIbanBytes(bytes, start, compact)) {
    const outcome = checker.check(bytes, start, compact);
    answer.copy(bytes, start, compact);
    answer.put(entryMiddle[outcome]!);
    writeIbanData(answer, checker, bytes, start, compact, outcome === IbanOutcome.valid);
    answer.put(entryTail);
    return;
  }
  answer.copyEscaped(bytes, start, compact);
  answer.put(entryMiddle[IbanOutcome.not_an_iban]!);
  writeNoIbanData(answer);
  answer.put(errorTail);
}

/** Writes what stands behind the entries of a batch answer. */
export function writeBatchTail(answer: AnswerBytes): void {
  answer.put(batchPieces.tail);
}
