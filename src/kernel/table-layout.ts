/*
 * Layout of the kernel's tables. Two compilers read this file, TypeScript's for the builder of the tables and
 * AssemblyScript's for their reader, so it holds nothing but numeric constants. README.md shows the whole.
 */

/** Bytes of the header, which holds a u32 for each section, its offset from the first byte of the tables, and the waiving rules. */
export const HEADER_BYTES = 32;
/** 676 bytes, by letter pair: index of the country, or UNREGISTERED plus the finding for such a prefix. */
export const HEADER_COUNTRY_BY_PAIR = 0;
/** COUNTRY_BYTES per country. */
export const HEADER_COUNTRIES = 4;
/** i16 per check-digit method: the node its decision graph begins with. */
export const HEADER_METHOD_ENTRIES = 8;
/** NODE_BYTES per node of the decision graphs. */
export const HEADER_METHOD_NODES = 12;
/** u64: bit r is set where IBAN rule r accepts some accounts without their check digit. */
export const HEADER_WAIVING_RULES = 16;

/** Added to the finding in the table of letter pairs. */
export const UNREGISTERED = 128;
/** IBAN rules that have a bit in the word of waiving rules. */
export const RULE_BITS = 64;

/** Bytes of one country. */
export const COUNTRY_BYTES = 64;
/** u64: bit n is set where the n-th character of the IBAN must be a digit, and where it must be a letter. */
export const COUNTRY_DIGITS = 0;
export const COUNTRY_LETTERS = 8;
/** u64 mask of the first eight characters of the bank code, one byte each. */
export const COUNTRY_BANK_MASK = 16;
/** u64 mask of the branch code; 0 if it is not looked up. */
export const COUNTRY_BRANCH_MASK = 24;
/** u16 mask of the ninth and tenth character of the bank code. */
export const COUNTRY_BANK_TAIL_MASK = 32;
/** u8 length of the IBAN. */
export const COUNTRY_IBAN_LENGTH = 34;
/** u8 index of the country. */
export const COUNTRY_INDEX = 35;
/** u8: what the country code adds to the IBAN's remainder modulo 97. */
export const COUNTRY_PREFIX = 36;
/** u8, bits of COUNTRY_FLAG. */
export const COUNTRY_FLAGS = 37;
/** u8 places of bank code and branch code inside the IBAN. */
export const COUNTRY_BANK_START = 38;
export const COUNTRY_BRANCH_START = 39;
/** Bits of COUNTRY_FLAGS: Germany; a check of the country's own may reject, or only warn. */
export const COUNTRY_FLAG_GERMAN = 1;
export const COUNTRY_FLAG_MAY_REJECT = 2;
export const COUNTRY_FLAG_MAY_WARN = 4;

/** Indexes of the warnings that the kernel finds itself. */
export const WARN_BANK_CODE = 0;
export const WARN_ACCOUNT = 4;
/** In place of such an index: a check of the country's own says that the IBAN is wrong. */
export const WRONG_BY_COUNTRY = -2;

/** Bytes of one node of a decision graph. */
export const NODE_BYTES = 24;
/** u8: what the node tests, one of NODE_SUM to NODE_STEPWISE. */
export const NODE_KIND = 0;
/** u8: place inside the IBAN of the tested digit, the first of several or a sum's check digit; or an algorithm's number. */
export const NODE_PLACE = 1;
/** u8: place inside the IBAN of the last digit of a range. */
export const NODE_LAST_PLACE = 2;
/** i16: where to go when the test fails, and after it i16: where when it holds; the number of a node, or one of `End`. */
export const NODE_TARGETS = 4;
/** u64 each: lowest and highest number of a range. */
export const NODE_MIN = 8;
export const NODE_MAX = 16;
/** u32 offsets of a sum's tables: u8 contributions by digit position and digit, u16 allowed check digits by sum. */
export const NODE_CONTRIBUTIONS = 8;
export const NODE_ALLOWED = 12;
/** u32: the digits that a test of one digit allows, a bit each. */
export const NODE_DIGITS = 8;

/** The check digit is one of those that a digit sum allows. */
export const NODE_SUM = 0;
/** A digit is one of some. */
export const NODE_DIGIT = 1;
/** A run of digits, read as a number, lies in a range. */
export const NODE_RANGE = 2;
/** A step-by-step algorithm, run in TypeScript, accepts the account. */
export const NODE_STEPWISE = 3;

/** Bytes from the first of an IBAN on that may be read without regard to its length. */
export const LOOKED_AT = 48;
/** Bytes from the first of a bank's fragment on that may be read without regard to its length. */
export const FRAGMENT_LOOKED_AT = 80;

/** Bytes that may be written beyond the end of what is filled. */
export const FILL_SLACK = 192;
/** Bytes that the room for an answer has at least. */
export const MIN_ROOM = 4_096;

/** Bytes of the verdict on one line of a text, and its fields. */
export const VERDICT_BYTES = 8;
/** u32: number of the outcome within VERDICT_OUTCOMES; VERDICT_UNKNOWN_BANK; and one more than the index of a warning. */
export const VERDICT_FINDING = 0;
/** u32: offset of the bank's record in the directory; without one 1 more than the index of the country, 0 without both. */
export const VERDICT_BANK = 4;
export const VERDICT_OUTCOMES = 127;
/** In place of an outcome: what opens a batch, with the number of its entries in digits, and what closes it. */
export const FINDING_BATCH_HEAD = 124;
export const FINDING_BATCH_TAIL = 125;
/** The bank was looked for and is unknown. */
export const VERDICT_UNKNOWN_BANK = 128;
export const VERDICT_WARNING_SHIFT = 8;

/*
 * The room of a thread's templates (`templates.ts`): a table of the rows that are answered together, counts by tally, the
 * cells of a hash table, and the templates.
 */

/** Bytes of a room; pages that were never written to cost nothing. */
export const TEMPLATE_ROOM_BYTES = 16_777_216;
/** u32 address where the next row is written, u32 address of the verdict on its IBAN, f64 number of its line. */
export const FILL_AT = 0;
export const FILL_VERDICT = 4;
export const FILL_LINE = 8;
/** Rows of the table, which has a column of as many i32 for each field of a row, in the order of `rows/row-table.ts`. */
export const TABLE_ROWS = 128;
export const ROWS = 64;
export const ROW_KIND = 0;
export const ROW_BEGIN = 512;
export const ROW_END = 1_024;
export const ROW_MISSING = 1_536;
export const ROW_LINES = 2_048;
export const ROW_NUMBER_BEGIN = 2_560;
export const ROW_NUMBER_END = 3_072;
export const ROW_BLZ = 3_584;
export const ROW_BIC_BEGIN = 4_096;
export const ROW_BIC_END = 4_608;
export const ROW_ID_BEGIN = 5_120;
export const ROW_ID_END = 5_632;
/** Kinds of rows: its bytes alone show its number; it has none and is not answered; it is read field by field. */
export const ROW_REGULAR = 0;
export const ROW_EMPTY = 1;
export const ROW_OTHER = 2;
/** u32 per tally: how many rows were filled. */
export const TALLIES_AT = 8_192;
export const TALLIES = 256;
/** CELL_BYTES per cell: u32 what was found with the form and the length of the number, u32 bank, u32 address of the template. */
export const CELLS_AT = 12_288;
export const CELLS = 65_536;
export const CELL_BYTES = 16;
export const CELL_BANK = 4;
export const CELL_TEMPLATE = 8;
export const CELL_FORM_SHIFT = 12;
export const MAX_FORMS = 4_095;
export const CELL_LENGTH_SHIFT = 24;
export const MAX_FILLED_LENGTH = 255;
/** Where the first template is. */
export const TEMPLATES_AT = 1_060_864;
/** u16 bytes of the text; u16 those before the fragment of a bank, all if there is none; u16 tally; u16 number of places. */
export const TEMPLATE_BYTES = 0;
export const TEMPLATE_HEAD_BYTES = 2;
export const TEMPLATE_TALLY = 4;
export const TEMPLATE_PLACES = 6;
/** The first eight characters of the bank's BIC, 0 without one. */
export const TEMPLATE_INSTITUTION = 8;
/** u16 each: where the whole number is in the text. The same twice if it is there once, the end of the text if nowhere. */
export const TEMPLATE_WHOLE = 16;
export const TEMPLATE_WHOLE_AGAIN = 18;
/** The text, and after it PLACE_BYTES per place: u16 where it is in the text, u16 where in the number, u16 length. */
export const TEMPLATE_TEXT = 20;
export const PLACE_BYTES = 6;
/** The first tally of numbers that are not valid; valid ones have those below it. */
export const TALLY_INVALID = 128;
