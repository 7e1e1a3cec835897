import type { Kernel } from "./kernel.ts";
import { RowTable } from "./row-table.ts";
import {
  CELL_BANK,
  CELL_BYTES,
  CELL_FORM_SHIFT,
  CELL_LENGTH_SHIFT,
  CELL_TEMPLATE,
  CELLS,
  CELLS_AT,
  MAX_FILLED_LENGTH,
  MAX_FORMS,
  PLACE_BYTES,
  TALLIES,
  TALLIES_AT,
  TALLY_VALID,
  TEMPLATE_BYTES,
  TEMPLATE_HEADER,
  TEMPLATE_INSTITUTION,
  TEMPLATE_PLACES,
  TEMPLATE_ROOM_BYTES,
  TEMPLATE_TALLY,
  TEMPLATES_AT,
} from "./table-layout.ts";

/** Part of the number that fills a place of a template: the characters from `start` to `end`. */
export interface Placeholder {
  readonly start: number;
  readonly end: number;
}

/** The place for a number from a character on; no number is longer. */
export function placeholderFrom(start: number): Placeholder {
  return { start, end: 9_999 };
}

/** The place for all of a number. */
export const wholeNumber = placeholderFrom(0);

/** Marks a place in a text: neither JSON nor CSV escapes it, and no text of an answer contains it. */
const mark = "\ue000";
const markedPlace = new RegExp(`${mark}(\\d+)x(\\d+)${mark}`);

/** Returns the mark of a place. */
export function placeholderMark({ start, end }: Placeholder): string {
  return `${mark}${start}x${end}${mark}`;
}

/** What is written of all numbers of one length, one bank and one outcome. */
export interface Answer {
  /** Its text, with marks for the parts of the number. */
  readonly marked: string;
  /** Why the numbers are not valid; undefined if they are. */
  readonly reason: string | undefined;
  /** The BIC of their bank. */
  readonly bic: string | null;
}

/** The place of the note beside a number, which is empty where the kernel fills. */
export const notePlace: Placeholder = { start: 0xffff, end: 0xffff };

/** With more, look-ups take longer. A million sample numbers of 90 countries have 21,891 verdicts. */
const maxTemplates = (CELLS / 4) * 3;
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
  /** The rows that are filled together. */
  readonly table: RowTable;
  readonly #bytes: Buffer;
  readonly #words: DataView;
  readonly #tallies: Uint32Array;
  /** Numbers of the forms of answers. */
  #forms = new WeakMap<object, Map<string, number>>();
  #formCount = 0;
  #count = 0;
  #end = TEMPLATES_AT;
  /** By tally; valid ones have none. */
  readonly #reasons: (string | undefined)[] = [undefined];

  constructor(memory: ArrayBufferLike, room: number) {
    this.room = room;
    this.table = new RowTable(memory, room);
    this.#bytes = Buffer.from(memory as ArrayBuffer, room, TEMPLATE_ROOM_BYTES);
    this.#words = new DataView(memory, room, TEMPLATE_ROOM_BYTES);
    this.#tallies = new Uint32Array(memory, room + TALLIES_AT, TALLIES);
    this.#forget();
  }

  /**
   * Returns the number of a form: a directory and a `key` that names options and format.
   *
   * Call it for each block: it makes room where there is little, so that no template is forgotten before the block ends.
   */
  formOf(directory: object, key: string): number {
    const isFull =
      this.#end + blockBytes > TEMPLATE_ROOM_BYTES || this.#count + blockTemplates > maxTemplates;
    if (isFull || this.#formCount === MAX_FORMS) this.#forget();
    let forms = this.#forms.get(directory);
    if (forms === undefined) {
      forms = new Map();
      this.#forms.set(directory, forms);
    }
    let form = forms.get(key);
    if (form === undefined) {
      form = ++this.#formCount;
      forms.set(key, form);
    }
    return form;
  }

  /** Number of templates. */
  get size(): number {
    return this.#count;
  }

  /**
   * Returns the template of a verdict: its address, 0 if there is none and `answerOf` returns none, or there is no room.
   *
   * `finding` and `bank` are those of a verdict of `Kernel.judge`, or numbers that cannot be one.
   */
  of(
    kernel: Kernel,
    form: number,
    finding: number,
    bank: number,
    length: number,
    answerOf: () => Answer | undefined,
  ): number {
    if (length > MAX_FILLED_LENGTH) return 0;
    const what = (finding | (form << CELL_FORM_SHIFT) | (length << CELL_LENGTH_SHIFT)) >>> 0;
    const cell = kernel.cellOf(what, bank) - this.room;
    const known = this.#words.getUint32(cell + CELL_TEMPLATE, true);
    if (known !== 0 || this.#count === maxTemplates) return known;
    const answer = answerOf();
    const template = answer === undefined ? 0 : this.#write(answer, length);
    if (template === 0) return 0;
    this.#count++;
    this.#words.setUint32(cell, what, true);
    this.#words.setUint32(cell + CELL_BANK, bank, true);
    this.#words.setUint32(cell + CELL_TEMPLATE, template, true);
    return template;
  }

  /** Returns why the numbers of a template are not valid; undefined if they are. */
  reasonOf(template: number): string | undefined {
    return this.#reasons[this.#words.getUint32(template - this.room + TEMPLATE_TALLY, true)];
  }

  /** Returns the first eight characters of the BIC of a template's bank; null without one. */
  institutionOf(template: number): string | null {
    const at = template - this.room + TEMPLATE_INSTITUTION;
    return this.#bytes[at] === 0 ? null : this.#bytes.toString("latin1", at, at + 8);
  }

  /** Returns the text of a number, with one character for each byte. */
  textOf(template: number, number: string, note = ""): string {
    const at = template - this.room;
    const places = this.#words.getUint16(at + TEMPLATE_PLACES, true);
    const textAt = at + TEMPLATE_HEADER + places * PLACE_BYTES;
    let text = "";
    let from = textAt;
    for (let placeAt = at + TEMPLATE_HEADER; placeAt < textAt; placeAt += PLACE_BYTES) {
      const place = textAt + this.#words.getUint16(placeAt, true);
      const start = this.#words.getUint16(placeAt + 2, true);
      const length = this.#words.getUint16(placeAt + 4, true);
      text += this.#bytes.toString("latin1", from, place);
      text += start === notePlace.start ? note : number.slice(start, start + length);
      from = place + length;
    }
    const end = textAt + this.#words.getUint16(at + TEMPLATE_BYTES, true);
    return text + this.#bytes.toString("latin1", from, end);
  }

  /** Calls `take` with how many rows were filled for each reason, undefined for valid ones, and counts anew. */
  takeTallies(take: (reason: string | undefined, rows: number) => void): void {
    for (const [tally, reason] of this.#reasons.entries()) {
      const rows = this.#tallies[tally]!;
      if (rows > 0) take(reason, rows);
    }
    this.#tallies.fill(0);
  }

  #forget(): void {
    this.#bytes.fill(0, TALLIES_AT, CELLS_AT + CELLS * CELL_BYTES);
    this.#forms = new WeakMap();
    this.#formCount = 0;
    this.#count = 0;
    this.#end = TEMPLATES_AT;
  }

  #tallyOf(reason: string | undefined): number {
    if (reason === undefined) return TALLY_VALID;
    const known = this.#reasons.indexOf(reason);
    return known > 0 ? known : this.#reasons.push(reason) - 1;
  }

  #write({ marked, reason, bic }: Answer, length: number): number {
    const [first = "", ...parts] = marked.split(markedPlace);
    const at = this.#end;
    const places = parts.length / 3;
    const textAt = at + TEMPLATE_HEADER + places * PLACE_BYTES;
    if (textAt + 4 * marked.length + places * length + slack > TEMPLATE_ROOM_BYTES) return 0;
    let end = textAt + this.#bytes.write(first, textAt);
    for (let place = 0; place < places; place++) {
      const [from, to, text = ""] = parts.slice(3 * place, 3 * place + 3);
      const count = Math.max(0, Math.min(Number(to), length) - Number(from));
      const placeAt = at + TEMPLATE_HEADER + place * PLACE_BYTES;
      this.#words.setUint16(placeAt, end - textAt, true);
      this.#words.setUint16(placeAt + 2, Number(from), true);
      this.#words.setUint16(placeAt + 4, count, true);
      end += count;
      end += this.#bytes.write(text, end);
    }
    if (end - textAt > 0xffff) return 0;
    const tally = this.#tallyOf(reason);
    this.#words.setUint16(at + TEMPLATE_BYTES, end - textAt, true);
    this.#words.setUint16(at + TEMPLATE_PLACES, places, true);
    this.#words.setUint32(at + TEMPLATE_TALLY, tally, true);
    this.#bytes.fill(0, at + TEMPLATE_INSTITUTION, at + TEMPLATE_HEADER);
    this.#bytes.write((bic ?? "").slice(0, 8), at + TEMPLATE_INSTITUTION, "latin1");
    this.#end = (end + slack) & ~7;
    return this.room + at;
  }
}
