import {
  extractBudgetMs,
  maxExtracted,
  maxFillIns,
  maxSuggestionCandidates,
  maxSuggestions,
} from "../limits.ts";
import { reasons } from "../status.ts";
import {
  bankName as bank,
  bankBic as bic,
  count,
  foundStatus,
  sentence as message,
  objectOf,
  text,
} from "./parts.ts";

const place = (description: string) => ({ type: "integer", minimum: 0, description });
const positions = {
  type: "array",
  items: { type: "integer", minimum: 0, maximum: 34 },
  description:
    "Zero-based offsets of the characters that change: in the suggestion if kind is missing, otherwise in the text sent.",
};

/**
 * The slips that a correction undoes.
 *
 * `extra` and `missing` are one character too many and one too few, `doubled` is the middle digit of three that took
 * the value of the wrong neighbour (100 for 110), `twin` is aa for bb, `phonetic` is 13 for 30.
 */
export const slipKinds = [
  "substitution",
  "lookalike",
  "doubled",
  "transposition",
  "jump",
  "twin",
  "phonetic",
  "extra",
  "missing",
] as const;

const ibanSuggestion = objectOf(
  {
    iban: { type: "string", pattern: "^[A-Z]{2}[0-9]{2}[A-Z0-9]+$" },
    kind: {
      type: "string",
      enum: [...slipKinds, "unreadable"],
      description:
        "The slip: a wrong character, letters read as digits, 100 for 110, neighbours swapped, abc for cba, aa for bb, 13 for 30, an extra character, a missing one, or unreadable ones.",
    },
    positions,
    bank,
    bic,
  },
  {
    title: "IbanSuggestion",
    description: "An IBAN that passes every check and is one slip away from the text sent.",
  },
);

const accountSuggestion = objectOf(
  {
    kontonummer: { type: "string", pattern: "^[0-9]{1,10}$" },
    bankleitzahl: { type: "string", pattern: "^[0-9]{8}$" },
    kind: {
      type: "string",
      enum: ["swapped", "substitution", "transposition", "extra", "missing"],
      description:
        "The slip: the two numbers swapped, a wrong digit, neighbours swapped, an extra digit, or a missing one.",
    },
    field: {
      type: "string",
      enum: ["kontonummer", "bankleitzahl", "both"],
      description: "The number that was corrected.",
    },
    positions,
    bank,
    bic,
  },
  {
    title: "AccountSuggestion",
    description: "A possible account number at an existing bank, one slip away from the numbers sent.",
  },
);

const suggestionFields = <Item>(items: Item) => ({
  suggestions: {
    type: ["array", "null"],
    items,
    maxItems: maxSuggestions,
    description: `Probable corrections, the likeliest first; only with suggest=1 for a number that is not valid. Empty if more than ${maxSuggestionCandidates} candidates remain, null if no time was left.`,
  },
  suggestion_count: {
    type: ["integer", "null"],
    minimum: 0,
    description: "Number of candidates that pass every check; null if no time was left.",
  },
});

/** The fields that `suggest=1` adds to the `data` object of an IBAN check. */
export const ibanSuggestionFields = suggestionFields(ibanSuggestion);

/** The fields that `suggest=1` adds to the `data` object of an account check. */
export const accountSuggestionFields = suggestionFields(accountSuggestion);

/** Number of numbers left without suggestions because time ran out. */
export const omittedSchema = count(
  "Number of wrong numbers whose suggestions are null because the time for corrections was used up; send them one by one. Only with suggestions.",
);

/** The answer of `POST /v1/suggest`. */
export const suggestSchema = objectOf(
  {
    status: foundStatus,
    message,
    data: objectOf({
      counts: objectOf(
        {
          iso: count("Those with right length, structure and ISO check digits."),
          national: count(
            "Those that also have right national check digits, even in countries that only observe them.",
          ),
          all: count("Those that are also a possible account at an existing bank."),
        },
        { description: "Number of candidates left after each filter; exact even if not all are listed." },
      ),
      suggestions: {
        type: "array",
        items: ibanSuggestion,
        maxItems: maxFillIns,
        description: `For unreadable characters, up to max: known banks first, then those with fewer letters where digits are possible, then alphabetically. Otherwise up to ${maxSuggestions}, the likeliest slip first; none if more than ${maxSuggestionCandidates} remain.`,
      },
      iban: text("The number read from the text, in upper case and without separators."),
      suggestion_count: count("Number of candidates, as in a check with suggest=1 and in POST /v1/extract."),
    }),
  },
  { title: "SuggestAnswer", description: "The candidates for a wrong or partly unreadable IBAN." },
);

const placed = {
  text: text("The number as it is in the text, or an account's two numbers with what is between them."),
  start: place("Offset of the first character, in UTF-16 units of the text sent."),
  end: place("Offset after the last character."),
};

const foundIban = objectOf(
  {
    ...placed,
    iban: {
      type: "string",
      pattern: "^[A-Z0-9?]+$",
      description: "The same without separators, in upper case; ? for an unreadable character.",
    },
    valid: { type: "boolean", description: "Whether status is 1." },
    status: { type: "integer", enum: [0, 1, 3, 4, 7], description: "As in an IBAN check." },
    reason: {
      type: ["string", "null"],
      enum: [...Object.keys(reasons), null],
      description: "Why it is not valid; null if it is.",
    },
    bank,
    bic,
    ...ibanSuggestionFields,
  },
  { title: "ExtractedIban", description: "An IBAN in the text, or a wrong number clearly meant as one." },
);

const foundBic = objectOf(
  {
    ...placed,
    bic: { type: "string", pattern: "^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$" },
  },
  { title: "ExtractedBic", description: "A BIC in the text." },
);

const foundAccount = objectOf(
  {
    ...placed,
    country: { type: "string", enum: ["DE", "GB"], description: "The country whose account it is." },
    bank_code: {
      type: "string",
      pattern: "^[0-9]+$",
      description: "The German bank code or British sort code.",
    },
    account: { type: "string", pattern: "^[0-9]+$", description: "The account number." },
  },
  {
    title: "ExtractedAccount",
    description: "An account number with its bank code or sort code; not checked.",
  },
);

/** The answer of `POST /v1/extract`. */
export const extractSchema = objectOf(
  {
    status: foundStatus,
    message,
    data: objectOf({
      ibans: { type: "array", items: foundIban, maxItems: maxExtracted },
      bics: { type: "array", items: foundBic, maxItems: maxExtracted },
      accounts: { type: "array", items: foundAccount, maxItems: maxExtracted },
      read_to: place(
        `Offset up to which the text was read, in UTF-16 units: its end, unless it has more than ${maxExtracted} IBANs, BICs or accounts, or takes longer than ${extractBudgetMs} ms. Send the rest from there.`,
      ),
      suggestions_omitted: omittedSchema,
    }),
  },
  { title: "ExtractAnswer", description: "The IBANs, BICs and accounts in a text, in order." },
);
