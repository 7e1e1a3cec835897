import {
  extractBudgetMs,
  maxExtracted,
  maxFillIns,
  maxSuggestionCandidates,
  maxSuggestions,
} from "../limits.ts";
import { reasons } from "../status.ts";
import {
  answerOf,
  bankName as bank,
  bankBic as bic,
  component,
  count,
  enumOf,
  foundStatus,
  listOf,
  orNull,
  part,
  text,
  textLike,
  truth,
} from "./parts.ts";

const positions = listOf(
  { type: "integer", minimum: 0, maximum: 34 },
  "Zero-based offsets of the characters that change: in the suggestion if kind is missing, otherwise in the text sent.",
);

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

const ibanSuggestion = component(
  "IbanSuggestion",
  "An IBAN that passes every check and is one slip away from the text sent.",
  {
    iban: textLike("^[A-Z]{2}[0-9]{2}[A-Z0-9]+$", "The IBAN."),
    kind: enumOf(
      [...slipKinds, "unreadable"],
      "The slip: a wrong character, letters read as digits, 100 for 110, neighbours swapped, abc for cba, aa for bb, 13 for 30, an extra character, a missing one, or unreadable ones.",
    ),
    positions,
    bank,
    bic,
  },
);

const accountSuggestion = component(
  "AccountSuggestion",
  "A possible account number at an existing bank, one slip away from the numbers sent.",
  {
    kontonummer: textLike("^[0-9]{1,10}$", "The account number."),
    bankleitzahl: textLike("^[0-9]{8}$", "The bank code."),
    kind: enumOf(
      ["swapped", "substitution", "transposition", "extra", "missing"],
      "The slip: the two numbers swapped, a wrong digit, neighbours swapped, an extra digit, or a missing one.",
    ),
    field: enumOf(["kontonummer", "bankleitzahl", "both"], "The number that was corrected."),
    positions,
    bank,
    bic,
  },
);

const suggestionsOf = (items: object) =>
  orNull(
    listOf(
      items,
      `Probable corrections, the likeliest first; only with suggest=1 for a number that is not valid. Empty if more than ${maxSuggestionCandidates} candidates remain, null if no time was left.`,
      maxSuggestions,
    ),
  );

/** The fields that `suggest=1` adds to the `data` object of a check. */
export const ibanSuggestions = suggestionsOf(ibanSuggestion);
export const accountSuggestions = suggestionsOf(accountSuggestion);
export const suggestionCount = orNull(
  count("Number of candidates that pass every check; null if no time was left."),
);

export const omittedSchema = count(
  "Number of wrong numbers whose suggestions are null because the time for corrections was used up; send them one by one. Only with suggestions.",
);

export const suggestSchema = answerOf(
  "SuggestAnswer",
  "The candidates for a wrong or partly unreadable IBAN.",
  foundStatus,
  {
    counts: part("Number of candidates left after each filter; exact even if not all are listed.", {
      iso: count("Those with right length, structure and ISO check digits."),
      national: count(
        "Those that also have right national check digits, even in countries that only observe them.",
      ),
      all: count("Those that are also a possible account at an existing bank."),
    }),
    suggestions: listOf(
      ibanSuggestion,
      `For unreadable characters, up to max: known banks first, then those with fewer letters where digits are possible, then alphabetically. Otherwise up to ${maxSuggestions}, the likeliest slip first; none if more than ${maxSuggestionCandidates} remain.`,
      maxFillIns,
    ),
    iban: text("The number read from the text, in upper case and without separators."),
    suggestion_count: count("Number of candidates, as in a check with suggest=1 and in POST /v1/extract."),
  },
);

const placed = {
  text: text("The number as it is in the text, or an account's two numbers with what is between them."),
  start: count("Offset of the first character, in UTF-16 units of the text sent."),
  end: count("Offset after the last character."),
};

const foundIban = component("ExtractedIban", "An IBAN in the text, or a wrong number clearly meant as one.", {
  ...placed,
  iban: textLike(
    "^[A-Z0-9?]+$",
    "The same without separators, in upper case; ? for an unreadable character.",
  ),
  valid: truth("Whether status is 1."),
  status: enumOf([0, 1, 3, 4, 7], "As in an IBAN check."),
  reason: orNull(enumOf(Object.keys(reasons), "Why it is not valid; null if it is.")),
  bank,
  bic,
  suggestions: ibanSuggestions,
  suggestion_count: suggestionCount,
});

const foundBic = component("ExtractedBic", "A BIC in the text.", {
  ...placed,
  bic: textLike("^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$", "The BIC."),
});

const foundAccount = component(
  "ExtractedAccount",
  "An account number with its bank code or sort code; not checked.",
  {
    ...placed,
    country: enumOf(["DE", "GB"], "The country whose account it is."),
    bank_code: textLike("^[0-9]+$", "The German bank code or British sort code."),
    account: textLike("^[0-9]+$", "The account number."),
  },
);

export const extractSchema = answerOf(
  "ExtractAnswer",
  "The IBANs, BICs and accounts in a text, in order.",
  foundStatus,
  {
    ibans: listOf(foundIban, "The IBANs, in their order.", maxExtracted),
    bics: listOf(foundBic, "The BICs, in their order.", maxExtracted),
    accounts: listOf(foundAccount, "The accounts, in their order.", maxExtracted),
    read_to: count(
      `Offset up to which the text was read, in UTF-16 units: its end, unless it has more than ${maxExtracted} IBANs, BICs or accounts, or takes longer than ${extractBudgetMs} ms. Send the rest from there.`,
    ),
    suggestions_omitted: omittedSchema,
  },
);
