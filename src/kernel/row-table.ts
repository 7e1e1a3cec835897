import * as layout from "./table-layout.ts";

/** Where rows are in a block, and the numbers in them; the columns lie as the kernel reads them. */
export class RowTable {
  /** Offset of the table in the memory. */
  readonly room: number;
  count = 0;
  /** Where the first row begins that is not here. */
  next = 0;
  /** Decides how a row is answered: `ROW_REGULAR`, `ROW_EMPTY` or `ROW_OTHER` each. */
  readonly kind: Int32Array;
  /** The row without its line break, and how many fields it lacks. */
  readonly begin: Int32Array;
  readonly end: Int32Array;
  readonly missing: Int32Array;
  /** Where the next row begins, and how many lines this one takes. */
  readonly after = new Int32Array(layout.TABLE_ROWS);
  readonly lines: Int32Array;
  /** The number in normal form, and the bank code of an account or −1. */
  readonly numberBegin: Int32Array;
  readonly numberEnd: Int32Array;
  readonly blz: Int32Array;
  /** The BIC next to an IBAN, as written; its length is 0 if there is none. */
  readonly bicBegin: Int32Array;
  readonly bicEnd: Int32Array;
  /** Its id as JSON; the end is 0 if it has none. */
  readonly idBegin: Int32Array;
  readonly idEnd: Int32Array;
  /** Where the IBANs are that the scan copied, each in normal form with a line feed after it. */
  ibans = 0;
  ibansEnd = 0;
  readonly #offsets: Uint32Array;
  readonly #line: Float64Array;

  /** Lies at an offset of a memory that the kernel fills rows in. */
  constructor(memory: ArrayBufferLike, room: number) {
    const column = (offset: number) => new Int32Array(memory, room + layout.ROWS + offset, layout.TABLE_ROWS);
    this.room = room;
    this.kind = column(layout.ROW_KIND);
    this.begin = column(layout.ROW_BEGIN);
    this.end = column(layout.ROW_END);
    this.missing = column(layout.ROW_MISSING);
    this.lines = column(layout.ROW_LINES);
    this.numberBegin = column(layout.ROW_NUMBER_BEGIN);
    this.numberEnd = column(layout.ROW_NUMBER_END);
    this.blz = column(layout.ROW_BLZ);
    this.bicBegin = column(layout.ROW_BIC_BEGIN);
    this.bicEnd = column(layout.ROW_BIC_END);
    this.idBegin = column(layout.ROW_ID_BEGIN);
    this.idEnd = column(layout.ROW_ID_END);
    this.#offsets = new Uint32Array(memory, room + layout.FILL_AT, 2);
    this.#line = new Float64Array(memory, room + layout.FILL_LINE, 1);
  }

  /** Offset in the memory where the next row is written. */
  get at(): number {
    return this.#offsets[0]!;
  }

  set at(at: number) {
    this.#offsets[0] = at;
  }

  /** Offset of the verdict on the next IBAN. */
  get verdict(): number {
    return this.#offsets[1]!;
  }

  set verdict(verdict: number) {
    this.#offsets[1] = verdict;
  }

  /** Number of the next row's line. */
  get line(): number {
    return this.#line[0]!;
  }

  set line(line: number) {
    this.#line[0] = line;
  }
}
