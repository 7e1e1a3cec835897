import * as layout from "./table-layout.ts";

export type RowTable = ReturnType<typeof rowTable>;

/**
 * Where rows are in a block, and the numbers in them: at an offset of a memory that the kernel fills rows in. The columns
 * lie as the kernel reads them.
 */
export function rowTable(memory: ArrayBufferLike, room: number) {
  const column = (offset: number) => new Int32Array(memory, room + layout.ROWS + offset, layout.TABLE_ROWS);
  return {
    /** Offset of the table in the memory. */
    room,
    count: 0,
    /** Where the first row begins that is not here. */
    next: 0,
    /** Decides how a row is answered: `ROW_REGULAR`, `ROW_EMPTY` or `ROW_OTHER` each. */
    kind: column(layout.ROW_KIND),
    /** The row without its line break, and how many fields it lacks. */
    begin: column(layout.ROW_BEGIN),
    end: column(layout.ROW_END),
    missing: column(layout.ROW_MISSING),
    /** Where the next row begins, and how many lines this one takes. */
    after: new Int32Array(layout.TABLE_ROWS),
    lines: column(layout.ROW_LINES),
    /** The number in normal form, and the bank code of an account or −1. */
    numberBegin: column(layout.ROW_NUMBER_BEGIN),
    numberEnd: column(layout.ROW_NUMBER_END),
    blz: column(layout.ROW_BLZ),
    /** The BIC next to an IBAN, as written; its length is 0 if there is none. */
    bicBegin: column(layout.ROW_BIC_BEGIN),
    bicEnd: column(layout.ROW_BIC_END),
    /** Its id as JSON; the end is 0 if it has none. */
    idBegin: column(layout.ROW_ID_BEGIN),
    idEnd: column(layout.ROW_ID_END),
    /** Where the IBANs are that the scan copied, each in normal form with a line feed after it. */
    ibans: 0,
    ibansEnd: 0,
    /** One number each: offset in the memory where the next row is written, that of the verdict on the next IBAN, and the next line. */
    at: new Uint32Array(memory, room + layout.FILL_AT, 1),
    verdict: new Uint32Array(memory, room + layout.FILL_VERDICT, 1),
    line: new Float64Array(memory, room + layout.FILL_LINE, 1),
  };
}
