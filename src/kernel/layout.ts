/*
 * Numbers that both sides of the kernel need: the module in WebAssembly and the TypeScript that fills its tables.
 *
 * Two compilers read this file, so nothing but numeric constants stands in it. README.md explains the tables;
 * `layout-agreement.ts` fails to compile where a number restated here differs from its source.
 */

/** Bytes of the header: one u32 per section, its offset from the first byte of the tables. */
export const HEADER_BYTES = 32;
/** 676 bytes, by letter pair: the country index, or UNREGISTERED plus the finding of an unregistered prefix. */
export const HEADER_COUNTRY_BY_PAIR = 0;
/** COUNTRY_BYTES per country. */
export const HEADER_COUNTRIES = 4;
/** u32 per fixed piece, then u32 per outcome: offset of a piece, which is its u32 length and its bytes. */
export const HEADER_PIECES = 8;
/** u16 per check-digit method: the node its decision graph begins with. */
export const HEADER_METHOD_ENTRIES = 12;
/** NODE_BYTES per node of the decision graphs. */
export const HEADER_METHOD_NODES = 16;
/** u64: bit r is set where IBAN rule r gives some accounts without their check digit. */
export const HEADER_WAIVING_RULES = 20;
/** u32: the most bytes an entry takes beside the texts it echoes, with the bytes written past its end. */
export const HEADER_ENTRY_ROOM = 24;

/** Added to the finding in the table of letter pairs. */
export const UNREGISTERED = 128;

/** Bytes of one country. */
export const COUNTRY_BYTES = 64;
/** u64, bit n for the n-th character of the IBAN: must be a digit. */
export const COUNTRY_DIGITS = 0;
/** u64, bit n for the n-th character of the IBAN: must be a letter. */
export const COUNTRY_LETTERS = 8;
/** u64 mask for the first eight characters of the bank code. */
export const COUNTRY_BANK_MASK = 16;
/** u64 mask for the characters of the branch code; 0 where it is not looked up. */
export const COUNTRY_BRANCH_MASK = 24;
/** u16 mask for the ninth and tenth character of the bank code. */
export const COUNTRY_BANK_TAIL_MASK = 32;
/** u8 length of the IBAN. */
export const COUNTRY_IBAN_LENGTH = 34;
/** u8 index of the country. */
export const COUNTRY_INDEX = 35;
/** u8 remainder modulo 97 of the country code and 00, as the IBAN's check adds it. */
export const COUNTRY_PREFIX = 36;
/** u8, bits of COUNTRY_FLAG. */
export const COUNTRY_FLAGS = 37;
/** u8 place of the bank code inside the IBAN and its length; length 0 where the registry defines none. */
export const COUNTRY_BANK_START = 38;
export const COUNTRY_BANK_LENGTH = 39;
/** u8 place of the branch code inside the IBAN. */
export const COUNTRY_BRANCH_START = 40;
/** u32 pieces that end an entry: only the country known; bank unknown; bank unknown and number not valid. */
export const COUNTRY_ONLY = 44;
export const COUNTRY_UNKNOWN_BANK = 48;
export const COUNTRY_UNKNOWN_BANK_INVALID = 52;

/** Bits of COUNTRY_FLAGS: Germany; bank code to be looked up; national check digits enforced. */
export const COUNTRY_FLAG_GERMAN = 1;
export const COUNTRY_FLAG_NATIONAL_CHECK = 2;

/** Fixed pieces, by place in the piece table. */
export const PIECE_BATCH_HEAD = 0;
export const PIECE_RESULTS = 1;
export const PIECE_FIRST_ENTRY = 2;
export const PIECE_NEXT_ENTRY = 3;
export const PIECE_NOT_AN_IBAN = 4;
export const PIECE_UNREGISTERED_COUNTRY = 5;
export const PIECE_KONTONUMMER = 6;
export const PIECE_BLZ = 7;
export const PIECE_BATCH_TAIL = 8;
/** First of the pieces between the two echoes of the IBAN, one per outcome. */
export const PIECE_OUTCOMES = 9;

/** Bytes of one node of a decision graph. */
export const NODE_BYTES = 24;
/** u8: what the node tests, one of NODE_SUM to NODE_STEPWISE. */
export const NODE_KIND = 0;
/** u8: a digit's place in the IBAN, or the number of a step-by-step algorithm; for a sum the place of its check digit. */
export const NODE_PLACE = 1;
/** u8: place of the last digit of a range. */
export const NODE_LAST_PLACE = 2;
/** u16 node to go to where the test fails and, behind it, where it succeeds. */
export const NODE_TARGETS = 4;
/** u64 each: bit set of the numbers 0 to 127 for membership; lowest and highest number of a range. */
export const NODE_FIRST = 8;
export const NODE_SECOND = 16;
/** u32 of a sum: offset of its contributions, u16 by place and digit; offset of its allowed check digits, u16 by sum. */
export const NODE_CONTRIBUTIONS = 8;
export const NODE_ALLOWED = 12;

/** A digit sum: its check digit is one of those the sum allows. */
export const NODE_SUM = 0;
/** A digit is one of a set. */
export const NODE_DIGIT = 1;
/** Two neighbouring digits are one of a set. */
export const NODE_DIGIT_PAIR = 2;
/** The number of digits without leading zeros is one of a set. */
export const NODE_LENGTH = 3;
/** The digits of a run, read as one number, lie in a range. */
export const NODE_RANGE = 4;
/** A step-by-step algorithm in TypeScript does not say that the account is wrong. */
export const NODE_STEPWISE = 5;

/** Targets that end a decision graph; anything below is the number of a node. */
export const TARGET_WRONG = 65534;
export const TARGET_RIGHT = 65535;

/** Bit of the allowed check digits that allows the digit left of the check digit. */
export const EQUALS_LEFT_BIT = 10;

/** Outcomes of an IBAN check, as in `banking/status.ts` and `banking/iban/check.ts`. */
export const OUTCOME_VALID = 0;
export const OUTCOME_WRONG_LENGTH = 4;
export const OUTCOME_WRONG_STRUCTURE = 5;
export const OUTCOME_CHECK_DIGITS_NOT_NUMERIC = 6;
export const OUTCOME_CHECK_DIGITS_OUT_OF_RANGE = 7;
export const OUTCOME_WRONG_CHECK_DIGITS = 8;
export const OUTCOME_UNKNOWN_BANK_CODE = 9;
export const OUTCOME_WRONG_NATIONAL_CHECK_DIGITS = 10;
export const OUTCOME_WRONG_ACCOUNT_CHECK_DIGIT = 11;
export const OUTCOME_NOT_AN_IBAN = 13;

/** Offsets inside the bank directory, as in `banks/layout.ts`. */
export const DIRECTORY_BRANCH_COUNT = 24;
export const DIRECTORY_RECORDS = 28;
export const DIRECTORY_BLZ_TABLE = 32;
export const DIRECTORY_BLZ_SLOTS = 36;
export const DIRECTORY_BANK_TABLE = 40;
export const DIRECTORY_BANK_SLOTS = 44;
export const DIRECTORY_RECORD_BYTES = 64;
export const DIRECTORY_SLOT_BYTES = 8;
export const RECORD_RULE = 40;
export const RECORD_FRAGMENT = 52;
export const RECORD_FRAGMENT_BYTES = 56;
export const RECORD_KONTONUMMER = 59;
export const RECORD_METHOD_INDEX = 60;
export const RECORD_COUNTRY = 61;
export const NO_METHOD = 255;
export const NO_KONTONUMMER = 255;
/** The SEPA digits, counted from the end of a fragment, as in `banks/fragment.ts`. */
export const SCT_FROM_END = 27;
export const SDD_FROM_END = 19;
export const B2B_FROM_END = 11;
export const SCC_FROM_END = 3;

/** Places inside a German IBAN. */
export const GERMAN_BLZ = 4;
export const GERMAN_KONTONUMMER = 12;
/** The most entries a batch may have, as in the interface specification, section "Limits". */
export const MOST_ENTRIES = 500;
/** The fewest characters of an IBAN. */
export const SHORTEST_IBAN = 15;
