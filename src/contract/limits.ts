// AssemblyScript reads this file too: nothing but numbers here, an array would be data that each thread writes.

/** The largest request body that is accepted, in bytes: 128 KB. Source: interface specification, section "Limits". */
export const maxBodyBytes = 131_072;

/** How many IBANs a batch may contain. Source: interface specification, section "Limits". */
export const maxBatchIbans = 500;

/** How many results a search may ask for, and how many it returns unless it asks. Source: the same section. */
export const maxSearchResults = 50;
/** How many results of a bank search may be passed over. */
export const maxSearchOffset = 1_000;
export const defaultSearchResults = 10;

/** How many test numbers one request may ask for, and how many it gets unless it asks. */
export const maxSamples = 100;
export const defaultSamples = 10;

/** How long a client waits after server_busy, in seconds. Source: interface specification, section "Errors". */
export const retryAfterSeconds = 2;

/** Maximum number of days for which usage is returned day by day. */
export const maxUsageDays = 366;

/** How many suggestions a wrong number gets at most, and with how many candidates it gets none. */
export const maxSuggestions = 3;
export const maxSuggestionCandidates = 10;

/** How many characters of an IBAN may be unreadable, and how many ways of filling them in are listed at most. */
export const maxUnreadable = 4;
export const maxFillIns = 50;

/** How many IBANs, and how many BICs, are listed of one text. */
export const maxExtracted = 500;

/** How many countries one search may name: as many as there are, with room to spare. */
export const maxCountries = 250;

/** How long one request may look for corrections, in milliseconds. */
export const correctionBudgetMs = 20;

/** How long one text may be read for numbers, the search for their corrections included, in milliseconds. */
export const extractBudgetMs = 26;

/** How much of that the search for numbers may take; 128 KB of letters take 6 to 16 ms. */
export const readingBudgetMs = 18;

/** How much of one answer suggestions may take, in bytes. */
export const maxSuggestionBytes = 262_144;

/** How many banks the look-up of a BIC lists at most. */
export const maxListedBanks = 100;

/** The age in days from which a list of banks is old. */
export const oldFromDays = 180;

/** The age in days from which a bank that only such a list names is a reason for caution: more than a year. */
export const doubtfulFromDays = 366;

/** The longest line of a stream in bytes, its end included, and the longest number in it in characters. */
export const maxStreamLineBytes = 65_536;
export const maxStreamNumberLength = 1_000;

/** How many bytes of a stream may follow each other without a line that gets an answer. */
export const maxBlankBytes = 16 * 1_048_576;

/**
 * How many lines of a compressed stream may be answered for each byte received, beyond the first `freePackedLines`. Lists
 * of different numbers have one line in ten bytes, the same number over and over has 45 in one, a bomb 500.
 */
export const maxLinesPerPackedByte = 64;
export const freePackedLines = 100_000;
