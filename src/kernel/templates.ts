import { type RowTable, rowTable } from "./row-table.ts";
import * as layout from "./table-layout.ts";

/** Marks a place in a text: neither JSON nor CSV escapes it, and no text of an answer contains it. */
const mark = "\ue000";
const markedPlace = new RegExp(`${mark}(\\d+)x(\\d+)${mark}`);
/** Marks where the kernel writes the fragment of a bank; all places come before it. */
export const cutMark = "\ue001";

/** Marks the place for the characters of a number from `start` to `end`, by default to its last: no number is longer. */
export function placeholder(start = 0, end = 9_999): string {
  return `${mark}${start}x${end}${mark}`;
}

/** What is written of all numbers of one length, one bank and one outcome. */
export interface Answer {
  /** Its text, with marks for the parts of the number and at most one `cutMark`. */
  readonly marked: string;
  readonly valid: boolean;
  /** Why the numbers are not valid, or the warning on valid ones; otherwise empty. */
  readonly reason: string;
  readonly bic: string | null;
}

const noteStart = 0xffff;
/** The place of the note beside a number, which is empty where the kernel fills. */
export const notePlaceholder = placeholder(noteStart, noteStart);

/** With more, look-ups take longer. A million sample numbers of 90 countries have 21,891 verdicts. */
const maxTemplates = (layout.CELLS / 4) * 3;
/** Room that one block of a stream may need; with less, all templates are forgotten before it. */
const blockTemplates = 8_192;
const blockBytes = 2_097_152;
/** The kernel copies texts in words of 16 bytes. */
const slack = 16;

/**
 * The templates of a thread: the answers to all numbers of one bank, outcome, length and form, which `Kernel.fill` writes.
 *
 * Its room in the shared memory is this thread's alone; `TEMPLATE_ROOM_BYTES`.
 */
export class Templates {
  /** Offset of the room in the memory. */
  readonly room: number;
  readonly table: RowTable;
  readonly #bytes: Buffer;
  readonly #words: DataView;
  readonly #tallies: Uint32Array;
  #forms = new WeakMap<object, Map<string, number>>();
  #formCount = 0;
  #count = 0;
  #end = layout.TEMPLATES_AT;
  /** By tally; valid and invalid numbers share them. */
  readonly #reasons = [""];

  constructor(memory: ArrayBufferLike, room: number) {
    this.room = room;
    this.table = rowTable(memory, room);
    this.#bytes = Buffer.from(memory as ArrayBuffer, room, layout.TEMPLATE_ROOM_BYTES);
    this.#words = new DataView(memory, room, layout.TEMPLATE_ROOM_BYTES);
    this.#tallies = new Uint32Array(memory, room + layout.TALLIES_AT, layout.TALLIES);
    this.#forget();
  }

  /**
   * Returns the number of a form: a directory and a `key` that names options and format.
   *
   * Call it for each block: it makes room where there is little, so that no template is forgotten before the block ends.
   */
  formOf(directory: object, key: string): number {
    const isFull =
      this.#end + blockBytes > layout.TEMPLATE_ROOM_BYTES || this.#count + blockTemplates > maxTemplates;
    if (isFull || this.#formCount === layout.MAX_FORMS) this.#forget();
    const forms = this.#forms.get(directory) ?? new Map<string, number>();
    const known = forms.get(key);
    if (known !== undefined) return known;
    this.#forms.set(directory, forms.set(key, ++this.#formCount));
    return this.#formCount;
  }

  get size(): number {
    return this.#count;
  }

  /**
   * Returns the template of a verdict: its address, 0 if there is none and `answerOf` returns none, or there is no room.
   *
   * `finding` and `bank` are those of a verdict of `Kernel.judge`, or numbers that cannot be one.
   */
  of(
    kernel: { cellOf(what: number, bank: number): number },
    form: number,
    finding: number,
    bank: number,
    length: number,
    answerOf: () => Answer | undefined,
  ): number {
    if (length > layout.MAX_FILLED_LENGTH) return 0;
    const what = (finding | (form << layout.CELL_FORM_SHIFT) | (length << layout.CELL_LENGTH_SHIFT)) >>> 0;
    const cell = kernel.cellOf(what, bank) - this.room;
    const known = this.#words.getUint32(cell + layout.CELL_TEMPLATE, true);
    if (known !== 0 || this.#count === maxTemplates) return known;
    const answer = answerOf();
    const template = answer === undefined ? 0 : this.#write(answer, length);
    if (template === 0) return 0;
    this.#count++;
    this.#words.setUint32(cell, what, true);
    this.#words.setUint32(cell + layout.CELL_BANK, bank, true);
    this.#words.setUint32(cell + layout.CELL_TEMPLATE, template, true);
    return template;
  }

  outcomeOf(template: number): Pick<Answer, "valid" | "reason"> {
    return this.#outcomeOf(this.#words.getUint16(template - this.room + layout.TEMPLATE_TALLY, true));
  }

  /** Returns the first eight characters of the BIC of a template's bank; null without one. */
  institutionOf(template: number): string | null {
    const at = template - this.room + layout.TEMPLATE_INSTITUTION;
    return this.#bytes[at] === 0 ? null : this.#bytes.toString("latin1", at, at + 8);
  }

  /** Returns the text of a number, with one character for each byte. */
  textOf(template: number, number: string, note = ""): string {
    const at = template - this.room;
    const textAt = at + layout.TEMPLATE_TEXT;
    const end = textAt + this.#words.getUint16(at + layout.TEMPLATE_BYTES, true);
    const bytes = Buffer.from(this.#bytes.subarray(textAt, end));
    bytes.write(number, this.#words.getUint16(at + layout.TEMPLATE_WHOLE, true), "latin1");
    bytes.write(number, this.#words.getUint16(at + layout.TEMPLATE_WHOLE_AGAIN, true), "latin1");
    let noteAt: number | undefined;
    const places = this.#words.getUint16(at + layout.TEMPLATE_PLACES, true);
    for (let placeAt = end; placeAt < end + places * layout.PLACE_BYTES; placeAt += layout.PLACE_BYTES) {
      const [place, start, length] = [0, 2, 4].map((field) => this.#words.getUint16(placeAt + field, true));
      if (start === noteStart) noteAt = place!;
      else bytes.write(number.slice(start, start! + length!), place!, "latin1");
    }
    if (noteAt === undefined) return bytes.toString("latin1");
    return bytes.toString("latin1", 0, noteAt) + note + bytes.toString("latin1", noteAt);
  }

  /** Calls `take` with how many rows were filled for each outcome, and counts anew. */
  takeTallies(take: (outcome: Pick<Answer, "valid" | "reason">, rows: number) => void): void {
    for (const [tally, rows] of this.#tallies.entries()) if (rows > 0) take(this.#outcomeOf(tally), rows);
    this.#tallies.fill(0);
  }

  #forget(): void {
    this.#bytes.fill(0, layout.TALLIES_AT, layout.CELLS_AT + layout.CELLS * layout.CELL_BYTES);
    this.#forms = new WeakMap();
    this.#formCount = 0;
    this.#count = 0;
    this.#end = layout.TEMPLATES_AT;
  }

  #outcomeOf(tally: number): Pick<Answer, "valid" | "reason"> {
    return { valid: tally < layout.TALLY_INVALID, reason: this.#reasons[tally % layout.TALLY_INVALID]! };
  }

  #tallyOf({ valid, reason }: Pick<Answer, "valid" | "reason">): number {
    if (!this.#reasons.includes(reason)) this.#reasons.push(reason);
    return this.#reasons.indexOf(reason) + (valid ? 0 : layout.TALLY_INVALID);
  }

  #write({ marked, bic, ...outcome }: Answer, length: number): number {
    const at = this.#end;
    const textAt = at + layout.TEMPLATE_TEXT;
    const pieces = marked.split(markedPlace);
    if (
      textAt + 4 * marked.length + pieces.length * (length + layout.PLACE_BYTES) + slack >
      layout.TEMPLATE_ROOM_BYTES
    )
      return 0;
    const wholes: number[] = [];
    const parts: number[] = [];
    let end = textAt;
    let cut: number | undefined;
    for (const [index, piece] of pieces.entries()) {
      if (index % 3 === 0) {
        const [head = "", tail] = piece.split(cutMark);
        end += this.#bytes.write(head, end);
        if (tail === undefined) continue;
        cut = end;
        end += this.#bytes.write(tail, end);
      } else if (index % 3 === 1) {
        const start = Number(piece);
        const count = Math.max(0, Math.min(Number(pieces[index + 1]), length) - start);
        if (start === 0 && count === length && wholes.length < 2) wholes.push(end - textAt);
        else parts.push(end - textAt, start, count);
        end += count;
      }
    }
    const bytes = end - textAt;
    if (bytes > 0xffff) return 0;
    const [whole = bytes, wholeAgain = whole] = wholes;
    for (const [index, field] of parts.entries()) this.#words.setUint16(end + 2 * index, field, true);
    this.#words.setUint16(at + layout.TEMPLATE_BYTES, bytes, true);
    this.#words.setUint16(at + layout.TEMPLATE_HEAD_BYTES, (cut ?? end) - textAt, true);
    this.#words.setUint16(at + layout.TEMPLATE_TALLY, this.#tallyOf(outcome), true);
    this.#words.setUint16(at + layout.TEMPLATE_PLACES, parts.length / 3, true);
    this.#words.setUint16(at + layout.TEMPLATE_WHOLE, whole, true);
    this.#words.setUint16(at + layout.TEMPLATE_WHOLE_AGAIN, wholeAgain, true);
    this.#bytes.fill(0, at + layout.TEMPLATE_INSTITUTION, at + layout.TEMPLATE_WHOLE);
    this.#bytes.write((bic ?? "").slice(0, 8), at + layout.TEMPLATE_INSTITUTION, "latin1");
    this.#end = (end + 2 * parts.length + slack) & ~7;
    return this.room + at;
  }
}
