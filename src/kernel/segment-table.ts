import { germanIban } from "../banking/germany/account.ts";
import { type IbanCountry, ibanCountryByCode, partOfBban } from "../banking/iban/registry.ts";
import { MAX_FRAGMENT_BYTES } from "../banks/directory/check-data.ts";
import { CODE_BYTES } from "../banks/directory/directory-layout.ts";
import { unknownBank } from "../banks/directory/record.ts";
import { type AnswerOptions, answer, entry, plain } from "../checks/answer.ts";
import { checkDeletion } from "../checks/bank-findings.ts";
import { batchOf, entryWithoutIban, resultOf } from "../checks/iban-answer.ts";
import type { IbanCheck } from "../checks/iban-check.ts";
import { languages } from "../contract/language.ts";
import { type IbanOutcome, ibanOutcomes, type Reason } from "../contract/status.ts";
import type { TableBlock } from "./table-block.ts";
import * as layout from "./table-layout.ts";
import { VARIANT_REASONS, VARIANTS } from "./table-layout.ts";

/** The options of an answer that the kernel knows; each combination has its own constant segments. */
export type VariantOptions = Pick<AnswerOptions, "language" | "reason">;

/** Returns the number of a variant of answers. */
export function variantOf({ language, reason }: VariantOptions): number {
  return languages.indexOf(language) + (reason ? VARIANT_REASONS : 0);
}

/** The options of all variants, by number. */
export const variants: readonly AnswerOptions[] = Array.from({ length: VARIANTS }, (_, variant) => ({
  ...plain,
  language: languages[variant % VARIANT_REASONS]!,
  reason: variant >= VARIANT_REASONS,
}));

const KONTONUMMER_BYTES = germanIban.kontonummer.length;
/** Quote before and brace after a fragment. */
const FRAGMENT_FRAME_BYTES = 2;
/** Maximum number of segments that an entry without a fragment is made of. */
const maxSegments = 4;
/** Opening of the next entry, or end of the batch, and the words that may be written beyond the last byte. */
const AFTER_ENTRY_BYTES = 2 * layout.SHORT_SEGMENT_BYTES + layout.MIDDLE_SEGMENT_BYTES;

/** Names of the outcomes; the kernel knows them by their indexes. */
export const outcomeNames = Object.keys(ibanOutcomes) as readonly IbanOutcome[];

/** Warnings about valid numbers, besides a deleted bank code; the kernel refers to them by index. */
export const warnings = [
  "bank_code_unknown",
  "national_check_digits",
  "uk_modulus",
  "currency",
  "account_check_digit",
  "qr_iban",
] as const satisfies readonly Reason[];

/** Writes the constant segments of an answer into the tables. */
export class SegmentWriter {
  readonly #block: TableBlock;
  #longest = 0;

  constructor(block: TableBlock) {
    this.#block = block;
  }

  /** Writes a segment and returns its offset. */
  write(segment: string): number {
    const text = Buffer.from(segment);
    this.#longest = Math.max(this.#longest, text.length);
    const offset = this.#block.reserve(4 + text.length);
    this.#block.u32(offset, text.length);
    this.#block.copy(offset + 4, text);
    return offset;
  }

  /** Writes a segment of which the kernel copies a fixed number of bytes. Throws a RangeError for more than those. */
  writeWithin(maxBytes: number, segment: string): number {
    const length = Buffer.byteLength(segment);
    if (length > maxBytes)
      throw new RangeError(`a segment of ${length} bytes where the kernel copies ${maxBytes}`);
    return this.write(segment);
  }

  /** Maximum bytes of an entry besides the two echoes of its text, including everything written after it. */
  get entryRoom(): number {
    const segments = maxSegments * this.#longest + KONTONUMMER_BYTES + CODE_BYTES.bank;
    return segments + MAX_FRAGMENT_BYTES + FRAGMENT_FRAME_BYTES + AFTER_ENTRY_BYTES;
  }
}

/**
 * Stands for any IBAN in answers of the reference that are cut into segments: no two characters are equal, and none of them
 * is in a text of the service.
 */
const anyIban = String.fromCharCode(...Array.from({ length: 34 }, (_, place) => 0xe000 + place));
const germany = ibanCountryByCode("DE")!;
/** Stands for any successor of a bank code. */
const anySuccessor = String.fromCharCode(0xe100);
/** The JSON of an answer with `anyIban`, cut where the IBAN is. */
function cut(answer: object): readonly string[] {
  return JSON.stringify(answer).split(anyIban);
}

/** A check that decided the outcome, as the reference would have it. */
function checkOf(outcome: IbanOutcome, found: Partial<IbanCheck>): IbanCheck {
  const nothing = { country: undefined, isWellFormed: false, isReadable: false, bank: undefined, checks: [] };
  return { iban: anyIban, outcome, ...nothing, ...found };
}

function entryOf(check: IbanCheck, options: AnswerOptions): object {
  return entry(anyIban, resultOf(check, options, undefined), options);
}

/** The end of `data` and of the entry or answer. */
const closing = "}}";

/** Returns the text after the IBAN in `data`, to the end of the entry; a single answer must end in the same way. */
function restOf(check: IbanCheck): string {
  const inBatch = cut(entryOf(check, plain));
  const single = cut(answer(resultOf(check, plain, undefined), plain));
  if (inBatch.length !== 3 || inBatch[2] !== single.at(-1) || !inBatch[2]!.endsWith(closing)) {
    throw new RangeError("a single answer and a batch entry must not differ after the IBAN");
  }
  return inBatch[2]!;
}

/** The text before account number and bank code where the bank is not known. */
const [beforeKontonummer, beforeBlz] = (() => {
  const rest = restOf(checkOf("unknown_bank_code", { country: germany, isWellFormed: true }));
  const { blz, kontonummer } = germanIban;
  const [first, ...others] = rest.split(anyIban.slice(kontonummer.start));
  const [second] = others.join("").split(anyIban.slice(blz.start, blz.start + blz.length));
  return [first!, second!];
})();

/** Returns the segments that end an entry of a country: only the country known; bank unknown, number valid or not. */
export function countrySegments(country: IbanCountry) {
  const unknownBank = (outcome: IbanOutcome) => {
    const rest = restOf(checkOf(outcome, { country, isWellFormed: true }));
    const [head = "", tail = rest] = bankCodeIn(country, rest);
    const kontonummer = country === germany ? anyIban.slice(germanIban.kontonummer.start) : "";
    if (head !== beforeKontonummer + kontonummer + beforeBlz) {
      throw new RangeError(
        `account number and bank code of ${country.code} are not where the kernel writes them`,
      );
    }
    return tail;
  };
  return {
    countryOnly: restOf(checkOf("wrong_length", { country })),
    unknownBank: unknownBank("valid"),
    unknownBankInvalid: unknownBank("wrong_national_check_digits"),
  };
}

/** Cuts a text where the bank code of `anyIban` is, or would be. */
function bankCodeIn({ bank }: IbanCountry, rest: string): readonly string[] {
  if (bank !== null) return rest.split(partOfBban(anyIban, bank));
  const at = rest.indexOf(beforeBlz) + beforeBlz.length;
  return [rest.slice(0, at), rest.slice(at)];
}

/** Returns the text that the options add at the end of `data`, and the end of the entry. */
function endOf(check: IbanCheck, options: AnswerOptions): string {
  const rest = restOf(check).slice(0, -closing.length);
  const end = cut(entryOf(check, options))[2]!;
  if (!end.startsWith(rest)) throw new RangeError("reasons must follow all other fields of data");
  return end.slice(rest.length);
}

/** Lays out the segments that depend on no country, for one variant of answers, and the table of their offsets. */
export function encodeFixedSegments(
  block: TableBlock,
  segments: SegmentWriter,
  options: AnswerOptions,
): number {
  const [beforeTotal, afterTotal = ""] = JSON.stringify(batchOf([], options.language)).split("0", 2);
  const [beforeEntries, afterEntries = ""] = afterTotal.split(/(?=\])/, 2);
  const [entryHead, notAnIban] = cut(entryWithoutIban(anyIban, options, undefined));
  const short = layout.SHORT_SEGMENT_BYTES;
  const offsets: number[] = [];
  offsets[layout.SEGMENT_BATCH_HEAD] = segments.write(beforeTotal!);
  offsets[layout.SEGMENT_RESULTS] = segments.write(beforeEntries!);
  offsets[layout.SEGMENT_FIRST_ENTRY] = segments.writeWithin(short, entryHead!);
  offsets[layout.SEGMENT_NEXT_ENTRY] = segments.writeWithin(short, `,${entryHead}`);
  offsets[layout.SEGMENT_NOT_AN_IBAN] = segments.write(notAnIban!);
  offsets[layout.SEGMENT_UNREGISTERED_COUNTRY] = segments.write(restOf(checkOf("unknown_country", {})));
  offsets[layout.SEGMENT_KONTONUMMER] = segments.write(beforeKontonummer!);
  offsets[layout.SEGMENT_BLZ] = segments.write(beforeBlz!);
  offsets[layout.SEGMENT_BATCH_TAIL] = segments.writeWithin(short, afterEntries);
  if (outcomeNames.length > layout.OUTCOMES || warnings.length > layout.WARNINGS) {
    throw new RangeError("the layout has no room for all outcomes and warnings");
  }
  for (const [index, outcome] of outcomeNames.entries()) {
    const check = checkOf(outcome, { country: germany, isWellFormed: true });
    const [, middle] = cut(entryOf(check, options));
    const [head] = cut(answer(resultOf(check, options, undefined), options));
    offsets[layout.SEGMENT_OUTCOMES + index] = segments.writeWithin(layout.MIDDLE_SEGMENT_BYTES, middle!);
    offsets[layout.SEGMENT_SINGLES + index] = segments.write(head!);
    offsets[layout.SEGMENT_REASONS + index] = segments.write(endOf(check, options));
  }
  encodeWarnings(offsets, segments, options);
  return block.u32s(offsets);
}

function encodeWarnings(offsets: number[], segments: SegmentWriter, options: AnswerOptions): void {
  for (const [index, warning] of warnings.entries()) {
    const checks = [{ check: "bank_code", result: "unknown", warning }] as const;
    const check = checkOf("valid", { country: germany, isWellFormed: true, checks });
    offsets[layout.SEGMENT_WARNINGS + index] = segments.write(endOf(check, options));
  }
  const marked = (outcome: IbanOutcome, successor: string | null) => {
    const bank = { ...unknownBank, deleteMark: true, successor };
    const checks = [checkDeletion(bank)];
    return endOf(checkOf(outcome, { country: germany, isWellFormed: true, bank, checks }), options);
  };
  offsets[layout.SEGMENT_MARKED_VALID] = segments.write(marked("valid", null));
  offsets[layout.SEGMENT_MARKED_INVALID] = segments.write(marked("wrong_account_check_digit", null));
  const [validHead, afterSuccessor = closing] = marked("valid", anySuccessor).split(anySuccessor);
  const [invalidHead] = marked("wrong_account_check_digit", anySuccessor).split(anySuccessor);
  offsets[layout.SEGMENT_SUCCEEDED_VALID] = segments.write(validHead!);
  offsets[layout.SEGMENT_SUCCEEDED_INVALID] = segments.write(invalidHead!);
  offsets[layout.SEGMENT_AFTER_SUCCESSOR] = segments.write(afterSuccessor);
}
