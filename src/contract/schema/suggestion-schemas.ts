import { maxExtracted, maxFillIns, maxSuggestionCandidates, maxSuggestions } from "../limits.ts";
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

const place = (description: string) => ({ type: "integer", minimum: 0, description }) as const;
const positions = {
  type: "array",
  items: { type: "integer", minimum: 0, maximum: 34 },
  description:
    "Zero-based places of the characters that change: in the suggestion for missing, in the given text for every other kind.",
} as const;

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
        "The slip: a wrong character, letters read as digits, 100 for 110, neighbours swapped, abc for cba, aa for bb, 13 for 30, a character too many, one too few, or unreadable ones.",
    },
    positions,
    bank,
    bic,
  },
  {
    title: "IbanSuggestion",
    description: "An IBAN that is right by every check and that one slip would have made the given text of.",
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
        "The slip: the two in each other's place, a wrong digit, neighbours swapped, a digit too many, one too few.",
    },
    field: {
      type: "string",
      enum: ["kontonummer", "bankleitzahl", "both"],
      description: "Which of the two was corrected.",
    },
    positions,
    bank,
    bic,
  },
  {
    title: "AccountSuggestion",
    description:
      "An account number with its bank code that is possible at an existing bank and one slip away.",
  },
);

const listOf = <Item>(items: Item) =>
  ({
    type: ["array", "null"],
    items,
    maxItems: maxSuggestions,
    description: `What was probably meant, the likeliest first, only for suggest=1 and a number that is not valid; none where more than ${maxSuggestionCandidates} candidates remain, null where no time was left to look.`,
  }) as const;

const suggestionCount = {
  type: ["integer", "null"],
  minimum: 0,
  description: "How many candidates pass every check; null where no time was left to look.",
} as const;

/** The fields that `suggest=1` adds to the `data` object of an IBAN check. */
export const ibanSuggestionFields = {
  suggestions: listOf(ibanSuggestion),
  suggestion_count: suggestionCount,
} as const;

/** The fields that `suggest=1` adds to the `data` object of an account check. */
export const accountSuggestionFields = {
  suggestions: listOf(accountSuggestion),
  suggestion_count: suggestionCount,
} as const;

/** How many numbers an answer leaves without suggestions for want of time. */
export const omittedSchema = count(
  "How many wrong numbers have suggestions null since the time for corrections was spent; look them up one by one. Only where suggestions are given.",
);

/** The answer of `POST /v1/suggest`. */
export const suggestSchema = objectOf(
  {
    status: foundStatus,
    message,
    data: objectOf({
      counts: objectOf(
        {
          iso: count("Right length, structure and ISO check digits."),
          national: count("Right national check digits too, in countries that only observe them as well."),
          all: count("A possible account at an existing bank too."),
        },
        { description: "How many candidates are left after each filter; exact, however few are listed." },
      ),
      suggestions: {
        type: "array",
        items: ibanSuggestion,
        maxItems: maxFillIns,
        description: `For unreadable characters up to max of them, known banks first, then those with fewer letters where digits are possible, then alphabetically. Without any up to ${maxSuggestions}, the likeliest slip first; none where more than ${maxSuggestionCandidates} remain.`,
      },
    }),
  },
  { title: "SuggestAnswer", description: "What an IBAN that is wrong or partly unreadable can be." },
);

const foundIban = objectOf(
  {
    text: text("The number as it is in the text."),
    start: place("Where it begins, in UTF-16 units of the text sent."),
    end: place("Where it ends, after its last character."),
    iban: {
      type: "string",
      pattern: "^[A-Z0-9]+$",
      description: "The same without separators, in upper case.",
    },
    valid: { type: "boolean", description: "Whether status is 1." },
    status: { type: "integer", enum: [0, 1, 3, 4, 7], description: "As in an IBAN check." },
    reason: {
      type: ["string", "null"],
      enum: [...Object.keys(reasons), null],
      description: "Why it is not valid; null where it is.",
    },
    bank,
    bic,
    ...ibanSuggestionFields,
  },
  { title: "ExtractedIban", description: "An IBAN of the text, right or plainly meant as one." },
);

const foundBic = objectOf(
  {
    text: text("The number as it is in the text."),
    start: place("Where it begins, in UTF-16 units of the text sent."),
    end: place("Where it ends, after its last character."),
    bic: { type: "string", pattern: "^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$" },
  },
  { title: "ExtractedBic", description: "A BIC of the text." },
);

/** The answer of `POST /v1/extract`. */
export const extractSchema = objectOf(
  {
    status: foundStatus,
    message,
    data: objectOf({
      ibans: { type: "array", items: foundIban, maxItems: maxExtracted },
      bics: { type: "array", items: foundBic, maxItems: maxExtracted },
      read_to: place(
        `How far the text was read, in UTF-16 units: its end, unless it has more than ${maxExtracted} IBANs or BICs. Send the rest from there on.`,
      ),
      suggestions_omitted: omittedSchema,
    }),
  },
  { title: "ExtractAnswer", description: "The IBANs and BICs of a text, in its order." },
);
