import { germanIban } from "../banking/germany/account.ts";
import { type IbanCountry, ibanCountryByCode } from "../banking/iban/registry.ts";
import { CODE_BYTES } from "../banks/directory/directory-layout.ts";
import { MAX_FRAGMENT_BYTES } from "../banks/directory/fragment.ts";
import { batchEntry, batchOf } from "../checks/batch-answer.ts";
import { dataOf, noIbanData, singleAnswer } from "../checks/iban-answer.ts";
import { type IbanOutcome, ibanOutcomes } from "../contract/status.ts";
import * as layout from "./layout.ts";
import type { TableBlock } from "./table-block.ts";

const KONTONUMMER_BYTES = germanIban.kontonummer.length;
/** Quote before and brace after a fragment. */
const FRAGMENT_FRAME_BYTES = 2;
/** The most pieces that an entry without a fragment is made of. */
const maxPieces = 4;
/** Opening of the next entry, or end of the batch, and the words that may be written beyond the last byte. */
const AFTER_ENTRY_BYTES = 2 * layout.SHORT_PIECE_BYTES + layout.MIDDLE_PIECE_BYTES;

/** Names of the outcomes; the kernel knows them by their indexes. */
export const outcomeNames = Object.keys(ibanOutcomes) as readonly IbanOutcome[];

/** Writes the constant pieces of an answer into the tables. */
export class PieceWriter {
  readonly #block: TableBlock;
  #longest = 0;

  constructor(block: TableBlock) {
    this.#block = block;
  }

  /** Writes a piece and returns its offset. */
  write(piece: string): number {
    const text = Buffer.from(piece);
    this.#longest = Math.max(this.#longest, text.length);
    const offset = this.#block.reserve(4 + text.length);
    this.#block.u32(offset, text.length);
    this.#block.copy(offset + 4, text);
    return offset;
  }

  /** Does the same where the kernel copies a fixed number of bytes. Throws a RangeError for more than those. */
  writeWithin(maxBytes: number, piece: string): number {
    const length = Buffer.byteLength(piece);
    if (length > maxBytes)
      throw new RangeError(`a piece of ${length} bytes where the kernel copies ${maxBytes}`);
    return this.write(piece);
  }

  /** The most bytes an entry takes beside the two echoes of its text, whatever is written after it included. */
  get entryRoom(): number {
    const pieces = maxPieces * this.#longest + KONTONUMMER_BYTES + CODE_BYTES.bank;
    return pieces + MAX_FRAGMENT_BYTES + FRAGMENT_FRAME_BYTES + AFTER_ENTRY_BYTES;
  }
}

/**
 * Stands for any IBAN in answers of the reference that are cut into pieces: no two characters are equal, and none of them
 * is in a text of the service.
 */
const anyIban = String.fromCharCode(...Array.from({ length: 34 }, (_, place) => 0xe000 + place));
const germany = ibanCountryByCode("DE")!;

/** The JSON of a batch entry or single answer with `anyIban`, cut where the IBAN is. */
function cut(answer: object, iban = anyIban): readonly string[] {
  return JSON.stringify(answer).split(iban);
}

/** What follows the IBAN in the `data` of an IBAN of which no bank is known, to the end of the entry. */
function restOf(country: IbanCountry | undefined, outcome: IbanOutcome, isWellFormed: boolean): string {
  const check = { iban: anyIban, outcome, country, isWellFormed, bank: undefined, checks: [] };
  const entry = cut(batchEntry(anyIban, outcome, dataOf(check)));
  const single = cut(singleAnswer(check));
  if (entry.length !== 3 || entry[2] !== single.at(-1)) {
    throw new RangeError("a single answer and a batch entry must not differ after the IBAN");
  }
  return entry[2]!;
}

/** What is written before and after account number and bank code where the bank is not known. */
const [beforeKontonummer, beforeBlz] = (() => {
  const rest = restOf(germany, "unknown_bank_code", true);
  const { blz, kontonummer } = germanIban;
  const [first, ...others] = rest.split(anyIban.slice(kontonummer.start));
  const [second] = others.join("").split(anyIban.slice(blz.start, blz.start + blz.length));
  return [first!, second!];
})();

/** Returns the pieces that end an entry of a country: only the country known; bank unknown, number valid or not. */
export function countryPieces(country: IbanCountry) {
  const unknownBank = (outcome: IbanOutcome) => {
    const rest = restOf(country, outcome, true);
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
    countryOnly: restOf(country, "wrong_length", false),
    unknownBank: unknownBank("valid"),
    unknownBankInvalid: unknownBank("wrong_national_check_digits"),
  };
}

/** Cuts a text where the bank code of `anyIban` is, or would be. */
function bankCodeIn({ bank }: IbanCountry, rest: string): readonly string[] {
  if (bank !== null) return rest.split(anyIban.slice(4 + bank.start, 4 + bank.start + bank.length));
  const at = rest.indexOf(beforeBlz) + beforeBlz.length;
  return [rest.slice(0, at), rest.slice(at)];
}

/** Lays out the pieces that depend on no country, and the table of their offsets. */
export function layFixedPieces(block: TableBlock, pieces: PieceWriter): number {
  const [beforeTotal, afterTotal = ""] = JSON.stringify(batchOf([])).split("0", 2);
  const [beforeEntries, afterEntries = ""] = afterTotal.split(/(?=\])/, 2);
  const [entryHead, notAnIban] = cut(batchEntry(anyIban, "not_an_iban", noIbanData));
  const short = layout.SHORT_PIECE_BYTES;
  const offsets: number[] = [];
  offsets[layout.PIECE_BATCH_HEAD] = pieces.write(beforeTotal!);
  offsets[layout.PIECE_RESULTS] = pieces.write(beforeEntries!);
  offsets[layout.PIECE_FIRST_ENTRY] = pieces.writeWithin(short, entryHead!);
  offsets[layout.PIECE_NEXT_ENTRY] = pieces.writeWithin(short, `,${entryHead}`);
  offsets[layout.PIECE_NOT_AN_IBAN] = pieces.write(notAnIban!);
  offsets[layout.PIECE_UNREGISTERED_COUNTRY] = pieces.write(restOf(undefined, "unknown_country", false));
  offsets[layout.PIECE_KONTONUMMER] = pieces.write(beforeKontonummer!);
  offsets[layout.PIECE_BLZ] = pieces.write(beforeBlz!);
  offsets[layout.PIECE_BATCH_TAIL] = pieces.writeWithin(short, afterEntries);
  for (const [index, outcome] of outcomeNames.entries()) {
    const check = {
      iban: anyIban,
      outcome,
      country: germany,
      isWellFormed: true,
      bank: undefined,
      checks: [],
    };
    const [, middle] = cut(batchEntry(anyIban, outcome, dataOf(check)));
    const [head] = cut(singleAnswer(check));
    offsets[layout.PIECE_OUTCOMES + index] = pieces.writeWithin(layout.MIDDLE_PIECE_BYTES, middle!);
    offsets[layout.PIECE_SINGLES + index] = pieces.write(head!);
  }
  const table = block.reserve(offsets.length * 4);
  for (const [number, offset] of offsets.entries()) block.u32(table + number * 4, offset);
  return table;
}
