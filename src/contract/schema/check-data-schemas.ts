import { textKinds } from "../../banking/reader/kind-of-text.ts";
import { checkNames } from "../messages/check-names.ts";
import { checkResults, reasons } from "../status.ts";
import {
  bankBic,
  bankName,
  bankTown,
  component,
  enumOf,
  listOf,
  messagesSchema,
  orNull,
  part,
  someOf,
  text,
  textLike,
  textOrNull,
} from "./parts.ts";
import { accountSuggestions, ibanSuggestions, suggestionCount } from "./suggestion-schemas.ts";

const flag = (description: string) => enumOf([0, 1], description);

const reach = part(
  "Participation of the bank or its head office according to the scheme's register; null if none is loaded or the BIC is not known.",
  {
    reachable: flag("1 if the bank takes part today."),
    since: textOrNull("First day of participation."),
    until: textOrNull("Day of leaving."),
    edition: text("First day of the register."),
  },
);

export const sepaReach = component(
  "SepaReach",
  "Reach by SEPA Instant Credit Transfer and Verification of Payee, from the EPC's registers.",
  { sct_inst: orNull(reach), vop: orNull(reach) },
);

export const sepaMethods = component(
  "SepaMethods",
  "Which SEPA schemes the bank takes part in: 1 for yes, 0 for no; all 0 for an invalid number.",
  {
    sct: flag("SEPA Credit Transfer."),
    sdd: flag("SEPA Direct Debit Core."),
    b2b: flag("SEPA Direct Debit B2B."),
    scc: flag("SEPA Cards Clearing."),
  },
);

const factSource = (fact: string) =>
  orNull(
    part(`The list that states the ${fact}; null if none does or the fact is not shown.`, {
      list: text("Its dataset, its name in data/SOURCES.md, `assumed` or `local`."),
      edition: textOrNull("Its first day or month; null if it names none."),
    }),
  );

export const bankSources = component(
  "BankSources",
  "Which list states each fact about the bank, and of what date.",
  { name: factSource("name"), bic: factSource("BIC"), schemes: factSource("SEPA methods") },
);

export const checkEntry = component("CheckEntry", "One check made and its result; present with explain=1.", {
  check: enumOf(Object.keys(checkNames), "What was checked; further names may come."),
  result: enumOf(
    checkResults,
    "unknown if the check was not made, because data is missing or an earlier check failed.",
  ),
  "detail?": text("For people: the comparison made, or why none was."),
  "messages?": messagesSchema("The sentences of detail, by id."),
  "position?": part(
    "The characters checked: zero-based offset and length in the IBAN or the ten-digit account number.",
    {
      start: { type: "integer", minimum: 0, maximum: 33 },
      length: { type: "integer", minimum: 1, maximum: 30 },
    },
  ),
  "expected?": listOf(
    { type: "string" },
    "The values that would be right at that position; empty if no value would be.",
  ),
});

const ibanOf = (description: string) => orNull(textLike("^[A-Z0-9]+$", description));
const accountOf = (description: string) => textLike("^[0-9]*$", description);

const bankFields = {
  blz: text("Bank code; empty if it is not known or the country has none."),
  bank: bankName,
  ...bankTown,
  country: textLike(
    "^([A-Z]{2})?$",
    "ISO 3166-1 alpha-2 code of the bank's country, or of the IBAN's if the bank's is not known; may be empty.",
  ),
};

const reasonMeanings = Object.entries(reasons).map(([reason, meaning]) => `- ${reason}: ${meaning}`);

const optionalFields = {
  "assumed?": {
    type: "boolean",
    const: true,
    description:
      "Only with explain=1 if the ISO check digits are wrong: blz, bank and kto are those of the number as written.",
  },
  "reason?": orNull(
    enumOf(
      Object.keys(reasons),
      `Only with reason=1: why the number is not valid, or a warning about a valid one; null if there is neither.\n\n${reasonMeanings.join("\n")}`,
    ),
  ),
  "severity?": orNull(
    enumOf(
      ["error", "warning"],
      "Only with reason=1: error, or warning if something was observed or assumed about a valid number; null without a reason.",
    ),
  ),
  "message?": text("Only in the entries of a batch with reason=1: the result for people."),
  "checks?": someOf(checkEntry, "Every check made, in order; only with explain=1."),
  "messages?": messagesSchema("The sentences of the answer's message, by id; only with explain=1."),
  "sources?": bankSources,
};

/** The `data` object of an account check. Source: interface specification, section "Check data". */
export const accountDataSchema = component("AccountCheckData", "The account and its bank, as far as known.", {
  iban: ibanOf(
    "The IBAN generated with sepa=1, null if none may be generated; the bank's IBAN rule may replace account number and bank code in it.",
  ),
  bic: bankBic,
  kto: accountOf("The account number as sent."),
  ...bankFields,
  "sepa_methods?": sepaMethods,
  ...optionalFields,
  "suggestions?": accountSuggestions,
  "suggestion_count?": suggestionCount,
});

/** The `data` object of an IBAN check. Source: interface specification, section "Check data". */
export const ibanDataSchema = component("IbanCheckData", "The IBAN and its bank, as far as known.", {
  iban: ibanOf("The IBAN without spaces, in upper case; null if the text is not an IBAN."),
  bic: bankBic,
  kto: accountOf("The ten-digit account number of a German IBAN; otherwise empty."),
  ...bankFields,
  sepa_methods: sepaMethods,
  "kind?": enumOf(textKinds, "Only with explain=1 if the text is something else than an IBAN: what it is."),
  ...optionalFields,
  "suggestions?": ibanSuggestions,
  "suggestion_count?": suggestionCount,
  "sepa_reach?": sepaReach,
});
